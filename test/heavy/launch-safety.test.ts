import assert from "node:assert/strict";
import { killDuringAll } from "../../tools/harness/crash";
import { assertDone, assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { asStored, declared } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { assertFailedWith } from "../support/steps";

/** Declares campaigns of these apps, under the names of the apps, with more arguments where given. */
const programOf = (campaigns: Record<string, object>): string => `
  const apps = require("pulumi-workspace-apps");
  for (const [appId, args] of Object.entries(${JSON.stringify(campaigns)}))
    new apps.AdCampaign(appId, { ...${JSON.stringify(declared)}, appId, ...args });`;

describe("Launching a campaign once, on the real engine", () => {
  const { simulator, project } = onSimulator();
  const start = (campaigns: Record<string, object>, environment: Record<string, string> = {}): Promise<PulumiProject> =>
    project(programOf(campaigns), { environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0", ...environment } });
  const held = (app: string): string[] => simulator.objects.campaigns(app).map(({ id, status }) => `${id} ${status}`);
  const newWrites = (): string[] => {
    const all = simulator.requests.filter(({ method }) => method !== "GET").map(({ operation }) => String(operation));
    simulator.clearRequests();
    return all;
  };
  const launching = (app: string) => ({ operation: "campaign.launch", parameters: { app_id: app } }) as const;

  it("refuses a second stack with an equal program, at each try, and its destroy touches nothing of the first", async () => {
    const [one, other] = [await start({ shop: {} }), await start({ shop: {} })];
    assertDone(await one.up(), { create: 1 });
    newWrites();
    for (const run of [await other.up(), await other.up()])
      assertFailed(run, /Another campaign of this name is live: cmp_1 \(ENABLED/);
    assertDone(await other.apply(programOf({})));
    assertDone(await other.destroy());
    assert.deepEqual([newWrites(), held("shop"), await other.stored()], [[], ["cmp_1 ENABLED"], []]);
    assertDone(await one.up("--expect-no-changes"), { same: 1 });
    assertDone(await one.destroy(), { delete: 1 });
    assert.deepEqual(held("shop"), ["cmp_1 REMOVED"]);
  });

  it("is refused while PULUMI_SKIP_CHECKPOINTS is set, because the intent would not be saved", async () => {
    const stack = await start({ shop: {} }, { PULUMI_EXPERIMENTAL: "1", PULUMI_SKIP_CHECKPOINTS: "1" });
    const refused = /cannot be launched while PULUMI_SKIP_CHECKPOINTS is set: its LaunchIntent would not be saved/;
    assertFailed(await stack.preview(), refused);
    assertFailed(await stack.up(), refused);
    assert.deepEqual(newWrites(), []);
  });

  it("leaves a replacement that Pulumi still waits for, and its destroy ends what was launched", async () => {
    const stack = await start({ shop: {} });
    assertDone(await stack.up(), { create: 1 });
    await stack.write(programOf({ shop: { dailyBudgetMicros: 6_000_000 } }));
    await killDuringAll({ stack, simulator }, ["up"], "host", [{ ...launching("shop"), commit: true, then: "hang" }]);
    assert.match(await stack.rawState(), /"pendingReplacement": ?true/);
    assert.deepEqual(held("shop"), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    const destroyed = await stack.destroy();
    assertDone(destroyed);
    assert.match(
      destroyed.output,
      /cmp_2 of app shop.* was launched by this resource and is not in the state, so it was deleted/,
    );
    assert.deepEqual([held("shop"), await stack.stored()], [["cmp_1 REMOVED", "cmp_2 REMOVED"], []]);
  });

  it("ends no campaign that the program declares by its own campaignId after a kill, or after a refusal", async () => {
    const stack = await start({ killed: {}, refused: {} });
    const refusal = { ...launching("refused"), then: { status: 422, body: { detail: "Not now" } } };
    const kill = { ...launching("killed"), commit: true, then: "hang" } as const;
    await killDuringAll({ stack, simulator }, ["up"], "host", [refusal, kill]);
    assert.deepEqual(held("killed"), ["cmp_1 ENABLED"]);
    simulator.objects.putCampaign("refused", { ...asStored, id: "theirs" });
    newWrites();
    const run = await stack.apply(programOf({ killed: { campaignId: "cmp_1" }, refused: { campaignId: "theirs" } }));
    assertDone(run, { create: 2 });
    assert.deepEqual([newWrites(), held("killed"), held("refused")], [[], ["cmp_1 ENABLED"], ["theirs ENABLED"]]);
    assert.deepEqual((await stack.stored("AdCampaign")).map(({ id }) => id).toSorted(), ["cmp_1", "theirs"]);
  });

  it("leaves nothing in the state that blocks later commands when the first appId or list path was wrong", async () => {
    const wrongPath = { WORKSPACE_APPS_ENDPOINTS: JSON.stringify({ "campaign.list": "GET /api/wrong/{app_id}" }) };
    const stack = await start({ shop: {} }, wrongPath);
    const first = await stack.up();
    assertFailed(first, /Nothing was launched for app shop\..*campaign\.list/s);
    assert.deepEqual([newWrites(), await stack.stored()], [[], []]);
    delete stack.environment["WORKSPACE_APPS_ENDPOINTS"];

    const isOfWrongApp = { operation: "campaign.list", parameters: { app_id: "wrong" }, times: "always" } as const;
    simulator.fault({ ...isOfWrongApp, then: { status: 404 } });
    const program = (appId: string): string => programOf({ shop: { appId } });
    assertFailed(await stack.apply(program("wrong")), /Nothing was launched for app wrong/);
    assert.deepEqual(await stack.stored(), []);
    assertDone(await stack.apply(program("shop")), { create: 1 });
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(held("shop"), ["cmp_1 REMOVED"]);
  });

  it("goes on with the right app when the first one, whose list can be read, refused the launch", async () => {
    const stack = await start({ shop: { appId: "wrong" } });
    simulator.fault({ ...launching("wrong"), then: { status: 404 } });
    const refused = await stack.up();
    assertFailedWith("shop", refused, /No campaign was launched/);
    assertDone(await stack.apply(programOf({ shop: {} })), { create: 1 });
    const [intent] = await stack.stored("LaunchIntent");
    assert.deepEqual(intent?.outputs?.["apps"], ["wrong", "shop"]);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([held("wrong"), held("shop"), await stack.stored()], [[], ["cmp_1 REMOVED"], []]);
  });
});
