import assert from "node:assert/strict";
import { killDuringAll } from "../../tools/harness/crash";
import { locatorOf } from "../../provider/pulumi/hidden-inputs";
import type { Campaign } from "../../simulator";
import { assertDone, assertFailed, type PulumiProject, type StoredResource } from "../../tools/harness/engine";
import { asStored, declared } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";

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

  it("is saved as unconfirmed, sends no launch during the quarantine, and is confirmed by a refresh", async () => {
    const environment = { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1", WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "900" };
    const stack = await start({ shop: {} }, environment);
    const body = { detail: "The ad platform did not answer in time" };
    simulator.fault({ ...launching("shop"), then: { status: 409, body } });
    assertFailed(
      await stack.up(),
      /MONEY MAY BE MOVING: .*the service answered 409\..*The service said: The ad platform did not answer in time/,
    );
    const launch = simulator.requests.find(({ operation }) => operation === "campaign.launch");
    const saved = async (): Promise<StoredResource> =>
      (await stack.stored("AdCampaign"))[0] ?? assert.fail("no campaign");
    const { id, outputs = {}, initErrors = [] } = await saved();
    assert.equal(id, "unconfirmed Spring sale");
    assert.match(initErrors.join(), /Nothing is launched again before .*Run `pulumi up` after /s);
    assert.equal(outputs["__provider"], stack.form === "dynamic" ? locatorOf("AdCampaign") : undefined);
    assert.equal(outputs["launchState"], "unconfirmed");
    assert.match(String(outputs["launchAttemptedAt"]), /^\d{4}-\d\d-\d\dT.*Z$/);

    const preview = await stack.preview();
    assertDone(preview, { update: 1 });
    assert.match(
      preview.output,
      /MONEY MAY BE MOVING: campaign .* is not confirmed\..*Nothing is launched again before /s,
    );
    newWrites();
    for (const command of [await stack.up(), await stack.destroy()])
      assertFailed(command, /MONEY MAY BE MOVING.*A complete campaign list does not show it/);
    assert.deepEqual(newWrites(), []);

    // The service carries the launch out late.
    const late = simulator.objects.putCampaign("shop", (launch?.body as { campaign: Partial<Campaign> }).campaign);
    assertDone(await stack.refresh());
    const confirmed = await saved();
    assert.deepEqual([confirmed.id, confirmed.initErrors ?? []], [late.id, []]);
    assert.deepEqual(
      [confirmed.outputs?.["launchState"], confirmed.outputs?.["launchAttemptedAt"]],
      ["confirmed", undefined],
    );
    assertDone(await stack.up("--expect-no-changes"), { same: 1 });
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([newWrites(), held("shop")], [["campaign.delete"], [`${late.id} REMOVED`]]);
  });

  it("refuses a second stack with an equal program, whose destroy touches nothing of the first", async () => {
    const [one, other] = [await start({ shop: {} }), await start({ shop: {} })];
    assertDone(await one.up(), { create: 1 });
    newWrites();
    assertFailed(await other.up(), /Another campaign of this name is live: cmp_1 \(ENABLED/);
    assertDone(await other.destroy());
    assert.deepEqual([newWrites(), held("shop"), await other.stored()], [[], ["cmp_1 ENABLED"], []]);
  });

  it("is refused while PULUMI_SKIP_CHECKPOINTS is set, because the intent would not be saved", async () => {
    const stack = await start({ shop: {} }, { PULUMI_EXPERIMENTAL: "1", PULUMI_SKIP_CHECKPOINTS: "1" });
    assertFailed(
      await stack.up(),
      /cannot be launched while PULUMI_SKIP_CHECKPOINTS is set: its LaunchIntent would not be saved/,
    );
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
});
