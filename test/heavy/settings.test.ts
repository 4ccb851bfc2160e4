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
    assertDone(await stack.destroy(), { delete: 1 });
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

  it("that are misspelled fail the preview with a suggestion, also for a look-up", async () => {
    const declaring = programOf("Webhook", declared);
    const asking = `exports.made = require("pulumi-workspace-apps").getUserStats({ appId: "app-1" });`;
    for (const program of [declaring, asking]) {
      const stack = await project(program, {
        config: { "workspace-apps:maxDailyBudgetMicro": "1000000" },
        environment: { WORKSPACE_APPS_MAX_DAILY_BUDGET_MICRO: "1" },
      });
      const run = await stack.pulumi("preview", "--non-interactive");
      assertFailed(
        run,
        /Unknown setting workspace-apps:maxDailyBudgetMicro\. Did you mean workspace-apps:maxDailyBudgetMicros\?/,
      );
      assertFailed(
        run,
        /Unknown setting WORKSPACE_APPS_MAX_DAILY_BUDGET_MICRO\. Did you mean WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS\?/,
      );
      const [, diagnostics = ""] = run.output.split("Diagnostics:");
      assert.equal(diagnostics.match(/Unknown setting workspace-apps:maxDailyBudgetMicro\./g)?.length, 1, run.output);
      assert.doesNotMatch(run.output, /\n\s+at /);
    }
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

  it("leave no secret in the state or the output, and a changed token reaches refresh and destroy", async () => {
    const program = (label: string): string => `
      const pulumi = require("@pulumi/pulumi");
      ${programOf("Webhook", { ...declared, description: label })}
      new apps.Webhook("hook", {
        agentId: "agent-2",
        targetUrl: pulumi.secret("https://hooks.example.com/?key=canary-in-url"),
        events: ["message.created"],
        description: "${label}",
      });`;
    const stack = await project(program("one"));
    const printed = [await stack.upAsText(), await stack.refresh()];
    for (const run of printed) assertDone(run);
    const secret = String((await stack.outputs())["secret"]);
    assert.match(secret, /^whsec_/);
    await stack.write(program("two"));
    const plan = await stack.preview("--diff");
    assertDone(plan);
    const body = "full-access-token is not enough";
    simulator.fault({ operation: "webhook.update", parameters: { agent_id: "agent-1" }, then: { status: 403, body } });
    const refused = await stack.upAsText();
    assertFailed(refused, /403/);
    const changed = await stack.upAsText();
    assertDone(changed);
    printed.push(plan, refused, changed);
    const targets = ["agent-1", "agent-2"].map((agent) => simulator.objects.webhooks(agent)[0]);
    assert.deepEqual(
      targets.map((webhook) => [webhook?.target_url, webhook?.description]),
      [
        [declared.targetUrl, "two"],
        ["https://hooks.example.com/?key=canary-in-url", "two"],
      ],
    );
    const everything = `${printed.map(({ output }) => output).join("\n")}\n${await stack.rawState()}`;
    assert.match(everything, /\[secret\] is not enough/, "the service's message is shown without the token");
    assert.ok(!everything.includes(secret), "the signing secret leaked");
    assert.ok(!everything.includes("full-access-token"), "the token leaked");
    assert.ok(!everything.includes("canary-in-url"), "a secret input leaked");
    assert.equal((await stack.outputs())["secret"], secret, "the secret is still available");

    stack.environment["WORKSPACE_APPS_ACCESS_TOKEN"] = "expired";
    assertFailed(await stack.refresh(), /401.*token is missing, invalid or expired/);
    stack.environment["WORKSPACE_APPS_ACCESS_TOKEN"] = "full-access-token";
    assertDone(await stack.refresh("--expect-no-changes"));
    assertDone(await stack.destroy(), { delete: 2 });
  });

  it("do not let a preview print an invalid secret", async () => {
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
  });
});
