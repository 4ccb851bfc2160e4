import assert from "node:assert/strict";
import { assertDone, assertFailed, onSimulator, programOf } from "../../tools/harness/engine";

const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/",
  events: ["message.created"],
  signed: true,
};

describe("Settings and secrets on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("come from the stack's configuration, which wins over the environment", async () => {
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

  it("that are missing or wrong fail the preview with both names", async () => {
    const stack = await project(programOf("Webhook", declared), {
      baseUrl: "http://example.com",
      environment: { WORKSPACE_APPS_ACCESS_TOKEN: "" },
    });
    const run = await stack.preview();
    assertFailed(run, /workspace-apps:baseUrl must be https.*WORKSPACE_APPS_BASE_URL/);
    assertFailed(run, /workspace-apps:accessToken is not set.*WORKSPACE_APPS_ACCESS_TOKEN/);
    assert.deepEqual(simulator.requests, []);
  });

  it("that are misspelled fail the preview with the name that is meant, a look-up's too", async () => {
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
        /workspace-apps:maxDailyBudgetMicro is no setting.*workspace-apps:maxDailyBudgetMicros is meant/,
      );
      assertFailed(
        run,
        /WORKSPACE_APPS_MAX_DAILY_BUDGET_MICRO is no .*WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS is meant/,
      );
      const [, diagnostics = ""] = run.output.split("Diagnostics:");
      assert.equal(diagnostics.match(/maxDailyBudgetMicro is no setting/g)?.length, 1, run.output);
      assert.doesNotMatch(run.output, /\n\s+at /);
    }
    assert.deepEqual(simulator.requests, []);
  });

  it("warn of a token that stands in the configuration in plain text", async () => {
    const stack = await project(programOf("Webhook", declared), {
      config: { "workspace-apps:accessToken": "full-access-token" },
    });
    const run = await stack.preview();
    assertDone(run);
    assert.match(run.output, /accessToken is in the stack's configuration in plain text/);
  });

  it("leave no token and no secret in the state or in anything printed", async () => {
    const stack = await project(programOf("Webhook", declared));
    const first = await stack.upAsText();
    assertDone(first);
    const secret = String((await stack.outputs())["secret"]);
    assert.match(secret, /^whsec_/);
    simulator.fault({ operation: "webhook.update", then: { status: 403, body: "full-access-token is not enough" } });
    await stack.write(programOf("Webhook", { ...declared, description: "d" }));
    const printed = [
      first,
      await stack.refresh(),
      await stack.upAsText(),
      await stack.preview("--diff"),
      await stack.upAsText(),
    ];
    const everything = `${printed.map(({ output }) => output).join("\n")}\n${await stack.rawState()}`;
    assert.match(everything, /\[secret\] is not enough/, "the service's words are shown, the token in them is not");
    assert.ok(!everything.includes(secret), "the signing secret leaked");
    assert.ok(!everything.includes("full-access-token"), "the token leaked");
    assert.equal((await stack.outputs())["secret"], secret, "and it is still known");
  });

  it("keep a secret input secret through refresh and update", async () => {
    const program = (label: string): string => `
      const pulumi = require("@pulumi/pulumi");
      const apps = require("pulumi-workspace-apps");
      new apps.Webhook("hook", {
        agentId: "agent-1",
        targetUrl: pulumi.secret("https://hooks.example.com/?key=canary-in-url"),
        events: ["message.created"],
        description: "${label}",
      });`;
    const stack = await project(program("one"));
    const runs = [await stack.upAsText(), await stack.refresh()];
    await stack.write(program("two"));
    runs.push(await stack.preview("--diff"), await stack.upAsText());
    for (const run of runs) assertDone(run);
    assert.equal(simulator.objects.webhooks("agent-1")[0]?.target_url, "https://hooks.example.com/?key=canary-in-url");
    const everything = `${runs.map(({ output }) => output).join("\n")}\n${await stack.rawState()}`;
    assert.ok(!everything.includes("canary-in-url"));
  });

  it("do not let a preview print the secret that it finds wrong", async () => {
    const stack = await project(`
        const pulumi = require("@pulumi/pulumi");
        const apps = require("pulumi-workspace-apps");
        new apps.Webhook("hook", {
          agentId: "",
          targetUrl: pulumi.secret("http://hooks.example.com/?key=canary-in-url"),
          events: ["message.created", pulumi.secret("canary-event")],
        });`);
    const run = await stack.pulumi("preview", "--non-interactive");
    assertFailed(run, /'hook' has a problem: targetUrl must be an https URL/);
    assertFailed(run, /'hook' has a problem: events\[1\] must be one of/);
    assertFailed(run, /property agentId value {} has a problem: must not be empty/);
    assert.doesNotMatch(run.output, /canary/);
  });

  it("let a changed token reach refresh and destroy when it comes from the environment", async () => {
    const stack = await project(programOf("Webhook", declared));
    assertDone(await stack.up());
    stack.environment["WORKSPACE_APPS_ACCESS_TOKEN"] = "expired";
    assertFailed(await stack.refresh(), /401.*credential is missing, invalid or expired/);
    stack.environment["WORKSPACE_APPS_ACCESS_TOKEN"] = "full-access-token";
    assertDone(await stack.refresh("--expect-no-changes"));
    assertDone(await stack.destroy());
  });
});
