import assert from "node:assert/strict";
import { killDuringAll } from "../../tools/harness/crash";
import { locatorOf } from "../../provider/pulumi/hidden-inputs";
import type { Campaign } from "../../simulator";
import { assertDone, assertFailed, type PulumiProject, type StoredResource } from "../../tools/harness/engine";
import { testedType } from "../../tools/harness/form";
import { declared } from "../support/campaigns";
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
    assertFailed(await stack.up(), /MONEY MAY BE MOVING.*A complete campaign list does not show it/);
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

  it("goes on where a replacement is refused, is accounted for where it is killed, and belongs to one stack alone", async () => {
    const dear = { dailyBudgetMicros: 6_000_000 };
    const stack = await start({ landing: {}, shop: {} });
    assertDone(await stack.up(), { create: 2 });
    const idOf = (app: string): string => simulator.objects.campaigns(app).at(-1)?.id ?? "";
    const [landing, shop] = [idOf("landing"), idOf("shop")];

    // Pulumi asks for no difference with --replace.
    simulator.advertising.setLandingPage("landing", "https://other.example.com/");
    await stack.write(programOf({ landing: dear, shop: {} }));
    newWrites();
    const replaced = `urn:pulumi:dev::tested::${testedType("AdCampaign")}::landing`;
    for (const options of [[], ["--replace", replaced]])
      assertFailed(
        await stack.up(...options),
        /was not replaced, and goes on\..*expects the landing page https:\/\/other\./s,
      );
    assert.deepEqual([newWrites(), held("landing")], [[], [`${landing} ENABLED`]]);

    await stack.write(programOf({ landing: {}, shop: dear, adopted: {} }));
    const killed = ["shop", "adopted"].map((app) => ({ ...launching(app), commit: true, then: "hang" }) as const);
    await killDuringAll({ stack, simulator }, ["up"], "host", killed);
    assert.match(await stack.rawState(), /"pendingReplacement": ?true/);
    assert.deepEqual(held("shop"), [`${shop} REMOVED`, `${idOf("shop")} ENABLED`]);

    // The intent of the killed replacement accounts for its launch, and the intent of "adopted" for its campaignId.
    newWrites();
    const adopted = idOf("adopted");
    const next = await stack.apply(programOf({ landing: {}, adopted: { campaignId: adopted } }));
    assertDone(next);
    assert.match(
      next.output,
      /cmp_\d+ of app shop.* was launched by this resource and is not in the state, so it was deleted/,
    );
    assert.deepEqual(newWrites(), ["campaign.delete"]);
    assert.deepEqual(held("shop"), [`${shop} REMOVED`, `${idOf("shop")} REMOVED`]);
    assert.deepEqual(held("adopted"), [`${adopted} ENABLED`]);

    const other = await start({ landing: {} });
    assertFailed(await other.up(), new RegExp(`Another campaign of this name is live: ${landing} \\(ENABLED`));
    assertDone(await other.destroy());
    assert.deepEqual([newWrites(), held("landing"), await other.stored()], [[], [`${landing} ENABLED`], []]);
  });
});
