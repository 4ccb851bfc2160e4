import assert from "node:assert/strict";
import { assertFailed, programOf } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const webhook = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

describe("Settings and secrets on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("that are missing or wrong fail the preview, with both names", async () => {
    const stack = await project(programOf("Webhook", webhook), {
      baseUrl: "http://example.com",
      environment: { WORKSPACE_APPS_ACCESS_TOKEN: "" },
    });
    const run = await stack.preview();
    assertFailed(run, /workspace-apps:baseUrl must be https.*WORKSPACE_APPS_BASE_URL/);
    assertFailed(run, /workspace-apps:accessToken is not set.*WORKSPACE_APPS_ACCESS_TOKEN/);
    assert.deepEqual(simulator.requests, []);
  });

  it("that are misspelled fail the preview of a look-up with a suggestion", async () => {
    const stack = await project(`exports.made = require("pulumi-workspace-apps").getUserStats({ appId: "app-1" });`, {
      config: { "workspace-apps:maxDailyBudgetMicro": "1000000" },
      environment: { WORKSPACE_APPS_MAX_DAILY_BUDGET_MICRO: "1" },
    });
    const run = await stack.pulumi("preview", "--non-interactive");
    for (const [wrong, right] of [
      ["workspace-apps:maxDailyBudgetMicro", "workspace-apps:maxDailyBudgetMicros"],
      ["WORKSPACE_APPS_MAX_DAILY_BUDGET_MICRO", "WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS"],
    ] as const)
      assertFailed(run, new RegExp(`Unknown setting ${wrong}\\. Did you mean ${right}\\?`));
    const [, diagnostics = ""] = run.output.split("Diagnostics:");
    assert.equal(diagnostics.match(/Unknown setting workspace-apps:maxDailyBudgetMicro\./g)?.length, 1, run.output);
    assert.doesNotMatch(run.output, /\n\s+at /);
    assert.deepEqual(simulator.requests, []);
  });

  it("warn about a token in plain text in the configuration, and print no argument in a preview that names every wrong one", async () => {
    const wrong = `
      const pulumi = require("@pulumi/pulumi");
      const apps = require("pulumi-workspace-apps");
      new apps.Webhook("hook", {
        agentId: "",
        targetUrl: pulumi.secret("http://hooks.example.com/?key=canary-in-url"),
        description: 7,
        events: ["message.created", pulumi.secret("canary-event")],
      });`;
    const stack = await project(wrong, { config: { "workspace-apps:accessToken": "full-access-token" } });
    const run = await stack.pulumi("preview", "--non-interactive");
    assert.match(run.output, /accessToken is plain text in the stack's configuration/);
    assertFailed(run, /'hook' has a problem: targetUrl must be an https URL/);
    assertFailed(run, /'hook' has a problem: events\[1\] must be one of/);
    assertFailed(run, /'hook' has a problem: agentId must not be empty/);
    assert.doesNotMatch(run.output, /canary|full-access-token/);

    const record = { appId: "app-1", entityName: "User", fields: { id: "1", title: "t" } };
    await stack.write(programOf("EntityRecord", record));
    const nested = await stack.pulumi("preview", "--non-interactive");
    assertFailed(nested, /'tested' has a problem: entityName must not be User/);
    assertFailed(nested, /'tested' has a problem: fields\.id is assigned by the service/);
    assert.doesNotMatch(nested.output, /<nil>/, "the engine shows no value for the path of a nested argument");
    assert.deepEqual(simulator.requests, []);
  });
});
