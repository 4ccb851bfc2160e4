import assert from "node:assert/strict";
import { inspect } from "node:util";
import fc from "fast-check";
import * as apps from "../../provider";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { nameKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { putLaunch } from "../support/launches";
import type { SettingKey } from "../../provider/settings";
import type { SimulatorOptions } from "../../simulator";
import { asStored, declared, held, requests, campaign, intend } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";
import { failureOf, StackedCampaign } from "../support/stacked-campaign";

/** Each campaign of these tests has 5.00 a day. */
const limit = { maxAppDailyBudgetMicros: "10000000" };
const tight = { maxAppDailyBudgetMicros: "5000000" };
const second = { ...declared, campaignName: "Summer sale" };
const third = { ...declared, campaignName: "Autumn sale" };
const setting = "workspace-apps:maxAppDailyBudgetMicros (or WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS)";

describe("AdCampaign, the limit of an app", () => {
  let bench: Bench;
  let spring: StackedCampaign;
  let summer: StackedCampaign;
  let autumn: StackedCampaign;
  const all = (): StackedCampaign[] => [spring, summer, autumn];
  const start = async (options: SimulatorOptions = {}): Promise<void> => {
    bench = await startBench(limit, options);
    [spring, summer, autumn] = [
      new StackedCampaign(bench),
      new StackedCampaign(bench, "summer"),
      new StackedCampaign(bench, "autumn"),
    ];
  };
  beforeEach(() => start());
  afterEach(() => bench.close());

  const later = (settings: Partial<Record<SettingKey, string>> = {}): Bench => {
    const next = bench.later(settings);
    for (const stack of all()) stack.in(next);
    requests(bench);
    return next;
  };
  /** No list that was read so far is recent any more. */
  const longAfter = (): Promise<void> => bench.clock.sleep(60_000);
  const launches = (): number => bench.simulator.objects.launches().length;
  const runs = (fields: object = {}) =>
    bench.simulator.objects.putCampaign("app-1", { ...asStored, campaign_name: "Theirs", ...fields });
  const lists = (...rows: object[]): void => {
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 200, body: rows } });
  };

  describe("before a launch", () => {
    it("lets campaigns run up to the limit, and refuses the one above it with the sum and the others", async () => {
      const { id } = runs();
      await spring.up(declared);
      const command = later();
      assert.equal(
        await failureOf(summer.up(second)),
        [
          'No campaign was launched: campaign "Summer sale" (app-1, 5.00 a day). [WA1224]',
          `  With it, the campaigns of app app-1 could spend 15.00 a day, above the limit of 10.00 that ${setting} sets.`,
          `  Its own budget is 5.00 a day. These count already: ${id} (5.00), cmp_2 (5.00).`,
          "  A campaign that the service holds counts: the service enables it by itself.",
          "  - Lower the budget, delete one of the others, pause one that this stack manages, or raise the limit.",
        ].join("\n"),
      );
      assert.deepEqual([command.said.filter((line) => line.startsWith("Launching")), launches()], [[], 1]);
    });

    it("refuses a campaign that is above the limit alone", async () => {
      assert.match(
        await failureOf(spring.preview({ ...declared, dailyBudgetMicros: 10_000_001 })),
        /^brings the campaigns of app app-1 in this program to 10\.000001 a day, above the limit of 10\.00 that/,
      );
    });

    it("counts the campaigns that the service holds, so that three never run together", async () => {
      await bench.close();
      await start({ tracking: "pending" });
      await spring.up(declared);
      later();
      await summer.up(second);
      assert.deepEqual(held(bench), ["cmp_1 PAUSED", "cmp_2 PAUSED"]);
      later();
      assert.match(
        await failureOf(autumn.up(third)),
        /could spend 15\.00 a day.*: cmp_1 \(5\.00\), cmp_2 \(5\.00\)\./s,
      );
      bench.simulator.advertising.trackingVerified("app-1");
      assert.deepEqual([held(bench), launches()], [["cmp_1 ENABLED", "cmp_2 ENABLED"], 2]);
    });

    it("counts what somebody else paused, and neither removed campaigns nor those of other apps", async () => {
      runs({ status: "REMOVED", daily_budget_micros: 9_000_000 });
      bench.simulator.objects.putCampaign("app-2", { ...asStored, daily_budget_micros: 9_000_000 });
      await spring.up(declared);
      runs({ status: "PAUSED", daily_budget_micros: 1_000_000 });
      later();
      assert.match(await failureOf(summer.up(second)), /could spend 11\.00 a day/);
    });

    it("counts an adopted campaign that is listed as paused, until its pause is ours", async () => {
      runs({ id: "theirs", status: "PAUSED" });
      const adopting = { ...declared, campaignName: "Theirs", campaignId: "theirs" };
      await spring.up(adopting);
      later(tight);
      assert.match(await failureOf(summer.up(second)), /These count already: theirs \(5\.00\)/);
      later(tight);
      await spring.up({ ...adopting, paused: true });
      await summer.up(second);
      assert.equal(launches(), 1);
    });

    it("does not count a campaign whose pause by an earlier command was confirmed", async () => {
      await spring.up({ ...declared, paused: true });
      later(tight);
      assert.equal((await spring.up({ ...declared, paused: true })).did, "nothing");
      await summer.up(second);
      assert.deepEqual(held(bench), ["cmp_1 PAUSED", "cmp_2 ENABLED"]);
    });

    it("counts a campaign whose pause was not confirmed", async () => {
      bench.simulator.fault({ operation: "campaign.pause", times: "always", commit: true, then: "reset" });
      await failureOf(spring.up({ ...declared, paused: true }));
      assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
      later(tight);
      await failureOf(spring.up({ ...declared, paused: true }));
      assert.match(await failureOf(summer.up(second)), /These count already: cmp_1 \(5\.00\)/);
    });

    it("counts a campaign that was paused by us and is listed as running", async () => {
      await spring.up({ ...declared, paused: true });
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "ENABLED" });
      later(tight);
      await spring.preview({ ...declared, paused: true });
      assert.match(await failureOf(summer.up(second)), /These count already: cmp_1 \(5\.00\)/);
    });

    it("counts a campaign whose status says neither", async () => {
      runs({ status: "LIMITED", daily_budget_micros: 6_000_000 });
      assert.match(await failureOf(spring.up(declared)), /could spend 11\.00 a day/);
    });

    it("does not count a duplicate that it paused, nor name it again", async () => {
      const pausing = { ...declared, deletionPolicy: "pause" };
      const intent = await intend(pausing, bench);
      putLaunch(bench, intent, { dailyBudgetMicros: 9_000_000 });
      const state = await campaign.create(pausing, bench.later(), intent);
      assert.deepEqual(state.pausedDuplicates, ["cmp_1"]);
      const refresh = bench.later();
      assert.deepEqual([await campaign.read(state, refresh), refresh.said], [state, []]);
      const up = bench.later({ maxAppDailyBudgetMicros: "8000000" });
      await campaign.preview(state, { ...pausing, launchIntent: intent.key }, up);
      await campaign.create({ ...declared, campaignName: "Other", dailyBudgetMicros: 1_000_000 }, up);
    });

    it("refuses while a live campaign has a budget that the list does not show", async () => {
      const { daily_budget_micros: _, ...hidden } = { ...asStored, id: "odd", campaign_name: "Odd" };
      for (const status of ["ENABLED", "PAUSED"]) {
        lists({ ...hidden, status });
        assert.match(
          await failureOf(spring.up(declared)),
          /\n {2}Cannot check workspace-apps:maxApp.*: the total daily budget of app app-1 is unknown\.\n {2}The list does not show the daily budget of odd\.\n {2}- Delete/,
        );
        bench.simulator.clearFaults();
        later();
      }
      assert.equal(launches(), 0);
      lists({ ...hidden, status: "REMOVED" });
      await spring.up(declared);
      assert.equal(launches(), 1);
    });

    it("refuses when the list cannot be read", async () => {
      await spring.up({ ...declared, paused: true });
      later();
      bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
      assert.match(
        await failureOf(spring.up({ ...declared, paused: false })),
        /the total daily budget of app app-1 is unknown\.\n.*campaign\.list failed/s,
      );
      assert.match(await failureOf(summer.up(second)), /campaign\.list failed/);
      assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
    });

    it("lets a replacement take the place of the campaign that it replaces, although a slow list still shows it", async () => {
      await spring.up(declared);
      later(tight);
      const [row] = bench.simulator.objects.campaigns("app-1");
      lists({ ...row });
      await spring.up(second);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    });

    it("never lets campaigns that are launched at once pass it together", async () => {
      const programs = [declared, second, third];
      const results = await Promise.allSettled(
        all().map((stack, at) => {
          // Only the launches see each other, as if a preview had not known the budgets.
          const { mutex, service } = bench;
          return stack.in({ ...bench.later(), mutex, service }).up(programs[at] ?? declared);
        }),
      );
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 2);
      assert.equal(launches(), 2);
    });

    it("counts what this command launched, also while the list does not show it", async () => {
      lists();
      await spring.up(declared);
      const { id: theirs, ...fields } = { ...asStored, id: "theirs", campaign_name: "Theirs" };
      bench.simulator.clearFaults();
      lists({ ...fields, id: theirs, status: "ENABLED" });
      await longAfter();
      assert.match(
        await failureOf(summer.up(second)),
        /could spend 15\.00 a day.*These count already: theirs \(5\.00\), "Spring sale-[0-9a-f]{12}" \(5\.00\)\./s,
      );
      assert.equal(launches(), 1);
    });

    it("counts a launch whose outcome is uncertain, and not one that was refused", async () => {
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
      await failureOf(spring.up({ ...declared, dailyBudgetMicros: 1_000_000 }));
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      await failureOf(summer.up({ ...second, dailyBudgetMicros: 5_000_000 }));
      runs({ daily_budget_micros: 2_000_000 });
      await longAfter();
      assert.match(
        await failureOf(autumn.up({ ...third, dailyBudgetMicros: 4_000_000 })),
        /These count already: cmp_1 \(2\.00\), "Summer sale-[0-9a-f]{12}" \(5\.00\)\./,
      );
    });
  });

  describe("at preview", () => {
    it("refuses two new campaigns together, without a request", async () => {
      later({ maxAppDailyBudgetMicros: "7000000" });
      await spring.preview(declared);
      assert.equal(
        await failureOf(summer.preview(second)),
        `brings the campaigns of app app-1 in this program to 10.00 a day, above the limit of 7.00 that ${setting} sets [WA1224]`,
      );
      assert.deepEqual(requests(bench), []);
    });

    it("refuses a new campaign beside one in the state", async () => {
      await spring.up(declared);
      later({ maxAppDailyBudgetMicros: "7000000" });
      await spring.preview(declared);
      assert.match(await failureOf(summer.preview(second)), /in this program to 10\.00 a day/);
      assert.deepEqual(requests(bench), []);
    });

    it("refuses a higher budget, and does not count the old one", async () => {
      await spring.up(declared);
      await summer.up({ ...second, dailyBudgetMicros: 4_000_000 });
      later();
      await spring.preview(declared);
      assert.match(await failureOf(summer.preview({ ...second, dailyBudgetMicros: 6_000_000 })), /to 11\.00 a day/);
      assert.equal((await summer.preview({ ...second, dailyBudgetMicros: 5_000_000 })).did, "replace");
    });

    it("counts campaigns of each app by themselves", async () => {
      later(tight);
      await spring.preview(declared);
      await summer.preview({ ...second, appId: "app-2" });
    });

    it("counts a campaign once, however often it is checked, and where it moves", async () => {
      later(tight);
      await spring.preview(declared);
      await spring.preview({ ...declared, appId: "app-2" });
      await spring.preview(declared);
      await summer.preview({ ...second, appId: "app-2" });
    });

    it("does not count a campaign in the state that stays paused", async () => {
      await spring.up({ ...declared, paused: true });
      later(tight);
      await spring.preview({ ...declared, paused: true });
      await summer.preview(second);
    });

    it("does not stop a program that launches nothing", async () => {
      await spring.up(declared);
      await summer.up(second);
      later(tight);
      await spring.up(declared);
      await summer.up(second);
      assert.deepEqual(requests(bench), []);
    });

    for (const order of [
      ["new", "kept"],
      ["kept", "new"],
    ] as const)
      it(`refuses what is above it in whatever order the program has it: ${order.join(", ")}`, async () => {
        const command = later({ maxAppDailyBudgetMicros: "8000000" });
        const kept = { ...declared, campaignName: "Old", launchIntent: "0000001" };
        const olds = { ...kept, campaignId: "cmp_9", launchState: "confirmed" };
        const unknownKey = { launchIntent: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
        const host = dynamicProvider(adCampaignLifecycle, () => command);
        const named = (name: string) => ({ [placeKey]: `p/s/${name}`, [nameKey]: name });
        const checks = {
          new: () => host.check?.({}, { ...declared, ...unknownKey, ...named("new") }),
          kept: () => host.check?.(olds, { ...kept, ...named("kept") }),
        };
        const failures = [];
        for (const which of order) failures.push(...((await checks[which]())?.failures ?? []));
        assert.match(JSON.stringify(failures), /brings the campaigns of app app-1 in this program to 10\.00 a day/);
      });
  });

  describe("before a resume", () => {
    const paused = { ...declared, paused: true };
    const resumed = { ...declared, paused: false };

    it("refuses what would be above it, and leaves the campaign paused and in the state", async () => {
      await spring.up(paused);
      const { id } = runs({ daily_budget_micros: 6_000_000 });
      later();
      assert.match(
        await failureOf(spring.up(resumed)),
        new RegExp(
          `^The campaign cmp_1 .* was not resumed, .*\n {2}With it, the campaigns of app app-1 could spend 11\\.00 a day, .*${id} \\(6\\.00\\)`,
          "s",
        ),
      );
      assert.deepEqual([requests(bench), held(bench)[0]], [["list"], "cmp_1 PAUSED"]);
      bench.simulator.objects.changeCampaign("app-1", id, { status: "REMOVED" });
      later();
      await spring.up(resumed);
      assert.deepEqual([requests(bench), held(bench)[0]], [["list", "resume"], "cmp_1 ENABLED"]);
    });

    it("keeps a campaign in the state that is taken over under the policy pause, and not resumed", async () => {
      const pausing = { ...declared, deletionPolicy: "pause" };
      await spring.up(pausing);
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "PAUSED" });
      spring.loseState();
      runs({ daily_budget_micros: 6_000_000 });
      later();
      assert.match(await failureOf(spring.up(pausing)), /^The campaign cmp_1 .* was not resumed.*above the limit/s);
      assert.deepEqual([spring.state?.campaignId, held(bench)[0]], ["cmp_1", "cmp_1 PAUSED"]);
    });

    it("resumes up to it, and counts the campaign itself once", async () => {
      await spring.up(paused);
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "ENABLED" });
      later(tight);
      await spring.up(resumed);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    it("counts what this command resumed, also while the list shows it as paused", async () => {
      await spring.up(paused);
      await summer.up({ ...second, paused: true });
      later(tight);
      await spring.preview(paused);
      await summer.preview({ ...second, paused: true });
      lists(...bench.simulator.objects.campaigns("app-1"));
      await spring.up(resumed);
      assert.match(await failureOf(summer.up({ ...second, paused: false })), /These count already: cmp_1 \(5\.00\)/);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 PAUSED"]);
    });

    it("is not asked before a pause or a deletion", async () => {
      await spring.up(declared);
      later({ maxAppDailyBudgetMicros: "1" });
      await spring.up(paused);
      assert.deepEqual(requests(bench), ["pause"]);
      later({ maxAppDailyBudgetMicros: "1" });
      await spring.destroy();
      assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
    });
  });

  it("costs no request", async () => {
    await spring.up(declared);
    assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
    const unlimited = await startBench();
    await new StackedCampaign(unlimited).up(declared);
    assert.deepEqual(requests(unlimited), ["list", "readiness", "launch", "list"]);
    await unlimited.close();
  });
});

