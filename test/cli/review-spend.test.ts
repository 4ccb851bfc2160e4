import assert from "node:assert/strict";
import {
  campaign,
  created,
  deleted,
  headings,
  judged,
  launched,
  linesAbout,
  linesOf,
  planOf,
  reviewed,
  step,
  unchanged,
  updated,
} from "./support";

const same = (state: object): string => planOf(unchanged("AdCampaign", "spring", { ...launched, ...state }, campaign));

describe("The spend in a review", () => {
  it("has no total when apps' currencies are unknown, and is checked against a limit as one currency", async () => {
    const inYen = { ...campaign, appId: "app-2", dailyBudgetMicros: 1_500_000_000 };
    const twoUnknown = planOf(created("AdCampaign", "a", campaign), created("AdCampaign", "b", inYen));
    const report = reviewed(twoUnknown);
    assert.doesNotMatch(report, /Total|1,505/);
    assert.match(report, /\| `app-1` \| 0\.00 \| 5\.00 \|/);
    assert.match(report, /\| `app-2` \| 0\.00 \| 1,500\.00 \|/);
    const { code, stderr } = await judged(twoUnknown, "--max-daily-spend", "1502");
    assert.equal(code, 4);
    assert.match(stderr, /1,505\.00 a day is above 1,502\.00 \(unknown currencies counted as one\)/);
  });

  it("stays in the currency of its campaign when an app has several currencies", () => {
    const inDollars = { ...launched, campaignId: "cmp_2", accountCurrencyCode: "USD" };
    const report = reviewed(
      planOf(
        unchanged("AdCampaign", "euros", launched, campaign),
        updated("AdCampaign", "dollars", inDollars, { ...campaign, paused: false }),
        created("AdCampaign", "new", { ...campaign, campaignName: "New" }),
      ),
    );
    assert.match(report, /\*\*Total EUR\*\* \| EUR 5\.00 \| EUR 5\.00 \| EUR 0\.00/);
    assert.match(report, /\*\*Total USD\*\* \| USD 5\.00 \| USD 5\.00 \| USD 0\.00/);
    assert.match(report, /\*\*Total \(currency not known\)\*\* \| 0\.00 \| 5\.00 \| \+5\.00/);
  });

  it("of an unchanged campaign does not fail a gate, even when its budget is hidden", async () => {
    const values = { ...launched, dailyBudgetMicros: "[secret]" };
    const plan = planOf(unchanged("AdCampaign", "spring", values, values));
    assert.match(reviewed(plan), /Nothing risky/);
    assert.equal((await judged(plan, "--fail-on", "any")).code, 0);
  });

  it("includes an unconfirmed launch although nothing changes, for example next to a target", async () => {
    const plan = same({ launchState: "unconfirmed" });
    const line = /its launch is not confirmed, and money may be moving: EUR 5\.00 a day\. This plan does not touch it/;
    assert.match(linesOf(reviewed(plan), "spring")[0] ?? "", line);
    assert.match(reviewed(plan), /\*\*Total\*\* \| EUR 0\.00 \| EUR 5\.00/);
    assert.equal((await judged(plan, "--fail-on", "launch")).code, 3);
    assert.equal((await judged(plan, "--max-daily-spend", "4")).code, 4);
  });

  it("excludes only a campaign whose pause by this package was confirmed", async () => {
    assert.match(reviewed(same({ pausedBy: "us", paused: true })), /Daily spend stays at EUR 0\.00\./);
    for (const pausedBy of [undefined, "service", "other", "unknown"])
      for (const paused of [undefined, false, true]) {
        const plan = same({ pausedBy, paused });
        assert.match(reviewed(plan), /Daily spend stays at EUR 5\.00\./, `${String(pausedBy)}, ${String(paused)}`);
        assert.equal((await judged(plan, "--max-daily-spend", "4")).code, 4);
      }
  });

  it("of a campaign that becomes or stays paused is nothing afterwards", async () => {
    const becomesPaused = [undefined, "service", "other", "unknown"].map(
      (pausedBy) => [{ pausedBy }, { paused: true }, ["5000000", "0"]] as const,
    );
    for (const [before, after, totals] of [
      ...becomesPaused,
      [{ pausedBy: "us" }, {}, ["0", "0"]],
      [{ pausedBy: "us" }, { paused: false }, ["0", "5000000"]],
      [{ pausedBy: "service" }, { paused: false }, ["5000000", "5000000"]],
    ] as const) {
      const plan = planOf(updated("AdCampaign", "spring", { ...launched, ...before }, { ...campaign, ...after }));
      const { spend } = JSON.parse((await judged(plan, "--format", "json")).stdout) as {
        spend: { totals: Record<"before" | "after", { micros: string }>[] };
      };
      assert.deepEqual(
        spend.totals.flatMap((line) => [line.before.micros, line.after.micros]),
        totals,
      );
    }
    const launch = planOf(created("AdCampaign", "spring", { ...campaign, paused: true }));
    assert.match(reviewed(launch), /is launched and then paused$/m);
    assert.equal((await judged(launch, "--max-daily-spend", "0", "--fail-on", "spend")).code, 0);
  });

  it("of a retained campaign goes on, even if the service holds it", () => {
    const retained = (pausedBy?: string): string =>
      reviewed(planOf(deleted("AdCampaign", "spring", { ...launched, deletionPolicy: "retain", pausedBy })));
    assert.match(retained(), /goes on spending EUR 5\.00 a day, outside this stack/);
    assert.match(retained("us"), /stays paused, outside this stack/);
    const held = retained("service");
    assert.match(held, /spends EUR 5\.00 a day as soon as conversion tracking verifies, outside this stack/);
    assert.match(held, /\*\*Total\*\* \| EUR 5\.00 \| EUR 5\.00 \|/);
  });

  it("counts a campaign that is removed and retained towards the limit, beside a new one", async () => {
    for (const [before, options, code] of [
      [{ deletionPolicy: "retain" }, {}, 4],
      [{ deletionPolicy: "retain", pausedBy: "service" }, {}, 4],
      [{ origin: "adopted" }, {}, 4],
      [{ deletionPolicy: "delete" }, { retainOnDelete: true }, 4],
      [{ deletionPolicy: "delete" }, {}, 0],
      [{ deletionPolicy: "pause" }, {}, 0],
      [{ deletionPolicy: "retain", pausedBy: "us" }, {}, 0],
    ] as const) {
      const removed = deleted("AdCampaign", "spring", { ...launched, ...before }, options);
      const added = created("AdCampaign", "summer", { ...campaign, campaignName: "Summer sale" });
      const limited = await judged(planOf(removed, added), "--max-daily-spend", "9.99");
      assert.equal(limited.code, code, JSON.stringify([before, options]));
      if (code === 4) assert.match(limited.stderr, /EUR 10\.00 a day is above EUR 9\.99/);
    }
  });

  it("of many apps leaves room for permanent deletions, and shows changed apps first", () => {
    const steps = Array.from({ length: 1_500 }, (_, number) => {
      const app = { appId: `app-${String(number).padStart(4, "0")}` };
      return unchanged("AdCampaign", `c-${String(number)}`, { ...launched, ...app }, { ...campaign, ...app });
    });
    const report = reviewed(planOf(...steps, deleted("AdCampaign", "last", launched)));
    assert.match(linesOf(report, "last")[0] ?? "", /is deleted permanently/);
    assert.match(report, /\*\*Total\*\* .*\n\| `app-1` \| EUR 5\.00 \| EUR 0\.00 \|/);
    assert.match(report, /1471 more apps are not shown/);
  });
});

