import assert from "node:assert/strict";
import { testedProgram, testedSettings, testedType } from "../../tools/harness/form";

const settings = "name: tested\nruntime:\n  name: nodejs\n";

describe("The tested form of a project", () => {
  it("is written unchanged where it is dynamic", () => {
    const program = `const apps = require("pulumi-workspace-apps");`;
    assert.equal(testedProgram(program, "dynamic"), program);
    assert.equal(testedSettings(settings, "dynamic"), settings);
    assert.equal(testedType("Webhook", "dynamic"), "pulumi-nodejs:dynamic/workspace-apps:Webhook");
  });

  it("imports the packaged classes, and nothing else instead", () => {
    for (const [given, expected] of [
      [`require("pulumi-workspace-apps")`, `require("pulumi-workspace-apps/packaged")`],
      [`import * as apps from 'pulumi-workspace-apps';`, `import * as apps from 'pulumi-workspace-apps/packaged';`],
      [`require("pulumi-workspace-apps/policy")`, `require("pulumi-workspace-apps/policy")`],
      [`require("@pulumi/pulumi")`, `require("@pulumi/pulumi")`],
    ] as const)
      assert.equal(testedProgram(given, "packaged"), expected);
  });

  it("names the plugin before the project's own settings, which tests append to", () => {
    assert.equal(
      testedSettings(settings, "packaged"),
      `plugins:\n  providers:\n    - name: workspace-apps\n      path: node_modules/pulumi-workspace-apps/plugin\n${settings}`,
    );
    assert.equal(testedType("Webhook", "packaged"), "workspace-apps:index:Webhook");
  });

  it("leaves settings that name the plugin as they are", () => {
    const named = testedSettings(settings, "packaged");
    assert.equal(testedSettings(named, "packaged"), named);
  });
});
