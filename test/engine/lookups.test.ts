import assert from "node:assert/strict";
import { seen } from "../support/deployment";
import { assertDone, assertFailed, onSimulator, type PulumiProject } from "../support/engine";

const program = (body: string): string => `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  ${body}`;

const hook = `const hook = new apps.Webhook("hook", {
    agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] });`;

async function outputsOf(stack: PulumiProject): Promise<Record<string, unknown>> {
  const { output } = await stack.pulumi("stack", "output", "--json", "--show-secrets");
  return JSON.parse(output) as Record<string, unknown>;
}

describe("Look-ups on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("answer a program at preview and at up, in both forms, and equal ones share one request", async () => {
    const stack = await project(
      program(`
        module.exports = async () => {
          const [one, other] = await Promise.all([
            apps.getUserStats({ appId: "app-1" }),
            apps.getUserStats({ appId: "app-1" }),
          ]);
          const third = apps.getUserStatsOutput({ appId: pulumi.output(Promise.resolve("app-1")) });
          const targets = apps.getGeoTargetsOutput({ appId: "app-1", query: "zurich", countryCode: "ch", limit: 1 });
          return { active: one.activeUsers, same: one === other, third: third.activeUsers, targets };
        };`),
    );
    assertDone(await stack.preview());
    assert.deepEqual(seen(simulator), ["userStats.get", "geoTarget.search"]);
    assertDone(await stack.up());
    assert.equal(simulator.requests.length, 4);
    const outputs = await outputsOf(stack);
    assert.deepEqual([outputs["active"], outputs["same"], outputs["third"]], [12, true, 12]);
    assert.match(JSON.stringify(outputs["targets"]), /"resourceName":"geoTargetConstants\/20126".*"leftOut":1/);
  });

  it("with unknown inputs are unknown at preview and ask nothing, and are answered at up", async () => {
    const stack = await project(
      program(`${hook}
        exports.byInput = apps.getUserStatsOutput({ appId: hook.webhookId }).activeUsers;
        exports.byEcho = apps.getUserStatsOutput({ appId: hook.agentId }).activeUsers;
        exports.byOption = apps.getUserStatsOutput({ appId: "app-1" }, { dependsOn: hook }).activeUsers;`),
    );
    const preview = await stack.preview();
    assertDone(preview, { create: 1 });
    assert.deepEqual(seen(simulator), []);
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(await outputsOf(stack), { byInput: 12, byEcho: 12, byOption: 12 });
    const operations = simulator.requests.map(({ operation }) => operation);
    assert.deepEqual(operations.filter((operation) => operation === "userStats.get").length, 3);
    assert.ok(operations.indexOf("webhook.create") < operations.indexOf("userStats.get"));
    simulator.clearRequests();
    assertDone(await stack.preview("--expect-no-changes"));
    assert.equal(simulator.requests.length, 3, "what exists is asked at preview too");
  });

  it("that fail say which and why, and fail the program", async () => {
    for (const call of [
      `exports.x = apps.getUserStatsOutput({ appId: "app-1" });`,
      `apps.getUserStatsOutput({ appId: "app-1" });`,
      `apps.getUserStats({ appId: "app-1" });`,
      `module.exports = async () => ({ x: await apps.getUserStats({ appId: "app-1" }) });`,
    ]) {
      simulator.fault({ operation: "userStats.get", then: { status: 403, body: { message: "full-access-token?" } } });
      const stack = await project(program(call));
      const begun = Date.now();
      const run = await stack.pulumi("preview", "--non-interactive");
      console.log(call, Date.now() - begun);
      assertFailed(
        run,
        /getUserStats: userStats\.get \(GET \/api\/apps\/app-1\/analytics\/stats\/users\): .*403: \[secret\]\?/,
      );
      assert.doesNotMatch(run.output, /full-access-token|    at /);
      simulator.clearFaults();
    }
  });
});
