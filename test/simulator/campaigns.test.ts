import assert from "node:assert/strict";
import { operations } from "../../provider/service/operations";
import { campaignBody, onSimulator } from "./support";

const ads = (app: string, path: string) => `/api/apps/${app}/ads-platform/${path}`;

describe("The simulator's campaigns", () => {
  const { simulator, clock, restart, get, post, remove } = onSimulator();

  const postLaunch = (body: unknown, app = "a") => post(ads(app, "launch"), body);
  const launchReply = (fields: object = {}, more: object = {}, app = "a") =>
    postLaunch({ campaign: { ...campaignBody, ...fields }, ...more }, app);
  const launch = async (fields = {}, more = {}) => (await launchReply(fields, more)).json;
  const list = async (app = "a") => (await get(ads(app, "campaigns"))).json.campaigns;
  const act = (action: "pause" | "resume", id: string, app = "a") => post(ads(app, `campaigns/${id}/${action}`));
  const end = (id: string, app = "a") => remove(ads(app, `campaigns/${id}`));
  const status = (id: string) => simulator.objects.campaign("a", id)?.status;

  describe("launched", () => {
    it("return the account and the campaign, their times with a Z", async () => {
      const answer = await launch({ geo_targets: ["geoTargetConstants/2756"], phone_number: "+41 44 000 00 00" });
      assert.deepEqual(answer, {
        account: {
          id: "acc_1",
          status: "ACTIVE",
          account_name: "Spring",
          currency_code: "USD",
          timezone: "UTC",
          platform_customer_id: "7000000001",
        },
        campaign: {
          ...campaignBody,
          id: "cmp_1",
          platform_campaign_id: "21000000001",
          status: "ENABLED",
          geo_targets: ["geoTargetConstants/2756"],
          phone_number: "+41 44 000 00 00",
          review_status: "UNDER_REVIEW",
          serving_status: "PENDING",
          primary_status: "PENDING",
          primary_status_reasons: ["ADS_UNDER_REVIEW"],
          created_date: "2026-11-01T12:00:00.000Z",
          updated_date: "2026-11-01T12:00:00.000Z",
          learning_ends_at: "2026-11-08T12:00:00.000Z",
        },
      });
      assert.equal(operations["campaign.launch"].answer.parse(answer).campaign.id, "cmp_1");
    });

    it("are listed without the Z, in the shape that the provider expects, and under their own app", async () => {
      const { campaign } = await launch();
      const { json } = await get(ads("a", "campaigns"));
      const [launched, learned] = ["2026-11-01T12:00:00.000", "2026-11-08T12:00:00.000"];
      const read = { ...campaign, created_date: launched, updated_date: launched, learning_ends_at: learned };
      assert.deepEqual(json, { campaigns: [read] });
      const [row] = operations["campaign.list"].answer.parse(json).rows;
      assert.equal(row?.created_date, "2026-11-01T12:00:00.000Z");
      assert.deepEqual(await list("b"), []);
    });

    it("create the account once, and its time zone is then fixed", async () => {
      const first = await launch({ business_name: "Contoso" }, { timezone: "Europe/Zurich" });
      const second = await launch({}, { timezone: "Asia/Tokyo" });
      assert.equal(first.account.timezone, "Europe/Zurich");
      assert.equal(first.account.account_name, "Contoso");
      assert.deepEqual(second.account, first.account);
      assert.deepEqual(simulator.objects.advertisingAccount("a"), first.account);
      assert.equal(simulator.objects.advertisingAccount("b"), undefined);
    });

    it("are two when launched twice, even if equal", async () => {
      const [first, second] = [await launch(), await launch()];
      assert.notEqual(first.campaign.id, second.campaign.id);
      assert.notEqual(first.campaign.platform_campaign_id, second.campaign.platform_campaign_id);
      assert.equal((await list()).length, 2);
      assert.equal(simulator.objects.launches("a").length, 2);
    });

    it("may have input fields that the specification does not show", async () => {
      const { campaign } = await launch({ added_in_beta: 1, keyword_themes: ["tea"], logo_url: null });
      assert.equal("added_in_beta" in campaign, false);
    });

    it("need a campaign in the documented shape, or return 422 and create nothing", async () => {
      const wrongFields = [
        ...Object.keys(campaignBody).flatMap((field) => [{ [field]: undefined }, { [field]: [] }]),
        { landing_page: "shop" },
        { geo_targets: "Bern" },
      ];
      for (const body of [
        {},
        { campaign: null },
        { campaign: {} },
        ...wrongFields.map((fields) => ({ campaign: { ...campaignBody, ...fields } })),
        { campaign: campaignBody, timezone: "Nowhere/Else" },
        { campaign: campaignBody, timezone: "+01:00" },
      ])
        assert.equal((await postLaunch(body)).status, 422, JSON.stringify(body));
      const { detail } = (await launchReply({ campaign_name: undefined })).json;
      assert.deepEqual(detail, [
        { loc: ["body", "campaign", "campaign_name"], msg: "Field required", type: "missing" },
      ]);
      assert.deepEqual(simulator.objects.launches(), []);
      assert.equal(simulator.objects.advertisingAccount("a"), undefined);
    });

    it("return the documented 400s before anything is created", async () => {
      for (const fields of [
        { campaign_type: "PERFORMANCE_MAX" },
        { campaign_type: "performance-max", logo_url: "" },
        { campaign_type: "PMax", logo_url: null },
        { daily_budget_micros: 0 },
        { daily_budget_micros: -1 },
        { daily_budget_micros: 1.5 },
        { business_name: "x".repeat(26) },
      ])
        assert.equal((await launchReply(fields)).status, 400, JSON.stringify(fields));
      assert.equal(simulator.objects.advertisingAccount("a"), undefined);
      const logo_url = "https://shop.example.com/logo.png";
      const { campaign } = await launch({ campaign_type: "PERFORMANCE_MAX", logo_url, business_name: "x".repeat(25) });
      assert.equal(campaign.campaign_type, "PERFORMANCE_MAX");
      assert.equal(simulator.objects.launches().length, 1);
    });

    it("are refused on billing hold and while the payment provider is unreachable", async () => {
      await restart({ paymentProvider: "unreachable", billingHold: true });
      const refusal = async () => {
        const { status, json } = await launchReply();
        return [status, json.code];
      };
      assert.deepEqual(await refusal(), [409, "billing_hold"]);
      simulator.advertising.setBillingHold(false);
      assert.deepEqual(await refusal(), [503, "payment_provider_unavailable"]);
      simulator.advertising.setPaymentProvider("reachable");
      assert.equal(simulator.objects.launches().length, 0);
      assert.equal((await launch()).campaign.status, "ENABLED");
    });

    it("are still counted when the response was lost, and missing from a list that lags", async () => {
      simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409 } });
      simulator.fault({ operation: "campaign.list", lagMilliseconds: 5000 });
      assert.equal((await launchReply()).status, 409);
      assert.equal(simulator.objects.launches("a").length, 1);
      assert.deepEqual(await list(), []);
      clock.advance(5000);
      assert.equal((await list()).length, 1);
    });
  });

  describe("whose tracking is pending", () => {
    beforeEach(() => restart({ tracking: "pending" }));

    it("are paused until it is verified, and later ones start enabled", async () => {
      const { campaign } = await launch();
      assert.equal(campaign.status, "PAUSED");
      assert.deepEqual(campaign.primary_status_reasons, ["CONVERSION_TRACKING_PENDING"]);
      clock.advance(1000);
      simulator.advertising.trackingVerified("b");
      assert.equal(status(campaign.id), "PAUSED");
      simulator.advertising.trackingVerified("a");
      const [listed] = await list();
      assert.deepEqual([listed?.status, listed?.updated_date], ["ENABLED", "2026-11-01T12:00:01.000"]);
      assert.equal((await launch()).campaign.status, "ENABLED");
    });

    it("are enabled by a resume of a client, and later by nothing", async () => {
      const { campaign } = await launch();
      assert.deepEqual((await act("resume", campaign.id)).json, { status: "resumed" });
      assert.equal(status(campaign.id), "ENABLED");
      await act("pause", campaign.id);
      simulator.advertising.trackingVerified("a");
      assert.equal(status(campaign.id), "PAUSED");
    });

    it("stay unchanged when somebody paused or deleted them in the meantime", async () => {
      const { campaign: paused } = await launch();
      const { campaign: deleted } = await launch();
      await act("pause", paused.id);
      await end(deleted.id);
      simulator.advertising.trackingVerified("a");
      assert.deepEqual([status(paused.id), status(deleted.id)], ["PAUSED", "REMOVED"]);
    });
  });

  it("are paused and resumed, and the response names the action", async () => {
    const { id } = (await launch()).campaign;
    clock.advance(1000);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const paused = await act("pause", id);
      assert.deepEqual([paused.status, paused.json, status(id)], [200, { status: "paused" }, "PAUSED"]);
    }
    assert.equal((await list())[0]?.updated_date, "2026-11-01T12:00:01.000");
    const resumed = await act("resume", id);
    assert.deepEqual([resumed.status, resumed.json, status(id)], [200, { status: "resumed" }, "ENABLED"]);
  });

  it("are removed permanently by a deletion, and still listed", async () => {
    const { id } = (await launch()).campaign;
    const first = await end(id);
    assert.deepEqual([first.status, first.json], [200, { status: "deleted" }]);
    const [listed] = await list();
    assert.deepEqual([listed?.id, listed?.status, listed?.serving_status], [id, "REMOVED", "ENDED"]);
    for (const reply of [await act("pause", id), await act("resume", id)])
      assert.deepEqual([reply.status, reply.json.code], [404, "campaign_not_found"]);
    const { updated_date } = simulator.objects.campaign("a", id) ?? assert.fail();
    clock.advance(1000);
    const again = await end(id);
    assert.deepEqual([again.status, again.json], [200, { status: "deleted" }], "a 404 is not shown for a deletion");
    assert.equal(status(id), "REMOVED");
    assert.equal(simulator.objects.campaign("a", id)?.updated_date, updated_date);
  });

  it("are refused by the ad platform after the account is created (rule 3)", async () => {
    await restart({ adPlatform: "refusing" });
    const refused = await launchReply({}, { timezone: "Europe/Zurich" });
    assert.deepEqual([refused.status, refused.json.code], [400, "ad_platform_refused"]);
    assert.deepEqual(simulator.objects.launches(), []);
    assert.equal(simulator.objects.advertisingAccount("a")?.timezone, "Europe/Zurich");
    simulator.advertising.setAdPlatform("accepting");
    assert.equal((await launch({}, { timezone: "Asia/Tokyo" })).account.timezone, "Europe/Zurich");
  });

  it("are refused with another landing page than launch readiness names, byte for byte (rule 1)", async () => {
    await restart({ landingPages: { a: "https://A.example.com" } });
    for (const landing_page of ["https://a.example.com", "https://A.example.com/", "https://b.example.com"]) {
      const reply = await launchReply({ landing_page });
      assert.deepEqual([reply.status, reply.json.code], [400, "landing_page_mismatch"], landing_page);
    }
    assert.equal(simulator.objects.advertisingAccount("a"), undefined, "nothing is created");
    assert.equal((await launchReply({ landing_page: "https://A.example.com" })).status, 200);
    assert.equal((await launchReply({}, {}, "b")).status, 200, "an app without a landing page");
    await restart({ landingPages: { a: "https://a.example.com" }, otherLandingPages: "accepted" });
    assert.equal((await launchReply({ landing_page: "https://b.example.com" })).status, 200);
  });

  it("are identified in paths only by the service's id and their own app", async () => {
    const { id, platform_campaign_id } = (await launch()).campaign;
    const calls = [end(platform_campaign_id), end(id, "b"), act("pause", id, "b"), act("resume", "none")];
    for (const { status } of await Promise.all(calls)) assert.equal(status, 404);
    assert.equal(status(id), "ENABLED");
  });

  it("progress by themselves, from review to learning to serving", async () => {
    await launch();
    const live = async () => {
      const [{ review_status, serving_status, primary_status, primary_status_reasons, updated_date } = assert.fail()] =
        await list();
      return [review_status, serving_status, primary_status, primary_status_reasons.length, updated_date];
    };
    const before = await live();
    clock.advance(60 * 60 * 1000 - 1);
    assert.deepEqual(await live(), before);
    clock.advance(1);
    assert.deepEqual(await live(), ["APPROVED", "SERVING", "LEARNING", 1, "2026-11-01T13:00:00.000"]);
    clock.advance(7 * 24 * 60 * 60 * 1000);
    const after = ["APPROVED", "SERVING", "ELIGIBLE", 0, "2026-11-08T12:00:00.000"];
    assert.deepEqual(await live(), after);
    await act("pause", "cmp_1");
    await act("resume", "cmp_1");
    assert.deepEqual((await live()).slice(0, 4), after.slice(0, 4));
  });

  it("keep a live value that was set by hand", async () => {
    const { id } = (await launch()).campaign;
    simulator.objects.changeCampaign("a", id, { primary_status: "LIMITED", review_status: "DISAPPROVED" });
    clock.advance(30 * 24 * 60 * 60 * 1000);
    const [listed] = await list();
    assert.deepEqual([listed?.primary_status, listed?.review_status], ["LIMITED", "DISAPPROVED"]);
  });

  it("can be changed outside the API, which does not count as a launch", async () => {
    const { objects } = simulator;
    objects.putCampaign("a", { id: "cmp_2" }).geo_targets.push("elsewhere");
    const changed = objects.changeCampaign("a", "cmp_2", { daily_budget_micros: 1 });
    assert.equal(changed.daily_budget_micros, 1);
    assert.deepEqual((await list())[0]?.geo_targets, [], "returned objects are copies");
    assert.throws(() => objects.changeCampaign("a", "none", {}), /App a has no campaign none/);
    assert.deepEqual(objects.launches(), []);
    assert.notEqual((await launch()).campaign.id, "cmp_2");
  });

  it("are ready to launch with the app's landing page, if it has one", async () => {
    await restart({ landingPages: { a: "https://a.example.com/" } });
    const readiness = async (app: string) => (await get(ads(app, "launch-readiness"))).json;
    const ready = { landing_page: "https://a.example.com/", currency_code: "USD", error: null };
    assert.deepEqual(await readiness("a"), ready);
    assert.equal((await readiness("b")).landing_page, null);
    simulator.advertising.setLandingPage("a", null);
    simulator.advertising.setLandingPage("b", "https://b.example.com/");
    simulator.advertising.setPaymentProvider("unreachable");
    assert.equal((await readiness("a")).landing_page, null);
    assert.deepEqual(operations["campaign.readiness"].answer.parse(await readiness("b")), {
      landingPage: "https://b.example.com/",
      currencyCode: "USD",
      paymentProviderUnavailable: true,
    });
  });
});
