import assert from "node:assert/strict";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { formatReport, ProviderError, type Report } from "../../provider/service/errors";
import { TransportFailure } from "../../provider/service/transport";
import {
  asStored,
  campaign,
  declared,
  failingToSend,
  held,
  intend,
  intents,
  keyOf,
  refusal,
  requests,
} from "../support/campaigns";
import { type Bench, leftBy, startBench, stepOn, unchanged } from "../support/deployment";
import { launchedName, putLaunch } from "../support/launches";

describe("AdCampaign, launching", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const launches = (): number => bench.simulator.objects.launches().length;
  const put = (fields = {}) => bench.simulator.objects.putCampaign("app-1", { ...asStored, ...fields });

  it("reads the list, launches once and looks once for the new campaign", async () => {
    const state = await campaign.create(declared, bench);
    assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
    const [only = assert.fail("no campaign")] = bench.simulator.objects.campaigns("app-1");
    assert.deepEqual(state, {
      ...declared,
      campaignId: only.id,
      platformCampaignId: only.platform_campaign_id,
      accountId: "acc_1",
      accountCurrencyCode: "USD",
      accountTimezone: "UTC",
      platformCustomerId: "7000000001",
      createdDate: only.created_date,
      launchState: "confirmed",
      launchedName: only.campaign_name,
      launchIntent: keyOf(only),
      apps: ["app-1"],
      readBy: state.readBy,
    });
    assert.ok(bench.service.endpoints.isEvidence("campaign.list", state.readBy), "the list has shown it");
  });

  it("names the campaign with the key of its intent, and says what it launches and how to go on if it is interrupted", async () => {
    const intent = await intend(declared, bench);
    await campaign.create(declared, bench, intent);
    const [only] = bench.simulator.objects.campaigns("app-1");
    assert.equal(only?.campaign_name, launchedName(intent));
    assert.match(only.campaign_name, new RegExp(`^Spring sale-${intent.key}[0-9a-f]{5}$`));
    assert.deepEqual(bench.said, [
      `Launching campaign "Spring sale" (app-1, 5.00 a day) as "${only.campaign_name}". This starts spending. If this command is interrupted: run \`pulumi cancel\`, then \`pulumi up\`.`,
    ]);
  });

  it("sends every argument under its wire name, and omits arguments that are not given", async () => {
    const first = await intend(declared, bench);
    await campaign.create(declared, bench, first);
    const given = {
      ...declared,
      campaignName: "Autumn sale",
      campaignType: "PERFORMANCE_MAX",
      businessName: "Shop",
      keywordThemes: ["shoes"],
      searchThemes: ["buy shoes"],
      geoTargets: ["geoTargetConstants/2756"],
      logoUrl: "https://shop.example.com/logo.png",
      phoneNumber: "+41 44 000 00 00",
      timezone: "Europe/Zurich",
      extraFields: { eu_political: false },
      deletionPolicy: "pause",
    };
    const second = await intend(given, bench);
    const state = await campaign.create(given, bench, second);
    const bodies = bench.simulator.requests
      .filter(({ operation }) => operation === "campaign.launch")
      .map(({ body }) => body);
    assert.deepEqual(bodies, [
      { campaign: { ...asStored, campaign_name: launchedName(first) } },
      {
        campaign: {
          eu_political: false,
          campaign_name: launchedName(second, given),
          campaign_type: "PERFORMANCE_MAX",
          daily_budget_micros: 5_000_000,
          landing_page: "https://shop.example.com/",
          business_name: "Shop",
          keyword_themes: ["shoes"],
          search_themes: ["buy shoes"],
          geo_targets: ["geoTargetConstants/2756"],
          logo_url: "https://shop.example.com/logo.png",
          phone_number: "+41 44 000 00 00",
        },
        timezone: "Europe/Zurich",
      },
    ]);
    assert.deepEqual({ ...state, ...given }, state, "all of them are in state");
  });

  describe("on an account that exists", () => {
    const warnings = (): string[] => bench.said.filter((line) => line.includes("time zone"));
    beforeEach(() => {
      bench.simulator.objects.putAdvertisingAccount("app-1", { timezone: "Europe/Zurich" });
    });

    it("warns once that its time zone is not the declared one, and names both", async () => {
      const inputs = { ...declared, timezone: "Asia/Tokyo" };
      const state = await campaign.create(inputs, bench);
      assert.deepEqual(warnings(), [
        "The advertising account of app app-1 has the time zone Europe/Zurich, and the program declares Asia/Tokyo. An account keeps the time zone with which it was created. Declare Europe/Zurich, or leave timezone out. [WA1238]",
      ]);
      assert.equal(state.accountTimezone, "Europe/Zurich");
      const next = bench.later();
      await campaign.update(state, { ...inputs, paused: true }, next);
      assert.ok(!next.said.join("\n").includes("time zone"), next.said.join("\n"));
    });

    for (const [what, stored, given] of [
      ["the same", "Europe/Zurich", { timezone: "Europe/Zurich" }],
      ["the same by another name", "Etc/UTC", { timezone: "UTC" }],
      ["not declared", "Europe/Zurich", {}],
      ["empty", "", { timezone: "Europe/Zurich" }],
    ] as const)
      it(`does not warn where its time zone is ${what}`, async () => {
        bench.simulator.objects.putAdvertisingAccount("app-1", { timezone: stored });
        await campaign.create({ ...declared, ...given }, bench);
        assert.deepEqual([warnings(), launches()], [[], 1]);
      });
  });

  it("stores the launched name that the service has, and says so where it is another one", async () => {
    bench.simulator.fault({
      operation: "campaign.launch",
      then: { status: 200, body: { campaign: { id: "cmp_1", campaign_name: "SPRING SALE" } } },
    });
    const state = await campaign.create(declared, bench);
    assert.equal(state.launchedName, "SPRING SALE");
    assert.match(bench.said.join("\n"), /The service shows campaign cmp_1 as "SPRING SALE" and not as "Spring sale-/);
  });

  it("succeeds with a message when the list can no longer be read after the launch", async () => {
    bench.simulator.fault({ operation: "campaign.list", skip: 1, then: { status: 403 } });
    const state = await campaign.create(declared, bench);
    assert.equal(state.campaignId, "cmp_1");
    assert.match(
      bench.said.join("\n"),
      /Campaign cmp_1 was launched\. \[WA1223\]\n {2}The campaign list could not be read:\n.*403/,
    );
    assert.ok(!bench.service.endpoints.isEvidence("campaign.list", state.readBy), "the list never showed it");
  });

  describe("without a key", () => {
    it("launches nothing, and says to target the intent too", async () => {
      for (const inputs of [declared, { ...declared, launchIntent: "1f0c9a2" }])
        assert.match(
          await refusal(adCampaignLifecycle.create(adCampaignLifecycle.inputs.parse(inputs), stepOn(bench))),
          /^No campaign was launched: .*\n {2}It has no LaunchIntent that this command has seen\.\n {2}- With --target, give the URNs of the campaign and of its LaunchIntent/,
        );
      assert.deepEqual(requests(bench), []);
    });
  });

  describe("the list that cannot be read", () => {
    for (const [what, then] of Object.entries({
      "does not exist": { status: 404, body: { detail: "Not Found" } },
      "is refused": { status: 403 },
      "is a web page": { status: 200, body: "<html>Sign in</html>" },
      "has a row without a status": { status: 200, body: [{ id: "x", campaign_name: "x" }] },
      "is only a part": { status: 200, body: { campaigns: [], total: 1 } },
    }))
      it(`allows neither an intent nor a launch when it ${what}, and the error says how to set its path`, async () => {
        const intent = await intend(declared, bench.later());
        requests(bench);
        bench.simulator.fault({ operation: "campaign.list", times: "always", then });
        const path =
          /\n {2}- If your service has another path, set it in workspace-apps:endpoints .*: \{"campaign\.list"/;
        const why = await refusal(intend(declared, bench));
        assert.match(why, /^Nothing was launched for app app-1\./);
        assert.match(why, path);
        const whyNot = await refusal(campaign.create(declared, bench, intent));
        assert.match(
          whyNot,
          /^MONEY MAY BE MOVING: an earlier command may have launched campaign "Spring sale" \(app-1, 5\.00 a day\)/,
        );
        assert.match(whyNot, path);
        assert.match(whyNot, / it\.\n {2}- Run the same command again\.\n.*\n {2}- If you are sure .*state delete/s);
        assert.equal(whyNot.match(/The path of campaign\.list is assumed/g)?.length, 1, "once");
        assert.ok(requests(bench).every((operation) => operation === "list"));
        assert.equal(launches(), 0);
      });

    it("has a path that should be checked where it was set", async () => {
      const set = bench.later({ endpoints: `{"campaign.list": "GET /nowhere/{app_id}"}` });
      const why = await refusal(campaign.create(declared, set));
      assert.match(why, /The path of campaign\.list is set in workspace-apps:endpoints.*\n.*- Check the path in/s);
      await set.service.close();
    });

    it("says nothing about its path where no request was sent", async () => {
      const away = bench.later({ baseUrl: "http://127.0.0.1:1" });
      assert.doesNotMatch(await refusal(campaign.create(declared, away)), /The path of campaign\.list/);
      await away.service.close();
    });
  });

  describe("a namesake", () => {
    it("is an error that names all of them and the ways to go on, and is never touched", async () => {
      put({ id: "theirs" });
      put({ id: "paused", status: "PAUSED", campaign_name: "Spring\u00a0sale-0000000abcde" });
      const intent = await intend(declared, bench);
      const why = await refusal(campaign.create(declared, bench, intent));
      assert.match(why, /^No campaign was launched: campaign "Spring sale" \(app-1, 5\.00 a day\)\. \[WA1221\]\n/);
      assert.match(why, /theirs \(ENABLED, "Spring sale"\), paused \(PAUSED, "Spring sale-0000000abcde"\)/);
      assert.match(
        why,
        /\n {2}- .*campaignId: "theirs".*\n {2}- .*renamed.*aliases\.\n {2}- .*another campaignName\.$/,
      );
      assert.deepEqual(requests(bench), ["list"]);
      await refusal(campaign.create(declared, bench.later(), intent));
      await intents.delete(intent, bench.later());
      assert.deepEqual([held(bench), launches()], [["theirs ENABLED", "paused PAUSED"], 0]);
    });

    it("is none that is removed, has another name or is of another app", async () => {
      put({ status: "REMOVED" });
      put({ status: "removed" });
      put({ campaign_name: "spring sale" });
      put({ campaign_name: "Spring sale 2-0000000abcde" });
      bench.simulator.objects.putCampaign("app-2", asStored);
      await campaign.create(declared, bench);
      assert.equal(launches(), 1);
    });

    it("that another stack launched at the same moment is named in a warning, and both campaigns go on", async () => {
      const warned: string[] = [];
      const stack = { ...bench, warn: (report: Report) => warned.push(formatReport(report)) };
      bench.simulator.fault({ operation: "campaign.launch", delayMilliseconds: 20, then: "pass" });
      const launched = campaign.create(declared, stack);
      while (!bench.simulator.requests.some(({ operation }) => operation === "campaign.launch"))
        await new Promise((resolve) => setImmediate(resolve));
      put({ id: "theirs", campaign_name: "Spring sale-0000000abcde" });
      const { campaignId } = await launched;
      assert.deepEqual(warned, [
        `MONEY MAY BE MOVING TWICE: beside campaign ${campaignId ?? ""}, theirs of the same name is live. Another stack may have launched it at the same moment. This stack never touches it. [WA1205]`,
      ]);
      assert.equal(held(bench).filter((line) => line.endsWith("ENABLED")).length, 2);
    });
  });

  describe("refused", () => {
    for (const status of [400, 401, 402, 403, 404, 422])
      it(`with ${String(status)} is an ordinary error: no campaign was created, and no launch is sent again`, async () => {
        bench.simulator.fault({ operation: "campaign.launch", then: { status, body: { detail: "Not like this" } } });
        const intent = await intend(declared, bench);
        const why = await refusal(campaign.create(declared, bench, intent));
        assert.match(
          why,
          new RegExp(
            `^No campaign was launched: .*${String(status)}\\.\n {2}The service said: Not like this\n.*The app's advertising account may exist by now, and then its time zone is fixed\\.`,
            "s",
          ),
        );
        assert.deepEqual(requests(bench), ["list", "readiness", "launch"]);
        await campaign.create(declared, bench.later(), intent);
        assert.equal(launches(), 1);
      });

    it("with a reason that cannot be shown says what to check", async () => {
      for (const body of [{ detail: "+49 30 1234567 is not a phone number" }, undefined]) {
        bench.simulator.fault({ operation: "campaign.launch", then: { status: 400, body } });
        const why = await refusal(campaign.create({ ...declared, phoneNumber: "+49 30 1234567" }, bench));
        assert.match(why, /\n {2}- Check the arguments\. The service refused one, and its reason cannot be shown\.$/);
        assert.doesNotMatch(why, /1234567/);
      }
    });

    it("by this package sends no request", async () => {
      const refusing = failingToSend(bench, 1, () => new ProviderError({ code: "WA1101", what: "not here" }));
      assert.match(await refusal(campaign.create(declared, refusing)), /^No campaign was launched: .*\n {2}not here$/);
      assert.equal(launches(), 0);
      await refusing.service.close();
    });
  });

  describe("postponed", () => {
    it("waits as long as the rate limit asks, and reads the list again before the second launch", async () => {
      const headers = { "retry-after": "7" };
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 429, headers } });
      await campaign.create(declared, bench);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list", "launch", "list"]);
      assert.deepEqual(
        bench.clock.sleeps.filter((wait) => wait > 0),
        [7_500],
      );
      assert.equal(launches(), 1);
    });

    it("launches nothing when a namesake appeared during the wait", async () => {
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 429 } });
      const sleep = bench.clock.sleep.bind(bench.clock);
      bench.clock.sleep = (wait) => {
        if (wait > 0) put({ id: "theirs" });
        return sleep(wait);
      };
      assert.match(await refusal(campaign.create(declared, bench)), /theirs \(ENABLED/);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
      assert.equal(launches(), 0);
    });

    it("stops when the limit asks for more than five minutes, and says how long", async () => {
      const headers = { "retry-after": "3600" };
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 429, headers } });
      assert.match(await refusal(campaign.create(declared, bench)), /The service asks to wait 3600 s\./);
      assert.equal(requests(bench).filter((operation) => operation === "launch").length, 1);
    });

    it("tries again when the request was certainly not sent, and reads the list before each attempt", async () => {
      const failing = failingToSend(bench, 2, () => new TransportFailure("connect ECONNREFUSED", false));
      await campaign.create(declared, failing);
      assert.deepEqual(requests(failing), ["list", "readiness", "list", "list", "launch", "list"]);
      assert.equal(launches(), 1);
      await failing.service.close();
    });

    it("stops after five attempts that were not sent: nothing was launched", async () => {
      const failing = failingToSend(bench, 5, () => new TransportFailure("connect ECONNREFUSED", false));
      assert.match(await refusal(campaign.create(declared, failing)), /^No campaign was launched: .*ECONNREFUSED/s);
      assert.equal(requests(failing).filter((operation) => operation === "list").length, 5);
      assert.equal(launches(), 0);
      await failing.service.close();
    });

    it("waits for the rate limit before the list is read, so that the list is not old when the launch is sent", async () => {
      const slow = bench.later({ rateLimits: `{"campaign.launch": 1}` });
      await campaign.create({ ...declared, campaignName: "Autumn sale" }, slow);
      const intent = await intend(declared, slow);
      requests(bench);
      const sentBeforeWait: string[][] = [];
      const sleep = slow.clock.sleep.bind(slow.clock);
      slow.clock.sleep = (wait) => {
        if (wait > 20_000) sentBeforeWait.push(requests(bench));
        return sleep(wait);
      };
      await campaign.create(declared, slow, intent);
      slow.clock.sleep = sleep;
      assert.deepEqual(sentBeforeWait, [[]]);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
      await slow.service.close();
    });
  });

  describe("whose command has ended", () => {
    it("sends nothing, because nobody would read that it was launched", async () => {
      const orphaned = { ...bench, announce: () => Promise.reject(new Error("write EPIPE")) };
      assert.match(
        await refusal(campaign.create(declared, orphaned)),
        /^No campaign was launched: .*\n {2}The command that asked for this launch has ended\.$/,
      );
      assert.ok(!requests(bench).includes("launch"));
    });
  });

  describe("while Pulumi saves no checkpoints", () => {
    const before = process.env["PULUMI_SKIP_CHECKPOINTS"];
    afterEach(() => {
      if (before === undefined) delete process.env["PULUMI_SKIP_CHECKPOINTS"];
      else process.env["PULUMI_SKIP_CHECKPOINTS"] = before;
    });

    it("launches nothing, and gives the reason", async () => {
      const intent = await intend(declared, bench);
      for (const value of ["1", "true", "TRUE"]) {
        process.env["PULUMI_SKIP_CHECKPOINTS"] = value;
        assert.match(
          await refusal(campaign.create(declared, bench, intent)),
          /PULUMI_SKIP_CHECKPOINTS is set: its LaunchIntent would not be saved before the launch/,
        );
      }
      assert.equal(launches(), 0);
      process.env["PULUMI_SKIP_CHECKPOINTS"] = "false";
      await campaign.create(declared, bench.later(), intent);
      assert.equal(launches(), 1);
    });

    it("adopts, and deletes, because neither needs an intent", async () => {
      put();
      process.env["PULUMI_SKIP_CHECKPOINTS"] = "1";
      const adopted = await campaign.create({ ...declared, campaignId: "cmp_1", deletionPolicy: "delete" }, bench);
      await campaign.delete(adopted, bench.later());
      assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
    });
  });

  describe("repeated in one command, as Pulumi's onError hooks do", () => {
    const posts = (): number => requests(bench).filter((operation) => operation === "launch").length;

    it("sends nothing again after an uncertain response, keeps the time of the attempt, and finds the campaign later", async () => {
      const intent = await intend(declared, bench);
      bench.simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409 } });
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 75_000 });
      const first = await leftBy(campaign.create(declared, bench, intent));
      const second = await leftBy(campaign.create(declared, bench, intent));
      assert.equal(second.state.launchAttemptedAt, first.state.launchAttemptedAt);
      assert.equal((await campaign.create(declared, bench, intent)).campaignId, "cmp_1");
      assert.deepEqual([posts(), launches(), first.state.launchState], [1, 1, "unconfirmed"]);
    });

    it("sends nothing again after a refusal", async () => {
      const intent = await intend(declared, bench);
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 422 } });
      await refusal(campaign.create(declared, bench, intent));
      assert.match(await refusal(campaign.create(declared, bench, intent)), /sends each launch once/);
      assert.deepEqual([posts(), launches()], [1, 0]);
    });

    it("continues with the campaign after a 200 whose pause failed", async () => {
      const paused = { ...declared, paused: true };
      const intent = await intend(paused, bench);
      bench.simulator.fault({ operation: "campaign.pause", then: { status: 403 } });
      await leftBy(campaign.create(paused, bench, intent));
      const again = await campaign.create(paused, bench, intent);
      assert.deepEqual([again.campaignId, again.paused, held(bench)], ["cmp_1", true, ["cmp_1 PAUSED"]]);
      assert.equal(posts(), 1);
    });

    it("names a live orphan each time", async () => {
      const intent = await intend(declared, bench);
      const { id } = putLaunch(bench, intent, { dailyBudgetMicros: 9_000_000 });
      putLaunch(bench, intent);
      const next = bench.later();
      bench.simulator.fault({ operation: "campaign.delete", times: "always", then: { status: 403 } });
      for (const attempt of ["first", "repeated"]) {
        const { state } = await leftBy(campaign.create(declared, next, intent));
        assert.deepEqual(state.duplicates, [id], attempt);
      }
    });
  });

  describe("several at once", () => {
    it("are launched one at a time for each app", async () => {
      bench.simulator.fault({ operation: "campaign.launch", then: "hold" });
      const ended: string[] = [];
      const create = async (what: string, given: object): Promise<void> => {
        await campaign.create({ ...declared, ...given }, bench);
        ended.push(what);
      };
      const first = create("first", {});
      while (!bench.simulator.requests.some(({ operation }) => operation === "campaign.launch"))
        await new Promise((resolve) => setImmediate(resolve));
      const second = create("second", { campaignName: "Autumn" });
      await create("another app", { appId: "app-2" });
      assert.deepEqual(ended, ["another app"]);
      await bench.simulator.release();
      await Promise.all([first, second]);
      assert.deepEqual(ended, ["another app", "first", "second"]);
    });
  });

  describe("answered by an unusual service", () => {
    const answers = (operation: "campaign.launch" | "campaign.list", body: unknown): void => {
      bench.simulator.fault({ operation, commit: true, then: { status: 200, body } });
    };

    /** The list's row after the launch. */
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
      assert.deepEqual(
        [state.dailyBudgetMicros, state.landingPage],
        [declared.dailyBudgetMicros, declared.landingPage],
      );
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
      "only its id": {
        campaign_name: undefined,
        campaign_type: undefined,
        daily_budget_micros: undefined,
        landing_page: undefined,
      },
    }))
      it(`keeps the id when a launch returns ${what}`, async () => {
        answers("campaign.launch", { campaign: { id: "cmp_1", ...asStored, ...odd }, account: "odd" });
        const state = await campaign.create(declared, bench);
        assert.deepEqual(
          [state.campaignId, state.launchState, state.platformCampaignId, state.accountId],
          ["cmp_1", "confirmed", "21000000001", undefined],
        );
      });
  });
});

