import assert from "node:assert/strict";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/",
  events: ["message.created"],
  signed: true,
};

describe("Settings and secrets on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("come from the stack's configuration, which takes precedence over the environment", async () => {
    const stack = await project(programOf("Webhook", declared), {
      baseUrl: "http://127.0.0.1:1",
      config: { "workspace-apps:baseUrl": simulator.url },
    });
    assert.equal(
      (await stack.pulumi("config", "set", "--secret", "workspace-apps:accessToken", "full-access-token")).code,
      0,
    );
    assertDone(await stack.up(), { create: 1 });
    assert.doesNotMatch(await stack.rawState(), /full-access-token/);
  });

  it("that are missing or wrong fail the preview, with both names", async () => {
    const stack = await project(programOf("Webhook", declared), {
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

  it("warn about a token in plain text in the configuration", async () => {
    const stack = await project(programOf("Webhook", declared), {
      config: { "workspace-apps:accessToken": "full-access-token" },
    });
    const run = await stack.preview();
    assertDone(run);
    assert.match(run.output, /accessToken is plain text in the stack's configuration/);
  });

  it("of arguments are not printed by a preview that names every wrong argument", async () => {
    const stack = await project(`
        const pulumi = require("@pulumi/pulumi");
        const apps = require("pulumi-workspace-apps");
        new apps.Webhook("hook", {
          agentId: "",
          targetUrl: pulumi.secret("http://hooks.example.com/?key=canary-in-url"),
          description: 7,
          events: ["message.created", pulumi.secret("canary-event")],
        });`);
    const run = await stack.pulumi("preview", "--non-interactive");
    assertFailed(run, /'hook' has a problem: targetUrl must be an https URL/);
    assertFailed(run, /'hook' has a problem: events\[1\] must be one of/);
    assertFailed(run, /'hook' has a problem: agentId must not be empty/);
    assert.doesNotMatch(run.output, /canary/);
    const record = { appId: "app-1", entityName: "User", fields: { id: "1", title: "t" } };
    await stack.write(programOf("EntityRecord", record));
    const nested = await stack.pulumi("preview", "--non-interactive");
    assertFailed(nested, /'tested' has a problem: entityName must not be User/);
    assertFailed(nested, /'tested' has a problem: fields\.id is assigned by the service/);
    assert.doesNotMatch(nested.output, /<nil>/, "the engine shows no value for the path of a nested argument");
  });
});