describe("A review of unusual plans", () => {
  it("is incomplete when a step has the name of something else", () => {
    for (const op of ["constructor", "__proto__"])
      assert.match(reviewed(planOf(step(op, "Webhook", "h", { after: {} }))), /this version does not support/);
  });

  it("handles values of any depth", () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const plan = planOf(created("EntityRecord", "row", { appId: "a", entityName: "E", fields: "DEEP" }));
    assert.deepEqual(headings(reviewed(plan.replace('"DEEP"', deep))), [
      "Records written (the app's automations may run)",
      "Depends on an assumed path",
    ]);
  });

  it("says that a missing id is unknown", () => {
    const [line = ""] = linesAbout("hook", deleted("Webhook", "hook", { agentId: "a" }));
    assert.match(line, /^webhook \(not known yet\) of agent `a` is deleted/);
  });

  it("accepts each category only once, and a limit for each currency only once", async () => {
    const plan = planOf(deleted("AdCampaign", "spring", launched));
    const { stderr } = await judged(plan, "--fail-on", "permanent-delete", "--fail-on", "any,permanent-delete");
    assert.match(stderr, /--fail-on: the plan has permanent-delete\. \[WA2013\]\n/);
    for (const limit of ["EUR=50=1", "EUR=3,EUR=900"])
      assert.equal((await judged(plan, "--max-daily-spend", limit)).code, 2);
  });
});
