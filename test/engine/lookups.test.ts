import assert from "node:assert/strict";
import { seen } from "../support/deployment";
import { assertDone } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const program = `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  const hook = new apps.Webhook("hook", {
    agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] });
  class Group extends pulumi.ComponentResource {
    constructor() {
      super("tested:Group", "group");
      new apps.FolderMembership("inside", { folderId: "f", appId: "a" }, { parent: this });
    }
  }
  const unknown = hook.webhookId.apply(() => hook);
  module.exports = async () => {
    const [one, other] = await Promise.all([
      apps.getUserStats({ appId: "app-1" }),
      apps.getUserStats({ appId: "app-1" }),
    ]);
    const targets = apps.getGeoTargetsOutput({ appId: "app-1", query: "zurich", countryCode: "ch", limit: 1 });
    const statsOf = (args, options) => apps.getUserStatsOutput(args, options).activeUsers;
    return {
      known: [one.activeUsers, JSON.stringify(one) === JSON.stringify(other)],
      later: statsOf({ appId: pulumi.output(Promise.resolve("app-1")) }),
      target: targets.targets[0].resourceName,
      byInput: statsOf({ appId: hook.webhookId }),
      byEcho: statsOf({ appId: hook.agentId }),
      byOption: statsOf({ appId: "app-1" }, { dependsOn: [hook] }),
      byOutput: statsOf({ appId: "app-1" }, { dependsOn: [unknown, undefined] }),
      byComponent: statsOf({ appId: "app-1" }, { dependsOn: new Group() }),
    };
  };`;

describe("Look-ups on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("run at preview too, share equal requests, and wait for what is unknown", async () => {
    const stack = await project(program);
    assertDone(await stack.preview(), { create: 2 });
    assert.deepEqual(seen(simulator).toSorted(), ["geoTarget.search", "userStats.get"]);

    simulator.clearRequests();
    assertDone(await stack.up(), { create: 2 });
    const { output } = await stack.pulumi("stack", "output", "--json");
    assert.deepEqual(JSON.parse(output), {
      known: [12, true],
      later: 12,
      target: "geoTargetConstants/20126",
      ...{ byInput: 12, byEcho: 12, byOption: 12, byOutput: 12, byComponent: 12 },
    });
    const numbers = (operation: string): number[] =>
      simulator.requests.filter((request) => request.operation === operation).map(({ number }) => number);
    const lookedUp = numbers("userStats.get");
    assert.equal(lookedUp.length, 5, "one at once, and one for each object that they wait for");
    const [created = 0] = numbers("webhook.create");
    assert.ok(lookedUp.filter((number) => number > created).length >= 4);
    const [added = 0] = numbers("folderItem.add");
    assert.ok(Number(lookedUp.at(-1)) > added);
  });
});
