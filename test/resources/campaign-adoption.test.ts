import { argumentsIn } from "../../provider/resources/shared/lifecycle";
import assert from "node:assert/strict";
import { putLaunch } from "../support/launches";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { asStored, campaign, declared, held, refusal, requests, intend } from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";

describe("AdCampaign, adopting", () => {
  let bench: Bench;
  const adopting = { ...declared, campaignId: "theirs" };
  beforeEach(async () => {
    bench = await startBench();
    bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs" });
  });
  afterEach(() => bench.close());

  const change = (fields: object) => bench.simulator.objects.changeCampaign("app-1", "theirs", fields);

  it("reads the list and sends no change", async () => {
    const state = await campaign.create(adopting, bench);
    assert.deepEqual(requests(bench), ["list"]);
    const theirs = bench.simulator.objects.campaign("app-1", "theirs");
    assert.deepEqual(state, {
      ...adopting,
      platformCampaignId: theirs?.platform_campaign_id,
      createdDate: theirs?.created_date,
      launchState: "confirmed",
      launchedName: "Spring sale",
      origin: "adopted",
      readBy: state.readBy,
    });
    assert.ok(bench.service.endpoints.isEvidence("campaign.list", state.readBy));
    assert.deepEqual(await campaign.read(state, bench.later()), state);
    assert.deepEqual(JSON.parse(JSON.stringify(argumentsIn(adCampaignLifecycle, state))), adopting);
  });

  it("continues when the engine repeats the create, after a pause that was not confirmed", async () => {
    change({ status: "PAUSED" });
    bench.simulator.fault({ operation: "campaign.pause", times: "always", then: { status: 500 } });
    await leftBy(campaign.create({ ...adopting, paused: true }, bench));
    bench.simulator.clearFaults();
    assert.equal((await campaign.create({ ...adopting, paused: true }, bench)).campaignId, "theirs");
  });

  it("is retained on destroy with a message, unless the policy says otherwise", async () => {
    const state = await campaign.create(adopting, bench);
    await campaign.delete(state, bench.later());
    assert.deepEqual(held(bench), ["theirs ENABLED"]);
    const retaining = bench.later();
    await campaign.delete(state, retaining);
    assert.match(retaining.said.join(), /The campaign theirs of app app-1 is retained: it goes on spending/);
    await campaign.delete({ ...state, deletionPolicy: "pause" }, bench.later());
    assert.deepEqual(held(bench), ["theirs PAUSED"]);
    await campaign.delete({ ...state, deletionPolicy: "delete" }, bench.later());
    assert.deepEqual(held(bench), ["theirs REMOVED"]);
  });

  it("is refused when its values differ, with their names, because it cannot be changed in place", async () => {
    change({ campaign_name: "Other", daily_budget_micros: 1, geo_targets: ["x"], phone_number: "1" });
    const why = await refusal(campaign.create({ ...adopting, geoTargets: ["y"], phoneNumber: "2" }, bench));
    assert.match(
      why,
      /^The campaign theirs of app app-1 was not adopted: it differs in campaignName, dailyBudgetMicros, geoTargets, phoneNumber from what is declared\. Nothing was changed\. \[WA1302\]\n/,
    );
    assert.match(
      why,
      /\n {2}- Declare its own values, because .*: campaignName: "Other", dailyBudgetMicros: 1, geoTargets: \["x"\], phoneNumber: \(hidden\)\.$/,
    );
    assert.deepEqual(requests(bench), ["list"]);
  });

  it("ignores values that the program does not declare or the list does not show", async () => {
    change({ geo_targets: ["x"], phone_number: "1" });
    await campaign.create(adopting, bench);
    const row = { id: "theirs", campaign_name: "Spring sale", status: "ENABLED" };
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [row] } });
    const bare = await campaign.create({ ...adopting, geoTargets: ["y"], phoneNumber: "2" }, bench.later());
    assert.deepEqual([bare.dailyBudgetMicros, bare.geoTargets], [5_000_000, ["y"]]);
  });

  it("is refused when the campaign was removed", async () => {
    change({ status: "REMOVED" });
    assert.match(
      await refusal(campaign.create(adopting, bench)),
      /^Campaign theirs of app app-1 was not adopted: it was removed, which is permanent\. \[WA1301\]\n {2}- Leave campaignId out only to launch another campaign\.$/,
    );
  });

  it("is refused when the campaign is not in the list", async () => {
    assert.match(
      await refusal(campaign.create({ ...adopting, campaignId: "nobody's" }, bench)),
      /^Campaign nobody's of app app-1 was not adopted: it is not in the list/,
    );
    assert.match(await refusal(campaign.create({ ...adopting, appId: "app-2" }, bench)), /is not in the list/);
  });

  it("names the service's id when the ad platform's id was given", async () => {
    const platformId = bench.simulator.objects.campaign("app-1", "theirs")?.platform_campaign_id;
    assert.equal(
      await refusal(campaign.create({ ...adopting, campaignId: platformId }, bench)),
      `${String(platformId)} is the ad platform's id of a campaign, so nothing was adopted. [WA1301]\n  - Declare campaignId "theirs" instead.`,
    );
  });

  it("is refused when the list cannot be read, with how to set its path", async () => {
    bench.simulator.fault({ operation: "campaign.list", then: { status: 404 } });
    assert.match(
      await refusal(campaign.create(adopting, bench)),
      /^The campaign theirs of app app-1 was not adopted\. \[WA1223\]\n.*could not be read:\n {2}campaign\.list failed: .*404.*set it in workspace-apps:endpoints/s,
    );
  });

  it("is refused for a second resource of the deployment, and for one that would find it by its name", async () => {
    await campaign.create(adopting, bench);
    const why = /^The campaign theirs of app app-1 is already managed by another resource of this deployment/;
    assert.match(await refusal(campaign.create(adopting, bench)), why);
    assert.match(
      await refusal(campaign.create(declared, bench)),
      /Another campaign of this name is live: theirs \(ENABLED, "Spring sale"\)\. It has another key/,
    );
    assert.equal(bench.simulator.objects.launches().length, 0);
  });

  for (const [status, paused] of [
    ["ENABLED", true],
    ["PAUSED", false],
    ["LEARNING", false],
  ] as const)
    it(`neither pauses nor resumes: paused ${String(paused)} is a difference where the status is ${status}`, async () => {
      change({ status });
      assert.equal(
        await refusal(campaign.create({ ...adopting, paused }, bench)),
        `The campaign theirs of app app-1 was not adopted: it differs in paused from what is declared. Nothing was changed. [WA1302]\n  Its status is ${status}.\n  - Leave paused out until the campaign is adopted, then declare it.`,
      );
      assert.deepEqual([requests(bench), held(bench)], [["list"], [`theirs ${status}`]]);
    });

  for (const [status, paused] of [
    ["ENABLED", false],
    ["PAUSED", true],
  ] as const)
    it(`takes a campaign that is ${status} where paused is ${String(paused)}`, async () => {
      change({ status });
      assert.equal((await campaign.create({ ...adopting, paused }, bench)).paused, paused);
      // Nobody knows whose pause the list shows.
      assert.deepEqual(requests(bench), paused ? ["list", "pause"] : ["list"]);
    });

  it("compares the name without the ending of a launch, and tells the whole name as launchedName", async () => {
    change({ campaign_name: "Spring sale-1f0c9a23b7c4" });
    const state = await campaign.create(adopting, bench);
    assert.deepEqual([state.campaignName, state.launchedName], ["Spring sale", "Spring sale-1f0c9a23b7c4"]);
    assert.deepEqual(await campaign.read(state, bench.later()), state);
    change({ campaign_name: "Autumn sale-1f0c9a23b7c4" });
    assert.match(await refusal(campaign.create(adopting, bench.later())), /differs in campaignName .*"Autumn sale"/s);
  });

  it("leaves the campaign to the resource that had it when adoption fails", async () => {
    bench.ledger.reclaim("campaign theirs of app app-1", "lease");
    await refusal(campaign.create({ ...adopting, campaignType: "OTHER" }, bench));
    assert.equal(bench.ledger.isOthers("campaign theirs of app app-1", "lease"), false);
    await campaign.create(adopting, bench);
    assert.equal(bench.ledger.isOthers("campaign theirs of app app-1", "lease"), true);
  });

  it("leaves the campaign to nobody when adoption fails and nobody had it", async () => {
    await refusal(campaign.create({ ...adopting, campaignType: "OTHER" }, bench));
    assert.equal(bench.ledger.isManaged("campaign theirs of app app-1"), false);
  });

  it("is refused for a campaign that the intent of another resource would delete", async () => {
    const autumn = { ...declared, campaignName: "Autumn sale" };
    const intent = await intend(autumn, bench);
    const spring = await campaign.create(autumn, bench, intent);
    const duplicate = putLaunch(bench, intent, autumn);
    const up = bench.later();
    await intend(autumn, up, intent);
    await campaign.preview(spring, { ...autumn, launchIntent: intent.key }, up);
    const why = await refusal(campaign.create({ ...autumn, campaignId: duplicate.id }, up));
    assert.match(why, /was not adopted: its name has the key of the LaunchIntent .*\n {2}- To keep this campaign/s);
    // The resource of the intent itself may.
    const removed = bench.later();
    assert.equal((await campaign.create({ ...autumn, campaignId: duplicate.id }, removed)).origin, "adopted");
  });
});
