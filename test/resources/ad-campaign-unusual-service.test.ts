import assert from "node:assert/strict";
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

  /** What the list shows after the launch. */
  const rewritten = { id: "cmp_1", ...asStored, status: "ENABLED" };

  it("says which values the service stores instead, and a refresh shows them", async () => {
    bench.simulator.fault({ operation: "campaign.list", then: "pass" });
    answers("campaign.list", [
      { ...rewritten, daily_budget_micros: 6_000_000, landing_page: "https://x.example.com/" },
    ]);
    const state = await campaign.create(declared, bench);
    assert.match(
      bench.said.join("\n"),
      /stores other values of campaign cmp_1 than were sent: dailyBudgetMicros, landingPage\. `pulumi refresh` shows them/,
    );
    assert.deepEqual([state.dailyBudgetMicros, state.landingPage], [declared.dailyBudgetMicros, declared.landingPage]);
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { daily_budget_micros: 6_000_000 });
    assert.equal((await campaign.read(state, bench.later()))?.dailyBudgetMicros, 6_000_000);
  });

  it("does not call a campaign its own namesake when the service drops the ending of its name", async () => {
    bench.simulator.fault({ operation: "campaign.list", then: "pass" });
    answers("campaign.list", [rewritten]);
    const state = await campaign.create(declared, bench);
    assert.doesNotMatch(bench.said.join("\n"), /TWICE/);
    assert.equal(state.launchedName, "Spring sale");
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
      assert.match(
        await refusal(campaign.create(declared, bench)),
        /^Nothing was launched for app app-1\..*there is more/s,
      );
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

  it("does not adopt a campaign that this command has just deleted, although a slow list still shows it", async () => {
    const state = await campaign.create(declared, bench);
    const next = bench.later();
    await campaign.delete(state, next);
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "ENABLED" });
    assert.match(await refusal(campaign.create({ ...declared, campaignId: "cmp_1" }, next)), /just deleted or paused/);
  });

  it("says after a refused relaunch why it was refused, and what destroy does with the earlier launch", async () => {
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const { state } = await leftBy(campaign.create(declared, bench));
    const next = bench.later();
    assert.match(await refusal(campaign.delete(state, next)), /Run the same command after 2/);
    await next.clock.sleep(quarantine + 60_000);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
    assert.match(
      (await leftBy(campaign.update(state, declared, next))).message,
      /^MONEY MAY BE MOVING: .*campaign\.launch failed: the service answered 400/s,
    );
    await campaign.delete(state, bench.later());
    assert.deepEqual(held(bench), []);
  });
});
