import assert from "node:assert/strict";
import { ProviderError } from "../../provider/service/errors";
import { TransportFailure } from "../../provider/service/transport";
import { afterKill, asStored, campaign, declared, failingToSend, held, refusal, requests } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";

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
    const [only] = bench.simulator.objects.campaigns("app-1");
    assert.deepEqual(state, {
      ...declared,
      campaignId: only?.id,
      platformCampaignId: only?.platform_campaign_id,
      accountId: "acc_1",
      accountCurrencyCode: "USD",
      accountTimezone: "UTC",
      platformCustomerId: "7000000001",
      createdDate: only?.created_date,
      launchState: "confirmed",
      intent: state.intent,
      readBy: bench.service.endpoints.mark("campaign.list"),
    });
    assert.match(state.intent ?? "", /^[0-9a-f]{16}$/);
    assert.deepEqual(bench.said, [
      'Launching campaign "Spring sale" (app-1, 5.00 a day). This starts spending. If this command is interrupted, run `pulumi up`: it finds the campaign.',
    ]);
  });

  it("sends every argument under its wire name, and omits arguments that are not given", async () => {
    await campaign.create(declared, bench);
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
    const state = await campaign.create(given, bench);
    const bodies = bench.simulator.requests
      .filter(({ operation }) => operation === "campaign.launch")
      .map(({ body }) => body);
    assert.deepEqual(bodies, [
      { campaign: asStored },
      {
        campaign: {
          eu_political: false,
          campaign_name: "Autumn sale",
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

  it("launches two different campaigns of one app", async () => {
    const other = { ...declared, campaignName: "Autumn sale" };
    await Promise.all([campaign.create(declared, bench), campaign.create(other, bench)]);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 ENABLED"]);
  });

  describe("reading the list first", () => {
    it("adopts a live campaign of the same name and values after a crash", async () => {
      const next = await afterKill(bench);
      const { id } = put({ status: "PAUSED" });
      const state = await campaign.create(declared, next);
      assert.deepEqual(requests(bench), ["list"]);
      assert.equal(state.campaignId, id);
      assert.equal(state.launchState, "confirmed");
      assert.equal(state.origin, undefined, "it is this stack's own, so destroy deletes it");
      assert.match(next.said.join(), new RegExp(`already runs as ${id} \\(PAUSED\\).*launches nothing`));
      assert.deepEqual(await campaign.read(state, bench.later()), state);
    });

    it("adopts it although the list spells values differently", async () => {
      const given = { ...declared, geoTargets: ["a", "b"], phoneNumber: "0041440" };
      const next = await afterKill(bench, given);
      put({
        campaign_name: " Spring  sale ",
        landing_page: "HTTPS://SHOP.example.com",
        geo_targets: ["b", "a"],
        phone_number: "0041 (44) 0",
      });
      const state = await campaign.create(given, next);
      assert.equal(launches(), 0);
      assert.deepEqual({ ...state, ...given }, state, "the declared values are kept");
    });

    for (const [argument, fields] of Object.entries({
      campaignType: { campaign_type: "PMAX" },
      dailyBudgetMicros: { daily_budget_micros: 6_000_000 },
      landingPage: { landing_page: "https://other.example.com/" },
      geoTargets: { geo_targets: ["geoTargetConstants/1"] },
      phoneNumber: { phone_number: "+1" },
    }))
      it(`launches nothing next to a campaign of the same name that differs in ${argument}`, async () => {
        const { id } = put(fields);
        const given = { ...declared, geoTargets: ["geoTargetConstants/2"], phoneNumber: "+2" };
        const same = { geo_targets: given.geoTargets, phone_number: given.phoneNumber };
        bench.simulator.objects.changeCampaign("app-1", id, { ...same, ...fields });
        const why = await refusal(campaign.create(given, bench));
        assert.match(why, new RegExp(`${id} \\(ENABLED, differs in ${argument}\\)`));
        assert.match(
          why,
          /^This command did not launch campaign "Spring sale" \(app-1, 5\.00 a day\)\.\n {2}A live campaign has this name/,
        );
        assert.match(
          why,
          /\n {2}- If one of them is yours, declare its id as campaignId\.\n {2}- If the resource was renamed, .* aliases\.\n {2}- If none is yours: run `pulumi state delete` with the URN of the LaunchIntent .*Then choose another campaignName/,
        );
        assert.deepEqual(requests(bench), ["list"]);
      });

    it("launches nothing next to several of the same name, and names them", async () => {
      put();
      put({ status: "PAUSED" });
      assert.match(
        await refusal(campaign.create(declared, bench)),
        /2 live campaigns have this name: cmp_1 \(ENABLED, not known to be launched by this resource[^)]*\); cmp_2 \(PAUSED, not /,
      );
      assert.equal(launches(), 0);
    });

    it("launches next to removed campaigns, other names and other apps", async () => {
      put({ status: "REMOVED" });
      put({ campaign_name: "spring sale" });
      bench.simulator.objects.putCampaign("app-2", asStored);
      await campaign.create(declared, bench);
      assert.equal(launches(), 1);
    });

    for (const [what, then] of Object.entries({
      "does not exist": { status: 404, body: { detail: "Not Found" } },
      "is refused": { status: 403 },
      "returns a web page": { status: 200, body: "<html>Sign in</html>" },
      "returns another shape": { status: 200, body: { rows: [] } },
      "has a row without a status": { status: 200, body: [{ id: "x", campaign_name: "x" }] },
      "says that there is more without a cursor": { status: 200, body: { campaigns: [], has_more: true } },
      "has fewer rows than its total": { status: 200, body: { campaigns: [], total: 1 } },
    }))
      it(`launches nothing when the list ${what}, and says how to set its path`, async () => {
        bench.simulator.fault({ operation: "campaign.list", times: "always", then });
        const why = await refusal(campaign.create(declared, bench));
        assert.match(why, /^This command did not launch/);
        assert.match(
          why,
          /\n {2}- If your service has another path, set it in workspace-apps:endpoints .*: \{"campaign\.list"/,
        );
        assert.equal(why.match(/The path of campaign\.list is assumed/g)?.length, 1, "once");
        assert.ok(requests(bench).every((operation) => operation === "list"));
        assert.equal(launches(), 0);
      });

    it("says that a list path that was set should be checked", async () => {
      const set = bench.later({ endpoints: `{"campaign.list": "GET /nowhere/{app_id}"}` });
      const why = await refusal(campaign.create(declared, set));
      assert.match(why, /The path of campaign\.list is set in workspace-apps:endpoints.*\n.*- Check the path in/s);
      assert.equal(launches(), 0);
      await set.service.close();
    });

    it("follows the pages of the list", async () => {
      const next = await afterKill(bench);
      const { id } = put();
      const [row] = bench.simulator.objects.campaigns("app-1");
      const first = { campaigns: [], has_more: true, next_cursor: "2" };
      bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: first } });
      bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: { campaigns: [row] } } });
      assert.equal((await campaign.create(declared, next)).campaignId, id);
      assert.equal(launches(), 0);
    });
  });

  describe("refused", () => {
    for (const status of [400, 401, 402, 403, 404, 422])
      it(`with ${String(status)} is an ordinary error: no campaign was created, and no launch is sent again`, async () => {
        bench.simulator.fault({ operation: "campaign.launch", then: { status, body: { detail: "Not like this" } } });
        const why = await refusal(campaign.create(declared, bench));
        assert.match(
          why,
          new RegExp(
            `^This command did not launch.*${String(status)}\\.\n  The service said: Not like this\n.*No campaign was launched\\. The app's advertising account may exist by now, and then its time zone is fixed\\.`,
            "s",
          ),
        );
        assert.deepEqual(requests(bench), ["list", "readiness", "launch"]);
        await campaign.create(declared, bench.later());
        assert.equal(launches(), 1);
      });

    it("by this package sends no request", async () => {
      const refusing = failingToSend(bench, 1, () => new ProviderError({ what: "not here" }));
      assert.match(
        await refusal(campaign.create(declared, refusing)),
        /^This command did not launch .*\n {2}not here$/,
      );
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
      assert.match(
        bench.said.join(),
        /Waiting 8 s before campaign "Spring sale" is launched\. The campaign list is read again first/,
      );
      assert.equal(launches(), 1);
    });

    it("reports waits of two seconds or more", async () => {
      bench.clock.random = () => 0;
      for (const seconds of ["1", "2"])
        bench.simulator.fault({
          operation: "campaign.launch",
          then: { status: 429, headers: { "retry-after": seconds } },
        });
      await campaign.create(declared, bench);
      assert.deepEqual(
        bench.said.map((line) => line.slice(0, 12)).filter((line) => !line.startsWith("Launching")),
        ["Waiting 2 s "],
      );
    });

    it("launches nothing when somebody else did during the wait", async () => {
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 429 } });
      const sleep = bench.clock.sleep.bind(bench.clock);
      bench.clock.sleep = (wait) => {
        if (wait > 0) put({ id: "theirs" });
        return sleep(wait);
      };
      assert.match(
        await refusal(campaign.create(declared, bench)),
        /theirs \(ENABLED, not known to be launched by this resource/,
      );
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
      assert.equal(launches(), 0);
    });

    it("stops when the limit asks for more than five minutes, and says how long", async () => {
      const headers = { "retry-after": "3600" };
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 429, headers } });
      assert.match(
        await refusal(campaign.create(declared, bench)),
        /The service asks to wait 3600 s\.\n.*nothing was changed\./,
      );
      assert.equal(requests(bench).filter((operation) => operation === "launch").length, 1);
    });

    it("tries again when the request was certainly not sent, and reads the list before each attempt", async () => {
      const failing = failingToSend(bench, 2, () => new TransportFailure("connect ECONNREFUSED", false));
      await campaign.create(declared, failing);
      assert.deepEqual(requests(failing), ["list", "readiness", "list", "list", "launch", "list"]);
      assert.equal(
        bench.said.filter((line) => line.startsWith("Launching")).length,
        bench.said.length,
        "no wait is reported",
      );
      assert.equal(launches(), 1);
      await failing.service.close();
    });

    it("stops after five attempts that were not sent: nothing was launched", async () => {
      const failing = failingToSend(bench, 5, () => new TransportFailure("connect ECONNREFUSED", false));
      assert.match(
        await refusal(campaign.create(declared, failing)),
        /^This command did not launch.*ECONNREFUSED.*No request was sent/s,
      );
      assert.equal(requests(failing).filter((operation) => operation === "list").length, 5);
      await failing.service.close();
    });
  });

  it("saves the campaign in state when the response has only its id", async () => {
    bench.simulator.fault({
      operation: "campaign.launch",
      commit: true,
      then: { status: 200, body: { campaign: { id: "cmp_1" }, account: "odd" } },
    });
    const state = await campaign.create(declared, bench);
    assert.deepEqual(
      [state.campaignId, state.platformCampaignId, state.accountId],
      ["cmp_1", "21000000001", undefined],
    );
  });

  it("succeeds with a warning when the list can no longer be read after the launch", async () => {
    bench.simulator.fault({ operation: "campaign.list", skip: 1, then: { status: 403 } });
    const state = await campaign.create(declared, bench);
    assert.equal(state.campaignId, "cmp_1");
    assert.match(bench.said.join(), /Campaign cmp_1 was launched\.\n {2}The campaign list could not be read:\n.*403/);
    assert.equal(state.readBy, bench.service.endpoints.mark("campaign.launch"), "the list never showed it");
  });
});
