import assert from "node:assert/strict";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { type Bench, leftBy, startBench } from "../support/deployment";
import { asStored, campaign, declared, held, quarantine, refusal, requests } from "../support/campaigns";

/* What the service may do but has not been seen to do. It must not cost money twice, or lose track of a campaign. */

describe("AdCampaign, with an unusual service,", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const answers = (operation: "campaign.launch" | "campaign.list", body: unknown, commit = true): void => {
    bench.simulator.fault({ operation, commit, then: { status: 200, body } });
  };

  it("shows no drift when the service rewrites declared values, and shows any other value as drift", async () => {
    bench.simulator.fault({ operation: "campaign.list", then: "pass" });
    answers("campaign.launch", {
      campaign: { id: "cmp_1", ...asStored, status: "ENABLED", landing_page: "https://shop.example.com/?utm=1" },
    });
    bench.simulator.fault({
      operation: "campaign.list",
      then: {
        status: 200,
        body: [{ id: "cmp_1", ...asStored, status: "ENABLED", landing_page: "https://shop.example.com/?utm=1" }],
      },
    });
    const state = await campaign.create(declared, bench);
    assert.equal(state.landingPage, declared.landingPage);
    assert.match(bench.said.join("\n"), /stores other values of campaign cmp_1 than were sent: landingPage\./);
    bench.simulator.clearFaults();
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { landing_page: "https://shop.example.com/?utm=1" });
    assert.equal((await campaign.read(state, bench.later()))?.landingPage, declared.landingPage);
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { landing_page: "https://other.example.com/" });
    assert.equal((await campaign.read(state, bench.later()))?.landingPage, "https://other.example.com/");
  });

  it("says which budget the service stores instead, and only the names of other values", async () => {
    bench.simulator.fault({ operation: "campaign.list", then: "pass" });
    const row = {
      id: "cmp_1",
      ...asStored,
      daily_budget_micros: 6_000_000,
      landing_page: "https://other.example.com/",
    };
    answers("campaign.list", [{ ...row, status: "ENABLED" }]);
    await campaign.create(declared, bench);
    assert.match(
      bench.said.join("\n"),
      /values of campaign cmp_1 than were sent: dailyBudgetMicros USD 6\.00, landingPage\.$/m,
    );
  });

  for (const [what, odd] of Object.entries({
    "a budget as a string": { daily_budget_micros: "5000000" },
    "no name": { campaign_name: null },
    "a numeric location": { geo_targets: [2840] },
    "an unknown status": { status: 7 },
  }))
    it(`keeps the id when a launch returns ${what}`, async () => {
      answers("campaign.launch", { campaign: { id: "cmp_1", ...asStored, ...odd } });
      const state = await campaign.create(declared, bench);
      assert.deepEqual([state.campaignId, state.launchState], ["cmp_1", "confirmed"]);
    });

  for (const more of [
    { hasMore: true },
    { next_page_token: "t" },
    { next: "https://api.example.com/2" },
    { total_count: 9 },
    { pages: 3 },
    { truncated: true },
  ])
    it(`launches nothing when ${Object.keys(more).join()} says that the list continues`, async () => {
      answers("campaign.list", { campaigns: [], ...more });
      assert.match(await refusal(campaign.create(declared, bench)), /^This command did not launch.*there is more/s);
      assert.deepEqual(held(bench), []);
    });

  it("launches nothing when a campaign is listed twice, because another one may be missing", async () => {
    const row = { id: "theirs", ...asStored };
    answers("campaign.list", [
      { ...row, status: "REMOVED" },
      { ...row, status: "ENABLED" },
    ]);
    assert.match(await refusal(campaign.create(declared, bench)), /the list shows the same object twice/);
    assert.deepEqual(held(bench), []);
  });

  it("treats a 405 response to a launch as uncertain, as the contract says", async () => {
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 405 } });
    const { state, message } = await leftBy(campaign.create(declared, bench));
    assert.equal(state.launchState, "unconfirmed");
    assert.match(message, /405\.\n.*\n {2}It may or may not have been carried out\./);
  });

  it("sends a declared pause even when the service pauses the launch until tracking is installed", async () => {
    await bench.close();
    bench = await startBench({}, { tracking: "pending" });
    const state = await campaign.create({ ...declared, paused: true }, bench);
    assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list", "pause"]);
    bench.simulator.advertising.trackingVerified("app-1");
    assert.deepEqual(held(bench), [`${String(state.campaignId)} PAUSED`]);
  });

  it("is destroyed by pausing even when the service refuses to pause a paused campaign", async () => {
    const state = await campaign.create({ ...declared, deletionPolicy: "pause" }, bench);
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "PAUSED" });
    bench.simulator.fault({ operation: "campaign.pause", times: "always", then: { status: 400 } });
    await campaign.delete(state, bench.later());
    assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
  });
});

