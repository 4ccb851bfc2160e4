import assert from "node:assert/strict";
import { asStored, campaign, declared, refusal, requests } from "../support/campaigns";
import { type Bench, startBench, unchanged } from "../support/deployment";

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

  for (const [where, body] of Object.entries({
    "as the value of a field": { landing_page: declared.landingPage, error: "payment_provider_unavailable" },
    "as a field that is true": { checks: [{ payment_provider_unavailable: true }] },
    "deep inside": { blockers: [[{ reason: "payment_provider_unavailable" }]] },
  }))
    it(`reports that the payment provider is unavailable, given ${where}`, async () => {
      answers(200, body);
      const why = await refusal(campaign.create(declared, bench));
      assert.match(
        why,
        /cannot reach its payment provider.*payment_provider_unavailable.*\n {2}- Run `pulumi up` again later/,
      );
      assert.deepEqual(requests(bench), ["list", "readiness"]);
    });

  it("launches nothing while the payment provider is unavailable, and launches when it is back", async () => {
    bench.simulator.advertising.setPaymentProvider("unreachable");
    assert.match(await refusal(campaign.create(declared, bench)), /payment_provider_unavailable/);
    assert.deepEqual(requests(bench), ["list", "readiness"]);
    bench.simulator.advertising.setPaymentProvider("reachable");
    await campaign.create(declared, bench.later());
    assert.equal(bench.simulator.objects.launches().length, 1);
  });

  it("reports that the payment provider is unavailable when the read itself fails with that error", async () => {
    answers(503, { code: "payment_provider_unavailable", message: "no" });
    assert.match(await refusal(campaign.create(declared, bench)), /cannot reach its payment provider/);
    assert.equal(bench.simulator.objects.launches().length, 0);
  });

  it("does not treat a field that is false as a report", async () => {
    answers(200, { payment_provider_unavailable: false });
    await campaign.create(declared, bench);
    assert.equal(bench.simulator.objects.launches().length, 1);
  });

  for (const status of [404, 405])
    it(`is skipped silently when it returns ${String(status)}, and the launch continues`, async () => {
      answers(status);
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
