import assert from "node:assert/strict";
import { afterKill, asStored, campaign, declared, held, refusal, requests } from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";

/** Each campaign of these tests has 5.00 a day. */
const limit = { maxAppDailyBudgetMicros: "10000000" };
const second = { ...declared, campaignName: "Summer sale" };
const third = { ...declared, campaignName: "Autumn sale" };

describe("AdCampaign, the limit of an app", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench(limit);
  });
  afterEach(() => bench.close());

  const launches = (): number => bench.simulator.objects.launches().length;
  const runs = (fields: object = {}) =>
    bench.simulator.objects.putCampaign("app-1", { ...asStored, campaign_name: "Theirs", ...fields });
  const lists = (...rows: object[]): void => {
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 200, body: rows } });
  };

  describe("before a launch", () => {
    it("lets campaigns run up to the limit, and refuses the one above it with the sum and the others", async () => {
      const { id } = runs();
      await campaign.create(declared, bench);
      bench.said.length = 0;
      requests(bench);
      const why = await refusal(campaign.create(second, bench));
      assert.equal(
        why,
        [
          'This command did not launch campaign "Summer sale" (app-1, 5.00 a day).',
          "  With it, the running campaigns of app app-1 could spend 15.00 a day, above the limit of 10.00 that workspace-apps:maxAppDailyBudgetMicros (or WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS) sets.",
          `  Its own budget is 5.00 a day. These run already: ${id} (5.00), cmp_2 (5.00).`,
          "  - Lower the budget, pause or delete one of the others, or raise the limit.",
        ].join("\n"),
      );
      assert.deepEqual([requests(bench), bench.said, launches()], [["list", "list"], [], 1]);
    });

    it("refuses a campaign that is above the limit alone", async () => {
      assert.match(
        await refusal(campaign.create({ ...declared, dailyBudgetMicros: 10_000_001 }, bench)),
        /could spend 10\.000001 a day, above the limit of 10\.00 .*\n.*No other campaign runs\.\n/,
      );
    });

    it("counts neither paused and removed campaigns nor those of other apps", async () => {
      for (const status of ["PAUSED", "paused", "REMOVED"]) runs({ status, daily_budget_micros: 9_000_000 });
      bench.simulator.objects.putCampaign("app-2", { ...asStored, daily_budget_micros: 9_000_000 });
      await campaign.create(declared, bench);
      assert.equal(launches(), 1);
    });

    it("counts a campaign whose status says neither", async () => {
      runs({ status: "LIMITED", daily_budget_micros: 6_000_000 });
      assert.match(await refusal(campaign.create(declared, bench)), /could spend 11\.00 a day/);
    });

    it("refuses while a running campaign has a budget that the list does not show", async () => {
      const { daily_budget_micros: _, ...hidden } = { ...asStored, id: "odd", campaign_name: "Odd", status: "ENABLED" };
      lists(hidden);
      const why = await refusal(campaign.create(declared, bench));
      assert.match(why, /\n {2}What the campaigns of app app-1 spend in all is not known, and workspace-apps:maxApp/);
      assert.match(why, /\n {2}The list does not show the daily budget of odd\.\n {2}- Pause or delete/);
      assert.equal(launches(), 0);
      bench.simulator.clearFaults();
      lists({ ...hidden, status: "PAUSED" });
      await campaign.create(declared, bench);
      assert.equal(launches(), 1);
    });

    it("refuses when the list cannot be read", async () => {
      bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
      bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
      assert.match(
        await refusal(campaign.create(declared, bench)),
        /is not known, and .* limits it\.\n.*campaign\.list failed/s,
      );
      assert.equal(launches(), 0);
    });

    it("lets a replacement take the place of the campaign that it ended, although a slow list still shows it", async () => {
      const state = await campaign.create(declared, bench);
      const tight = bench.later({ maxAppDailyBudgetMicros: "5000000" });
      const [row] = bench.simulator.objects.campaigns("app-1");
      await campaign.delete(state, tight);
      lists({ ...row });
      await campaign.create(second, tight);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
      await tight.service.close();
    });

    it("never lets campaigns that are launched at once pass it together", async () => {
      const all = await Promise.allSettled([declared, second, third].map((inputs) => campaign.create(inputs, bench)));
      assert.equal(all.filter(({ status }) => status === "fulfilled").length, 2);
      assert.equal(launches(), 2);
    });

    it("counts what this command launched, also while the list does not show it", async () => {
      lists();
      await campaign.create(declared, bench);
      await campaign.create(second, bench);
      assert.match(
        await refusal(campaign.create(third, bench)),
        /could spend 15\.00 a day.*These run already: "Spring sale" \(5\.00\), "Summer sale" \(5\.00\)\./s,
      );
      assert.equal(launches(), 2);
    });

    it("counts a launch whose outcome is uncertain, and not one that was refused", async () => {
      const tight = bench.later({ maxAppDailyBudgetMicros: "5000000" });
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
      await refusal(campaign.create(declared, tight));
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      await leftBy(campaign.create(second, tight));
      assert.match(await refusal(campaign.create(third, tight)), /These run already: "Summer sale" \(5\.00\)/);
      await tight.service.close();
    });

    it("does not count a campaign twice that the list shows by now, and not one that the service paused", async () => {
      await campaign.create(declared, bench);
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "PAUSED" });
      await campaign.create(second, bench);
      await campaign.create(third, bench);
      assert.equal(launches(), 3);
    });

    it("launches nothing beside a campaign that became live while this one waited for its turn", async () => {
      bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
      const { id } = runs({ campaign_name: declared.campaignName });
      assert.match(
        await refusal(campaign.create(declared, bench)),
        new RegExp(`${id} \\(ENABLED, not known to be launched by this`),
      );
      assert.equal(launches(), 0);
    });

    it("waits as told after a 429 without counting the launch twice", async () => {
      const tight = bench.later({ maxAppDailyBudgetMicros: "5000000" });
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 429 } });
      await campaign.create(declared, tight);
      assert.equal(launches(), 1);
      await tight.service.close();
    });
  });

  describe("before a resume", () => {
    const paused = { ...declared, paused: true };
    const resumed = { ...declared, paused: false };

    it("refuses what would be above it, as an ordinary error that leaves the campaign paused", async () => {
      const state = await campaign.create(paused, bench);
      const { id } = runs({ daily_budget_micros: 6_000_000 });
      requests(bench);
      const why = await refusal(campaign.update(state, resumed, bench));
      assert.match(
        why,
        new RegExp(`^With it, the running campaigns of app app-1 could spend 11\\.00 a day, .*${id} \\(6\\.00\\)`, "s"),
      );
      assert.deepEqual([requests(bench), held(bench)[0]], [["list"], "cmp_1 PAUSED"]);
    });

    it("keeps a new campaign in state that it does not resume", async () => {
      const inputs = { ...declared, paused: false };
      const next = await afterKill(bench, inputs);
      bench.simulator.objects.putCampaign("app-1", { ...asStored, status: "PAUSED" });
      runs({ daily_budget_micros: 6_000_000 });
      const { state, message } = await leftBy(campaign.create(inputs, next));
      assert.match(
        message,
        /^The campaign cmp_1 \(app-1, 5\.00 a day\) was not resumed, although the program declares it as running\.\n {2}With it, .* above the limit/,
      );
      assert.deepEqual([state.campaignId, state.paused, held(bench)[0]], ["cmp_1", true, "cmp_1 PAUSED"]);
    });

    it("resumes up to it, and counts the campaign itself once", async () => {
      const tight = bench.later({ maxAppDailyBudgetMicros: "5000000" });
      const state = await campaign.create(paused, tight);
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "ENABLED" });
      await campaign.update(state, resumed, tight);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
      await tight.service.close();
    });

    it("counts what this command resumed, also while the list shows it paused", async () => {
      const state = await campaign.create(paused, bench);
      const other = await campaign.create({ ...second, paused: true }, bench);
      const later = bench.later({ maxAppDailyBudgetMicros: "5000000" });
      lists(...bench.simulator.objects.campaigns("app-1"));
      await campaign.update(state, resumed, later);
      assert.match(
        await refusal(campaign.update(other, { ...second, paused: false }, later)),
        /These run already: "Spring sale" \(5\.00\)/,
      );
      await later.service.close();
    });

    it("counts what this command resumed once, when the list shows it running", async () => {
      const state = await campaign.create(paused, bench);
      const other = await campaign.create({ ...second, paused: true }, bench);
      const later = bench.later();
      await campaign.update(state, resumed, later);
      await campaign.update(other, { ...second, paused: false }, later);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 ENABLED"]);
      await later.service.close();
    });

    it("is not asked before a pause or a deletion", async () => {
      const tight = bench.later({ maxAppDailyBudgetMicros: "1" });
      const state = await campaign.create(declared, bench);
      requests(bench);
      await campaign.delete(await campaign.update(state, paused, tight), tight);
      assert.deepEqual(requests(bench), ["pause", "delete"]);
      await tight.service.close();
    });
  });

  it("costs one more read of the list for a launch, and none where it is not set", async () => {
    await campaign.create(declared, bench);
    assert.deepEqual(requests(bench), ["list", "readiness", "list", "launch", "list"]);
    const unlimited = await startBench();
    await campaign.create(declared, unlimited);
    assert.deepEqual(requests(unlimited), ["list", "readiness", "launch", "list"]);
    await unlimited.close();
  });
});
