import assert from "node:assert/strict";
import { campaign, headings, judged, launched, linesOf, planOf, reviewed, step } from "./support";

describe("The spend in a review", () => {
  const inYen = { ...campaign, appId: "app-2", dailyBudgetMicros: 1_500_000_000 };
  const twoUnknown = planOf(
    step("create", "AdCampaign", "a", { after: campaign }),
    step("create", "AdCampaign", "b", { after: inYen }),
  );

  it("has no total when apps' currencies are unknown, and is checked against a limit as one currency", async () => {
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
        step("same", "AdCampaign", "euros", { before: launched, after: campaign }),
        step("update", "AdCampaign", "dollars", { before: inDollars, after: { ...campaign, paused: false } }),
        step("create", "AdCampaign", "new", { after: { ...campaign, campaignName: "New" } }),
      ),
    );
    assert.match(report, /\*\*Total EUR\*\* \| EUR 5\.00 \| EUR 5\.00 \| EUR 0\.00/);
    assert.match(report, /\*\*Total USD\*\* \| USD 5\.00 \| USD 5\.00 \| USD 0\.00/);
    assert.match(report, /\*\*Total \(currency not known\)\*\* \| 0\.00 \| 5\.00 \| \+5\.00/);
  });

  it("of an unchanged campaign does not fail a gate, even when its budget is hidden", async () => {
    const values = { ...launched, dailyBudgetMicros: "[secret]" };
    const plan = planOf(step("same", "AdCampaign", "spring", { before: values, after: values }));
    assert.match(reviewed(plan), /Nothing risky/);
    assert.equal((await judged(plan, "--fail-on", "any")).code, 0);
  });

  it("includes an unconfirmed launch although nothing changes, for example next to a target", async () => {
    const open = { ...launched, launchState: "unconfirmed" };
    const plan = planOf(step("same", "AdCampaign", "spring", { before: open, after: campaign }));
    const line = /its launch is not confirmed, and money may be moving: EUR 5\.00 a day\. This plan does not touch it/;
    assert.match(linesOf(reviewed(plan), "spring")[0] ?? "", line);
    assert.match(reviewed(plan), /\*\*Total\*\* \| EUR 0\.00 \| EUR 5\.00/);
    assert.equal((await judged(plan, "--fail-on", "launch")).code, 3);
    assert.equal((await judged(plan, "--max-daily-spend", "4")).code, 4);
  });

  it("excludes only a campaign whose pause by this package was confirmed", async () => {
    const same = (state: object): string =>
      planOf(step("same", "AdCampaign", "spring", { before: { ...launched, ...state }, after: campaign }));
    assert.match(reviewed(same({ pausedBy: "us", paused: true })), /Daily spend stays at EUR 0\.00\./);
    for (const pausedBy of [undefined, "service", "other", "unknown"])
      for (const paused of [undefined, false, true]) {
        const plan = same({ pausedBy, paused });
        assert.match(reviewed(plan), /Daily spend stays at EUR 5\.00\./, `${String(pausedBy)}, ${String(paused)}`);
        assert.equal((await judged(plan, "--max-daily-spend", "4")).code, 4);
      }
  });

  it("of a campaign that becomes or stays paused is nothing afterwards", async () => {
    const totals = async (before: object, after: object): Promise<string[]> => {
      const values = { before: { ...launched, ...before }, after: { ...campaign, ...after } };
      const { stdout } = await judged(planOf(step("update", "AdCampaign", "spring", values)), "--format", "json");
      const { spend } = JSON.parse(stdout) as { spend: { totals: Record<"before" | "after", { micros: string }>[] } };
      return spend.totals.flatMap((line) => [line.before.micros, line.after.micros]);
    };
    for (const pausedBy of [undefined, "service", "other", "unknown"])
      assert.deepEqual(await totals({ pausedBy }, { paused: true }), ["5000000", "0"]);
    assert.deepEqual(await totals({ pausedBy: "us" }, {}), ["0", "0"]);
    assert.deepEqual(await totals({ pausedBy: "us" }, { paused: false }), ["0", "5000000"]);
    assert.deepEqual(await totals({ pausedBy: "service" }, { paused: false }), ["5000000", "5000000"]);
    const launch = planOf(step("create", "AdCampaign", "spring", { after: { ...campaign, paused: true } }));
    assert.match(reviewed(launch), /is launched and then paused$/m);
    assert.equal((await judged(launch, "--max-daily-spend", "0", "--fail-on", "spend")).code, 0);
  });

  it("of a retained campaign goes on, also if the service holds it", () => {
    const retained = (pausedBy?: string): string =>
      reviewed(
        planOf(step("delete", "AdCampaign", "spring", { before: { ...launched, deletionPolicy: "retain", pausedBy } })),
      );
    assert.match(retained(), /goes on spending EUR 5\.00 a day, outside this stack/);
    assert.match(retained("us"), /stays paused, outside this stack/);
    const held = retained("service");
    assert.match(held, /spends EUR 5\.00 a day as soon as conversion tracking verifies, outside this stack/);
    assert.match(held, /\*\*Total\*\* \| EUR 5\.00 \| EUR 5\.00 \|/);
  });

  it("counts a campaign that is removed and retained towards the limit, beside a new one", async () => {
    const limited = (before: object, options = {}): ReturnType<typeof judged> => {
      const removed = step("delete", "AdCampaign", "spring", { before: { ...launched, ...before }, options });
      const added = step("create", "AdCampaign", "summer", { after: { ...campaign, campaignName: "Summer sale" } });
      return judged(planOf(removed, added), "--max-daily-spend", "9.99");
    };
    for (const [before, options] of [
      [{ deletionPolicy: "retain" }, {}],
      [{ deletionPolicy: "retain", pausedBy: "service" }, {}],
      [{ origin: "adopted" }, {}],
      [{ deletionPolicy: "delete" }, { retainOnDelete: true }],
    ] as const) {
      const { code, stderr } = await limited(before, options);
      assert.equal(code, 4, JSON.stringify([before, options]));
      assert.match(stderr, /EUR 10\.00 a day is above EUR 9\.99/);
    }
    for (const before of [
      { deletionPolicy: "delete" },
      { deletionPolicy: "pause" },
      { deletionPolicy: "retain", pausedBy: "us" },
    ])
      assert.equal((await limited(before)).code, 0, JSON.stringify(before));
  });

  it("of many apps leaves room for permanent deletions, and shows changed apps first", () => {
    const steps = Array.from({ length: 1_500 }, (_, number) => {
      const app = { appId: `app-${String(number).padStart(4, "0")}` };
      return step("same", "AdCampaign", `c-${String(number)}`, {
        before: { ...launched, ...app },
        after: { ...campaign, ...app },
      });
    });
    const report = reviewed(planOf(...steps, step("delete", "AdCampaign", "last", { before: launched })));
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
    const plan = planOf(
      step("create", "EntityRecord", "row", { after: { appId: "a", entityName: "E", fields: "DEEP" } }),
    ).replace('"DEEP"', deep);
    assert.deepEqual(headings(reviewed(plan)), [
      "Records written (the app's automations may run)",
      "Depends on an assumed path",
    ]);
  });

  it("says that a missing id is unknown", () => {
    const plan = planOf(step("delete", "Webhook", "hook", { before: { agentId: "a" } }));
    assert.match(linesOf(reviewed(plan), "hook")[0] ?? "", /^webhook \(not known yet\) of agent `a` is deleted/);
  });

  it("accepts each category only once, and a limit for each currency only once", async () => {
    const plan = planOf(step("delete", "AdCampaign", "spring", { before: launched }));
    const { stderr } = await judged(plan, "--fail-on", "permanent-delete", "--fail-on", "any,permanent-delete");
    assert.match(stderr, /--fail-on: the plan has permanent-delete\.\n/);
    for (const limit of ["EUR=50=1", "EUR=3,EUR=900"])
      assert.equal((await judged(plan, "--max-daily-spend", limit)).code, 2);
  });
});