describe("AdCampaign, between two commands", () => {
  let bench: Bench;
  let other: Bench;
  beforeEach(async () => {
    [bench, other] = await Promise.all([startBench(), startBench()]);
  });
  afterEach(async () => {
    await Promise.all([bench.close(), other.close()]);
  });

  it("does not mistake the paused predecessor of an unconfirmed launch for it", async () => {
    const first = { ...declared, businessName: "Shop", deletionPolicy: "pause" };
    const state = await campaign.create(first, bench);
    const next = bench.later();
    await campaign.delete(state, next);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const left = await leftBy(campaign.create({ ...first, businessName: "New shop" }, next));
    assert.deepEqual(left.state.setAside, ["cmp_1"]);
    const later = bench.later();
    const again = await leftBy(campaign.update(left.state, { ...first, businessName: "New shop" }, later));
    assert.equal(again.state.launchState, "unconfirmed");
    assert.deepEqual(again.state.setAside, ["cmp_1"]);
    bench.simulator.objects.putCampaign("app-1", { id: "late", ...asStored, status: "ENABLED" });
    const found = await campaign.update(again.state, { ...first, businessName: "New shop" }, later);
    assert.equal(found.campaignId, "late");
  });

  it("waits for the rate limit before it reads the list, however long that takes", async () => {
    const slow = bench.later({ rateLimits: `{"campaign.launch": 1}` });
    const names = ["One", "Two", "Three"];
    for (const campaignName of names) {
      await campaign.create({ ...declared, campaignName }, slow);
      assert.equal(requests(bench).join(), "list,readiness,launch,list");
    }
    const waits = slow.clock.sleeps.filter((wait) => wait > 50_000);
    assert.equal(waits.length, 2, "the wait for the rate limit comes before the list is read");
  });

  it("deletes, pauses and resumes nothing at another base URL", async () => {
    const state = await campaign.create(declared, bench);
    other.simulator.objects.putCampaign("app-1", { id: "cmp_1", campaign_name: "Somebody else's" });
    assert.match(await refusal(campaign.delete(state, other)), /at another base URL, so it was not deleted/);
    assert.match(
      (await leftBy(campaign.update({ ...state, paused: false }, { ...declared, paused: true }, other))).message,
      /at another base URL, so it was not paused/,
    );
    assert.deepEqual(requests(other), []);
  });

  it("reports a duplicate again until it is gone", async () => {
    bench.simulator.fault({ operation: "campaign.launch", then: "pass" });
    bench.simulator.fault({
      operation: "campaign.list",
      then: { status: 200, body: [] },
    });
    bench.simulator.objects.putCampaign("app-1", { id: "twin", ...asStored });
    const { state, message } = await leftBy(campaign.create(declared, bench));
    assert.match(message, /MONEY MAY BE MOVING TWICE.*twin/);
    assert.equal(adCampaignLifecycle.isUnfinished?.(state), true);
    assert.match((await leftBy(campaign.update(state, declared, bench.later()))).message, /TWICE.*twin/);
    assert.deepEqual((await campaign.read(state, bench.later()))?.twins, ["twin"], "a refresh does not forget it");
    bench.simulator.objects.changeCampaign("app-1", "twin", { status: "REMOVED" });
    bench.simulator.objects.putCampaign("app-1", { id: "later", ...asStored });
    assert.equal((await campaign.read(state, bench.later()))?.twins, undefined);
    const settled = await campaign.update(state, declared, bench.later());
    assert.equal(settled.twins, undefined, "later campaigns are not duplicates");
  });

  it("says that there is a duplicate in previews, at refresh and at destroy", async () => {
    const state = { ...(await campaign.create(declared, bench)), twins: ["twin"] };
    bench.simulator.objects.putCampaign("app-1", { id: "twin", ...asStored });
    const steps: Record<string, (next: Bench) => Promise<unknown>> = {
      preview: (next) => campaign.preview(state, declared, next),
      refresh: (next) => campaign.read(state, next),
      destroy: (next) => campaign.delete(state, next),
    };
    for (const [what, step] of Object.entries(steps)) {
      const next = bench.later();
      await step(next);
      assert.match(next.said.join("\n"), /^MONEY MAY BE MOVING TWICE: campaign cmp_1 .* twin of the same name/, what);
    }
  });

  it("shows as drift what was changed in the service before a duplicate was gone", async () => {
    const state = { ...(await campaign.create(declared, bench)), twins: ["twin"] };
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { daily_budget_micros: 50_000_000 });
    const settled = await campaign.update(state, declared, bench.later());
    assert.equal(settled.rewritten, undefined);
    assert.equal((await campaign.read(settled, bench.later()))?.dailyBudgetMicros, 50_000_000);
  });

  it("is paused as declared although it has a duplicate, which is reported after that", async () => {
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
    bench.simulator.objects.putCampaign("app-1", { id: "twin", ...asStored });
    const { state } = await leftBy(campaign.create({ ...declared, paused: true }, bench));
    assert.deepEqual(held(bench), ["twin ENABLED", "cmp_2 PAUSED"]);
    const resumed = await leftBy(campaign.update(state, { ...declared, paused: false }, bench.later()));
    assert.match(resumed.message, /TWICE.*twin/);
    assert.deepEqual([held(bench), resumed.state.paused], [["twin ENABLED", "cmp_2 ENABLED"], false]);
  });

  it("does not adopt a campaign that this command has just deleted, although a slow list still shows it", async () => {
    const state = await campaign.create(declared, bench);
    const next = bench.later();
    await campaign.delete(state, next);
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "ENABLED" });
    assert.match(await refusal(campaign.create({ ...declared, campaignId: "cmp_1" }, next)), /just deleted or paused/);
  });

  it("says after a refused relaunch that the earlier launch is still unconfirmed, and what destroy does", async () => {
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const { state } = await leftBy(campaign.create(declared, bench));
    const next = bench.later();
    assert.match(await refusal(campaign.delete(state, next)), /Run the same command after 2/);
    await next.clock.sleep(quarantine + 60_000);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
    assert.match(
      await refusal(campaign.update(state, declared, next)),
      /^This command did not launch.*attempted at 2026-01-01T00:00:00\.000Z is still unconfirmed/s,
    );
  });
});
