import { argumentsIn } from "../../provider/resources/shared/lifecycle";
import assert from "node:assert/strict";
import { isRemoved, type ListedCampaign } from "../../provider/service/campaigns";
import { asListed, differingValues, findById, isPaused } from "../../provider/resources/ad-campaign/campaign-list";
import { StackedCampaign } from "../support/stacked-campaign";
import { changedArguments } from "../../provider/pulumi/changed-arguments";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { campaign, declared, refusal, requests, type State, held, asStored } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";

const given = { ...declared, geoTargets: ["a", "b"], phoneNumber: "+41 44 000" };

describe("AdCampaign, refreshing", () => {
  let bench: Bench;
  let state: State;
  beforeEach(async () => {
    bench = await startBench();
    state = await campaign.create(given, bench);
    requests(bench);
  });
  afterEach(() => bench.close());

  const change = (fields: object) => bench.simulator.objects.changeCampaign("app-1", "cmp_1", fields);
  const read = (of = state) => campaign.read(of, bench.later());
  const drift = (of: State, inputs: object): string[] =>
    changedArguments(adCampaignLifecycle, of, adCampaignLifecycle.inputs.parse(inputs));

  it("finds no difference when nothing changed", async () => {
    assert.deepEqual(await read(), state);
    assert.deepEqual(drift(state, given), []);
  });

  for (const [argument, fields, now] of [
    ["campaignName", { campaign_name: "Renamed" }, "Renamed"],
    ["campaignType", { campaign_type: "PMAX" }, "PMAX"],
    ["dailyBudgetMicros", { daily_budget_micros: 9 }, 9],
    ["landingPage", { landing_page: "https://other.example.com/" }, "https://other.example.com/"],
    ["geoTargets", { geo_targets: ["a"] }, ["a"]],
    ["geoTargets", { geo_targets: [] }, []],
    ["phoneNumber", { phone_number: "+41 44 001" }, "+41 44 001"],
  ] as const)
    it(`finds that ${argument} was changed to ${JSON.stringify(now)}`, async () => {
      change(fields);
      const found = await read();
      assert.ok(found);
      const { launchedName } = argument === "campaignName" ? found : state;
      assert.deepEqual(found, { ...state, [argument]: now, launchedName });
      assert.deepEqual(drift(found, given), [argument]);
      assert.deepEqual(argumentsIn(adCampaignLifecycle, found)[argument], now);
    });

  it("finds no drift between equivalent values", async () => {
    change({ landing_page: "https://SHOP.example.com", geo_targets: ["b", "a", "b"], phone_number: "(41)44-000" });
    assert.deepEqual(await read(), state);
    assert.deepEqual(drift(state, { ...given, geoTargets: ["b", "a"], phoneNumber: "4144000" }), []);
  });

  it("keeps values that the list does not show", async () => {
    const row = {
      id: "cmp_1",
      campaign_name: state.launchedName,
      status: "ENABLED",
      phone_number: "",
      landing_page: "",
    };
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [row] } });
    assert.deepEqual(await read(), state);
  });

  it("keeps what the launch returned about the account and the campaign", async () => {
    change({ platform_campaign_id: "moved", created_date: "2020-01-01T00:00:00Z" });
    assert.deepEqual(await read(), { ...state, platformCampaignId: "moved" });
  });

  describe("a campaign that is gone", () => {
    it("reports one that is removed, although it is still listed", async () => {
      change({ status: "REMOVED" });
      assert.equal(bench.simulator.objects.campaigns("app-1").length, 1);
      assert.equal(await read(), undefined);
    });

    it("reports one that the list has shown before and no longer shows", async () => {
      bench.simulator.objects.removeCampaign("app-1", "cmp_1");
      assert.equal(await read(), undefined);
    });

    it("does not report one that this list has never shown", async () => {
      bench.simulator.objects.removeCampaign("app-1", "cmp_1");
      const unseen = { ...state, readBy: bench.service.endpoints.readBy("campaign.launch") };
      const why = await refusal(read(unseen));
      assert.match(
        why,
        /^The campaign cmp_1 of app app-1 is not in the campaign list\. Its absence does not prove .*\n {2}The campaign list has not shown it/,
      );
      assert.match(why, /The path of campaign\.list is assumed.*`pulumi state delete/s);
    });

    it("does not report one after the list's path was changed", async () => {
      bench.simulator.objects.removeCampaign("app-1", "cmp_1");
      const moved = bench.later({ endpoints: `{"campaign.list": "GET /other/{app_id}"}` });
      const seenThere = { ...state, readBy: moved.service.endpoints.readBy("campaign.list") };
      assert.match(await refusal(read(seenThere)), /The campaign list has not shown it/);
    });

    it("does not report one while the list cannot be read", async () => {
      for (const status of [401, 403, 404, 500]) {
        bench.simulator.fault({ operation: "campaign.list", times: 5, then: { status } });
        await assert.rejects(read(), new RegExp(`campaign\\.list failed: .*${String(status)}`));
        bench.simulator.clearFaults();
      }
    });

    it("recognizes one later that the launch could not find in the list", async () => {
      const seen = await read({ ...state, readBy: bench.service.endpoints.readBy("campaign.launch") });
      assert.ok(bench.service.endpoints.isEvidence("campaign.list", seen?.readBy ?? ""));
    });

    it("is not shown by a list that was read while it was being deleted", async () => {
      const next = bench.later();
      bench.simulator.fault({ operation: "campaign.delete", then: "pass", delayMilliseconds: 100 });
      const deletion = campaign.delete(state, next);
      assert.equal((await campaign.read(state, next))?.campaignId, "cmp_1", "the deletion is in progress");
      await deletion;
      assert.equal(await campaign.read(state, next), undefined);
    });

    it("does not believe that one is gone which a slow list has not shown yet", async () => {
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 60_000 });
      const late = await campaign.create({ ...declared, campaignName: "Autumn sale" }, bench);
      assert.deepEqual([late.campaignId, late.accountId], ["cmp_2", "acc_1"]);
      assert.match(bench.said.join("\n"), /Campaign cmp_2 was launched, but the campaign list does not show it yet\./);
      assert.match(
        await refusal(campaign.read(late, bench.later())),
        /Its absence does not prove that it was deleted\./,
      );
      await bench.clock.sleep(60_000);
      const seen = (await campaign.read(late, bench.later())) ?? assert.fail();
      assert.deepEqual(seen, { ...late, readBy: seen.readBy });
      assert.ok(bench.service.endpoints.isEvidence("campaign.list", seen.readBy));
    });
  });

  describe("the paused state", () => {
    it("finds no drift while the program does not declare it", async () => {
      change({ status: "PAUSED" });
      const found = await read();
      assert.deepEqual(found, { ...state, pausedBy: "other" });
      assert.deepEqual(drift(found, given), []);
    });

    it("finds no drift when the service pauses until tracking is installed, nor when that pause ends", async () => {
      const pending = await startBench({}, { tracking: "pending" });
      const waiting = await campaign.create(declared, pending);
      assert.equal(pending.simulator.objects.campaigns("app-1")[0]?.status, "PAUSED");
      assert.equal(waiting.paused, undefined);
      assert.deepEqual(await campaign.read(waiting, pending.later()), waiting);
      pending.simulator.advertising.trackingVerified("app-1");
      assert.equal(pending.simulator.objects.campaigns("app-1")[0]?.status, "ENABLED");
      const running = await campaign.read(waiting, pending.later());
      const { pausedBy: _, ...withoutPause } = waiting;
      assert.deepEqual(running, withoutPause);
      await pending.close();
    });

    it("finds a manual resume or pause when the program declares it", async () => {
      const paused = await campaign.update(state, { ...given, paused: true }, bench);
      assert.deepEqual(await read(paused), paused);
      change({ status: "ENABLED" });
      const found = await read(paused);
      assert.ok(found);
      const { pausedBy: _, ...withoutPause } = paused;
      assert.deepEqual(found, { ...withoutPause, paused: false });
      assert.deepEqual(drift(found, { ...given, paused: true }), ["paused"]);
    });

    it("keeps the known value when the status says neither", async () => {
      const paused = await campaign.update(state, { ...given, paused: true }, bench);
      change({ status: "LIMITED" });
      assert.deepEqual(await read(paused), paused);
    });
  });

  describe("many campaigns", () => {
    const names = Array.from({ length: 20 }, (_, number) => `Campaign ${String(number)}`);
    let many: State[];
    beforeEach(async () => {
      many = [];
      for (const campaignName of names) many.push(await campaign.create({ ...declared, campaignName }, bench));
      many.push(await campaign.create({ ...declared, appId: "app-2" }, bench));
      requests(bench);
    });

    it("reads each app's list once", async () => {
      const refresh = bench.later();
      assert.deepEqual(await Promise.all(many.map((one) => campaign.read(one, refresh))), many);
      assert.deepEqual(requests(bench), ["list", "list"]);
    });

    it("fails for all campaigns of an app when its list cannot be read, after one request", async () => {
      bench.simulator.fault({ operation: "campaign.list", then: { status: 403 } });
      const refresh = bench.later();
      const ofOneApp = many.slice(0, names.length);
      const results = await Promise.allSettled(ofOneApp.map((one) => campaign.read(one, refresh)));
      assert.ok(results.every(({ status }) => status === "rejected"));
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("reads the list again after a change of its own", async () => {
      const [first, second] = many;
      assert.ok(first && second);
      const command = bench.later();
      await campaign.read(first, command);
      await campaign.delete(first, command);
      assert.equal(await campaign.read(first, command), undefined);
      assert.deepEqual(await campaign.read(second, command), second);
      assert.deepEqual(requests(bench), ["list", "delete", "list"]);
    });
  });
});

describe("A refresh in the same command", () => {
  let bench: Bench;
  let stack: StackedCampaign;
  beforeEach(async () => {
    bench = await startBench();
    stack = new StackedCampaign(bench);
  });
  afterEach(() => bench.close());

  /** The refresh of a command reads a list without the campaign, which is live. */
  const refreshMissing = async (args: object): Promise<void> => {
    await stack.up(args);
    stack.in(bench.later());
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
    await stack.refresh();
    assert.equal(stack.state, undefined);
  };

  for (const deletionPolicy of ["delete", "pause", "retain"])
    it(`lets the up find a campaign that it missed in the list, policy ${deletionPolicy}`, async () => {
      await refreshMissing({ ...declared, deletionPolicy });
      await stack.up({ ...declared, deletionPolicy });
      assert.deepEqual([held(bench), stack.state?.campaignId], [["cmp_1 ENABLED"], "cmp_1"]);
    });

  it("lets the destroy delete a campaign that it missed in the list", async () => {
    await refreshMissing(declared);
    await stack.destroy();
    assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
  });
});

const row = (fields: Partial<ListedCampaign> = {}): ListedCampaign => ({
  id: "cmp_1",
  status: "ENABLED",
  ...asStored,
  ...fields,
});
const sure = { ...declared, geoTargets: ["a"], phoneNumber: "+1" };

describe("The list of campaigns", () => {
  describe("differs from what is declared", () => {
    it("only in values that it shows and that are declared", () => {
      assert.deepEqual(differingValues({ id: "x" }, sure), []);
      const empty = { id: "x", landing_page: "", phone_number: "", campaign_type: null, geo_targets: null };
      assert.deepEqual(differingValues({ ...empty, daily_budget_micros: null, landing_page: null }, sure), []);
      assert.deepEqual(differingValues(empty, sure), []);
      assert.deepEqual(differingValues(row({ geo_targets: ["b"], phone_number: "2" }), declared), []);
    });

    it("never in the ending that a launch gives to its name", () => {
      assert.deepEqual(differingValues(row({ campaign_name: "Spring sale-1f0c9a23b7c4" }), declared), []);
      assert.deepEqual(differingValues(row({ campaign_name: "Spring sale-1f0c9a2" }), declared), ["campaignName"]);
    });

    it("in each value separately", () => {
      const same = row({ geo_targets: ["a"], phone_number: "+1" });
      assert.deepEqual(differingValues(same, sure), []);
      for (const [key, fields] of Object.entries({
        campaignName: { campaign_name: "b" },
        campaignType: { campaign_type: "b" },
        dailyBudgetMicros: { daily_budget_micros: 0 },
        landingPage: { landing_page: "https://b.example.com/" },
        geoTargets: { geo_targets: [] },
        phoneNumber: { phone_number: "+2" },
      }))
        assert.deepEqual(differingValues({ ...same, ...fields }, sure), [key]);
    });

    it("and then its value counts, while everything else stays as declared", () => {
      const shown = row({
        campaign_name: " Spring sale",
        daily_budget_micros: 7,
        geo_targets: ["b"],
        phone_number: "",
      });
      assert.deepEqual(asListed({ ...sure, other: 1 }, shown), {
        ...sure,
        other: 1,
        dailyBudgetMicros: 7,
        geoTargets: ["b"],
      });
    });
  });

  it("finds a campaign by its id", () => {
    const rows = [row({ id: "b" }), row({ status: "REMOVED" })];
    assert.deepEqual(findById(rows, "cmp_1"), row({ status: "REMOVED" }));
    assert.equal(findById(rows, "CMP_1"), undefined);
  });

  it("recognizes removed, paused and running, ignoring case, and leaves other statuses open", () => {
    assert.deepEqual(
      ["REMOVED", "Removed", "ENABLED", ""].map((status) => isRemoved({ status })),
      [true, true, false, false],
    );
    assert.deepEqual(
      ["PAUSED", "paused", "ENABLED", "enabled", "REMOVED", "LIMITED", undefined].map((status) => isPaused({ status })),
      [true, true, false, false, undefined, undefined, undefined],
    );
  });
});