describe("AdCampaign, by the specification", () => {
  let bench: Bench;
  const start = async (...options: Parameters<typeof startBench>): Promise<void> => {
    bench = await startBench(...options);
  };
  afterEach(() => bench.close());

  it("is launched on the account from an earlier launch, after the problem that the ad platform reported is fixed", async () => {
    await start({}, { adPlatform: "refusing" });
    const refused = await refusal(campaign.create({ ...declared, timezone: "Europe/Zurich" }, bench));
    assert.match(refused, /the logo could not be fetched/);
    assert.deepEqual(held(bench), []);
    const account = bench.simulator.objects.advertisingAccount("app-1");
    bench.simulator.advertising.setAdPlatform("accepting");
    const state = await campaign.create({ ...declared, timezone: "Asia/Tokyo" }, bench.later());
    assert.ok(account);
    assert.deepEqual([state.accountId, state.accountTimezone], [account.id, "Europe/Zurich"]);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("stores no live values, and returns the ad platform's id separately from its own", async () => {
    await start();
    const state = await campaign.create(declared, bench);
    const kept = JSON.stringify(state);
    for (const word of ["review", "serving", "primary", "learning", "updated"]) assert.ok(!kept.includes(word), word);
    assert.notEqual(state.campaignId, state.platformCampaignId);
    bench.simulator.objects.changeCampaign("app-1", state.campaignId ?? "", {
      review_status: "DISAPPROVED",
      serving_status: "SUSPENDED",
      primary_status: "NOT_ELIGIBLE",
      primary_status_reasons: ["BUDGET"],
      learning_ends_at: "2031-01-01T00:00:00Z",
      updated_date: "2031-01-01T00:00:00Z",
    });
    assert.deepEqual(await campaign.read(state, bench.later()), state);
  });

  it("accepts statuses and types that the specification does not show", async () => {
    await start();
    const given = { ...declared, campaignType: "NEW" };
    const { id } = bench.simulator.objects.putCampaign("app-1", { ...asStored, campaign_type: "NEW", status: "ODD" });
    const state = await campaign.create({ ...given, campaignId: id }, bench);
    assert.equal(state.campaignId, id);
    assert.deepEqual(requests(bench), ["list"]);
  });
});

describe("AdCampaign, launch readiness", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const answers = (status: number, body?: unknown): void => {
    bench.simulator.fault({ operation: "campaign.readiness", times: "always", then: { status, body } });
  };

  it("compares the landing page before anything is sent, and names the one to declare", async () => {
    bench.simulator.advertising.setLandingPage("app-1", "https://other.example.com/");
    assert.match(
      await refusal(campaign.create(declared, bench)),
      /expects the landing page https:\/\/other\.example\.com\/ \(campaign\.readiness\)\.\n {2}- Declare it as landingPage/,
    );
    assert.deepEqual(requests(bench), ["list", "readiness"]);
  });

  it("sends the landing page as launch readiness spells it", async () => {
    const spelled = "https://SHOP.example.com";
    bench.simulator.advertising.setLandingPage("app-1", spelled);
    const state = await campaign.create(declared, bench);
    assert.deepEqual(
      bench.simulator.requests
        .filter(({ operation }) => operation === "campaign.launch")
        .map(({ body }) => (body as { campaign: object }).campaign),
      [{ ...asStored, campaign_name: state.launchedName, landing_page: spelled }],
    );
    assert.equal(state.landingPage, declared.landingPage, "the state keeps the declared spelling");
    assert.deepEqual(
      await campaign.preview(state, { ...declared, launchIntent: state.launchIntent }, bench),
      unchanged,
    );
  });

  for (const [where, status, body] of [
    ["as the value of a field", 200, { landing_page: declared.landingPage, error: "payment_provider_unavailable" }],
    ["as a field that is true", 200, { checks: [{ payment_provider_unavailable: true }] }],
    ["deep inside", 200, { blockers: [[{ reason: "payment_provider_unavailable" }]] }],
    ["by a read that fails", 503, { code: "payment_provider_unavailable", message: "no" }],
  ] as const)
    it(`reports that the payment provider is unavailable, given ${where}`, async () => {
      answers(status, body);
      const why = await refusal(campaign.create(declared, bench));
      assert.match(
        why,
        /cannot reach its payment provider.*payment_provider_unavailable.*\n {2}- Run `pulumi up` again later/,
      );
      assert.deepEqual(requests(bench), ["list", "readiness"]);
    });

  for (const [what, status, body] of [
    ["returns 404", 404, undefined],
    ["returns 405", 405, undefined],
    ["reports false", 200, { payment_provider_unavailable: false }],
  ] as const)
    it(`is skipped silently when it ${what}, and the launch continues`, async () => {
      answers(status, body);
      await campaign.create(declared, bench);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
      assert.equal(bench.said.length, 1, "only the launch is reported");
    });

  for (const status of [401, 403])
    it(`launches and announces nothing when it is refused with ${String(status)}`, async () => {
      answers(status, { detail: "Not you" });
      const why = await refusal(campaign.create(declared, bench));
      assert.match(
        why,
        /^No campaign was launched: .*\n {2}campaign\.readiness failed: the service answered 40[13]\.\n {2}The service said: Not you\n/,
      );
      assert.match(why, /\n {2}- Or set it to "none": campaigns are then launched without comparing the landing page/);
      assert.deepEqual([requests(bench), bench.said], [["list", "readiness"], []]);
    });

  for (const [what, status, body] of [
    ["fails", 500, undefined],
    ["returns another shape", 200, ["odd"]],
    ["returns a web page", 200, "<html>"],
  ] as const)
    it(`is skipped when it ${what}, with a message that the landing page is not compared`, async () => {
      answers(status, body);
      await campaign.create(declared, bench);
      assert.equal(bench.simulator.objects.launches().length, 1);
      assert.deepEqual(
        requests(bench),
        ["list", "readiness", "launch", "list"],
        "it is read once, because the list becomes stale",
      );
      assert.match(
        bench.said.join(),
        /landing page was not compared: launch readiness of app app-1 could not be read\. campaign\.r/,
      );
    });

  it("is not read when its endpoint is set to none", async () => {
    await bench.close();
    bench = await startBench({}, { otherLandingPages: "accepted" });
    const none = bench.later({ endpoints: `{"campaign.readiness": "none"}` });
    bench.simulator.advertising.setLandingPage("app-1", "https://other.example.com/");
    await campaign.create(declared, none);
    assert.deepEqual(requests(bench), ["list", "launch", "list"]);
    await none.service.close();
  });

  it("is read once for all campaigns of an app, and for each app", async () => {
    await Promise.all(["a", "b", "c"].map((campaignName) => campaign.create({ ...declared, campaignName }, bench)));
    assert.equal(requests(bench).filter((operation) => operation === "readiness").length, 1);
    bench.simulator.advertising.setLandingPage("app-2", "https://other.example.com/");
    await refusal(campaign.create({ ...declared, appId: "app-2" }, bench));
  });

  it("may be slow: the list is read again before the launch", async () => {
    const { service, clock } = bench;
    const call = service.call.bind(service);
    service.call = async (id, given) => {
      if (id === "campaign.readiness") {
        await clock.sleep(31_000);
        bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs" });
      }
      return call(id, given);
    };
    assert.match(await refusal(campaign.create(declared, bench)), /theirs \(ENABLED/);
    assert.deepEqual(requests(bench), ["list", "readiness", "list"]);
  });

  it("throws errors that are not failures of the service, and launches nothing", async () => {
    const { service } = bench;
    const call = service.call.bind(service);
    service.call = (id, given) =>
      id === "campaign.readiness" ? Promise.reject(new TypeError("odd")) : call(id, given);
    await assert.rejects(campaign.create(declared, bench), TypeError);
    assert.deepEqual(requests(bench), ["list"]);
  });
});