describe("apps.micros", () => {
  const converted: [amount: number | string, micros: number][] = [
    [25, 25_000_000],
    ["25", 25_000_000],
    ["25.00", 25_000_000],
    [12.34, 12_340_000],
    ["12.34", 12_340_000],
    ["0.5", 500_000],
    [0.5, 500_000],
    ["007", 7_000_000],
    [0.000001, 1],
    ["0.000001", 1],
    [0, 0],
    [-0, 0],
    // Multiplied by a million, these are not whole numbers.
    [1.1, 1_100_000],
    [4.35, 4_350_000],
    [64.1, 64_100_000],
    [1.005, 1_005_000],
    ["9007199254.740991", Number.MAX_SAFE_INTEGER],
  ];
  for (const [amount, micros] of converted)
    it(`converts the ${typeof amount} ${String(amount)} exactly`, () => {
      assert.equal(apps.micros(amount), micros);
    });

  it("is exact for every amount of at most six decimals, as a text and as a number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (micros) => {
        const digits = String(micros).padStart(7, "0");
        assert.equal(apps.micros(`${digits.slice(0, -6)}.${digits.slice(-6)}`), micros);
      }),
    );
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(999_999), (units, fraction) => {
        const text = `${String(units)}.${String(fraction).padStart(6, "0")}`;
        assert.equal(apps.micros(Number(text)), units * 1_000_000 + fraction);
      }),
    );
  });

  it("gives an exact whole number or throws a message that names the call, whatever it gets", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.string(), fc.anything()), (amount) => {
        try {
          assert.ok(Number.isSafeInteger(apps.micros(amount as number)));
        } catch (error) {
          assert.match(String(error), /^TypeError: micros\(/);
        }
      }),
    );
  });

  const refused = [
    ...[0.1 + 0.2, 1e-7, 1.25e-7, 1e-10, -5, 9_007_199_254.740993, 1e21, 1.25e21, NaN, Infinity, -Infinity],
    ...["", "-0.5", " 5", "5 ", "+5", "5.", ".5", "1,000", "1_000", "1e3", "0x10", "USD 5", "٣", "1.0000001"],
    ...["9007199254.740992", "1".repeat(16), undefined, null, 5n, {}, ["5"]],
  ];
  for (const amount of refused)
    it(`refuses the ${typeof amount} ${inspect(amount)}`, () => {
      assert.throws(
        () => apps.micros(amount as number),
        /the amount must be a number or a text such as 25 or "12\.34", .* For an Output, use amount\.apply\(apps\.micros\)\.$/,
      );
    });

  it("shows what it refuses, unless that may be anything", () => {
    assert.throws(() => apps.micros("5 "), /^TypeError: micros\("5 "\): /);
    assert.throws(() => apps.micros(NaN), /^TypeError: micros\(NaN\): /);
    assert.throws(() => apps.micros({} as number), /^TypeError: micros\(…\): /);
  });
});
