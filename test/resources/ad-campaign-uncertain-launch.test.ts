import assert from "node:assert/strict";
import type { RequestFault } from "../../simulator";
import { asStored, campaign, declared, failingToSend, held, requests } from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";

/** Responses that leave it uncertain whether the launch was carried out. */
const uncertain: Record<string, RequestFault["then"]> = {
  "a 409 for a billing hold": { status: 409, body: { detail: "The workspace is on billing hold" } },
  "a 409 that says nothing was done": { status: 409, body: "nothing was created" },
  "an empty 409": { status: 409 },
  "a 500": { status: 500, body: { detail: "Oh no" } },
  "a 502": { status: 502, body: "<html>Bad Gateway</html>" },
  "a 503 with Retry-After": { status: 503, headers: { "retry-after": "1" } },
  "a 504": { status: 504 },
  "a 408": { status: 408 },
  "a redirect": { status: 307, headers: { location: "/elsewhere" } },
  "a reset": "reset",
  "a 200 web page": { status: 200, body: "<html>Sign in</html>" },
  "a 200 without a body": { status: 200 },
  "a 200 without the campaign's id": { status: 200, body: { campaign: { campaign_name: "Spring sale" } } },
};

describe("AdCampaign, an uncertain launch", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const fault = (then: RequestFault["then"], more: Partial<RequestFault> = {}): void => {
    bench.simulator.fault({ operation: "campaign.launch", then, ...more });
  };
  const launches = (): number => bench.simulator.objects.launches().length;

  for (const [what, then] of Object.entries(uncertain)) {
    it(`is found in the list after ${what}`, async () => {
      fault(then, { commit: true });
      const state = await campaign.create(declared, bench);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
      assert.deepEqual([state.campaignId, state.launchState, state.origin], ["cmp_1", "confirmed", undefined]);
      assert.equal(state.launchAttemptedAt, undefined);
      assert.match(
        bench.said[1] ?? "",
        /uncertain whether campaign "Spring sale" was launched\. Watching the campaign list for 30 s\.\n {2}campaign\.launch failed/,
      );
      assert.match(
        bench.said[2] ?? "",
        /The launch of campaign "Spring sale" \(app-1, 5\.00 a day\) is confirmed: it runs as cmp_1/,
      );
      assert.deepEqual(await campaign.read(state, bench.later()), state);
    });

    it(`is unconfirmed after ${what} when the list never shows it, and is sent only once`, async () => {
      fault(then);
      const { state, message } = await leftBy(campaign.create(declared, bench));
      assert.equal(launches(), 0);
      assert.equal(requests(bench).filter((operation) => operation === "launch").length, 1);
      assert.equal(state.launchState, "unconfirmed");
      assert.equal(state.campaignId, undefined);
      assert.equal(state.launchAttemptedAt, "2026-01-01T00:00:00.000Z");
      assert.match(
        message,
        /^MONEY MAY BE MOVING: campaign "Spring sale" \(app-1, 5\.00 a day\) may be live; its launch, sent before 2026-01-01T00:00:00Z, is not confirmed\.\n/,
      );
      assert.match(
        message,
        /\n {2}A complete campaign list does not show it\.\n {2}Nothing is launched again before 2026-01-01T00:15:00Z, when the quarantine ends/,
      );
    });
  }

  it("is uncertain after a timeout", async () => {
    const hasty = bench.later({ requestTimeoutSeconds: "0.2" });
    fault("hang", { commit: true });
    assert.equal((await campaign.create(declared, hasty)).campaignId, "cmp_1");
    assert.equal(launches(), 1);
    await hasty.service.close();
  });

  it("is uncertain after an internal error, because the request may have been sent before it", async () => {
    const failing = failingToSend(bench, 1, () => new TypeError("odd"));
    const { message } = await leftBy(campaign.create(declared, failing));
    assert.match(message, /is not confirmed\.\n {2}odd\n/);
    assert.ok(!requests(failing).includes("launch"));
    await failing.service.close();
  });

  it("keeps every argument in state, and no unknown values", async () => {
    fault({ status: 409 });
    const given = { ...declared, businessName: "Shop", extraFields: { a: [1] }, paused: true, deletionPolicy: "pause" };
    const { state } = await leftBy(campaign.create(given, bench));
    assert.deepEqual(state, {
      ...given,
      launchState: "unconfirmed",
      launchAttemptedAt: "2026-01-01T00:00:00.000Z",
      launchServiceTime: "2026-01-01T00:00:00.000Z",
      intent: state.intent,
      readBy: bench.service.endpoints.mark("campaign.launch"),
    });
  });

  it("repeats the service's message in any language", async () => {
    fault({ status: 409, body: { detail: "Die Kampagne läuft bereits" } });
    const { message } = await leftBy(campaign.create(declared, bench));
    assert.match(
      message,
      /409\.\n {2}The service said: Die Kampagne läuft bereits\n.*\n {2}It may or may not have been carried out/,
    );
    assert.match(
      message,
      /\n {2}- Run `pulumi up` after 2026-01-01T00:15:00Z\. It adopts the campaign if the list shows it, and launches it only if a complete list does not\.\n {2}- If you see it in the service, declare its id as campaignId/,
    );
    assert.match(message, /\n {2}- To stop it now: pause or delete it in the service, and remove it from the program/);
  });

  it("says whether money may be moving, what is known and what to do, line by line", async () => {
    fault({ status: 409, body: { detail: "It timed out" } });
    const { message } = await leftBy(campaign.create(declared, bench));
    assert.deepEqual(message.split("\n"), [
      'MONEY MAY BE MOVING: campaign "Spring sale" (app-1, 5.00 a day) may be live; its launch, sent before 2026-01-01T00:00:00Z, is not confirmed.',
      "  campaign.launch failed: the service answered 409.",
      "  The service said: It timed out",
      `  Request: POST ${bench.simulator.url}/api/apps/app-1/ads-platform/launch`,
      "  It may or may not have been carried out.",
      "  A 409 can mean a billing hold, a campaign that was launched from this draft before, or a time-out after the request was sent.",
      "  A complete campaign list does not show it.",
      "  Nothing is launched again before 2026-01-01T00:15:00Z, when the quarantine ends (workspace-apps:launchQuarantineSeconds).",
      "  - Run `pulumi up` after 2026-01-01T00:15:00Z. It adopts the campaign if the list shows it, and launches it only if a complete list does not.",
      "  - If you see it in the service, declare its id as campaignId.",
      "  - To stop it now: pause or delete it in the service, and remove it from the program. Otherwise a later `pulumi up` launches it again.",
    ]);
  });

  it("does not wait for the rate limit while it watches the list", async () => {
    const slow = bench.later({ rateLimits: `{"campaign.launch": 1}` });
    fault("reset", { commit: true });
    await campaign.create(declared, slow);
    assert.deepEqual(
      slow.clock.sleeps.filter((wait) => wait > 0),
      [],
    );
    await slow.service.close();
  });

  it("is found by a list that lags within the settle time", async () => {
    fault("reset", { commit: true });
    bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 29_000 });
    assert.equal((await campaign.create(declared, bench)).campaignId, "cmp_1");
    assert.equal(launches(), 1);
  });

  it("watches the list at growing intervals until the end of the settle time, and no longer", async () => {
    fault({ status: 409 });
    await leftBy(campaign.create(declared, bench));
    const waits = bench.clock.sleeps.filter((wait) => wait > 0);
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 3_000]);
    assert.equal(requests(bench).filter((operation) => operation === "list").length, 1 + 1 + waits.length);
    assert.equal(bench.said.length, 2, "it is reported once");
  });

  it("looks once when the settle time is 0", async () => {
    const impatient = bench.later({ launchSettleSeconds: "0" });
    fault({ status: 409 });
    await leftBy(campaign.create(declared, impatient));
    assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
    await impatient.service.close();
  });

  it("continues to watch when the list cannot be read in between", async () => {
    fault("reset", { commit: true });
    bench.simulator.fault({ operation: "campaign.list", skip: 1, times: 2, then: { status: 403 } });
    assert.equal((await campaign.create(declared, bench)).campaignId, "cmp_1");
  });

  it("is unconfirmed when the list cannot be read, and says so", async () => {
    fault({ status: 409 }, { commit: true });
    bench.simulator.fault({ operation: "campaign.list", skip: 1, times: "always", then: { status: 403 } });
    const { state, message } = await leftBy(campaign.create(declared, bench));
    assert.equal(state.launchState, "unconfirmed");
    assert.match(message, /The campaign list could not be read:\n {2}campaign\.list failed: .*403/);
    assert.doesNotMatch(message, /list does not show it/);
  });

  it("adopts none of several candidates, and names them", async () => {
    fault({ status: 409 }, { commit: true });
    bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs" });
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
    const { state, message } = await leftBy(campaign.create(declared, bench));
    assert.equal(state.campaignId, undefined);
    assert.match(message, /2 live campaigns have this name: theirs \(.*; cmp_\d \(/);
    assert.equal(held(bench).length, 2);
  });

  it("counts the quarantine from the moment the outcome of the launch became uncertain", async () => {
    const slow = failingToSend(bench, 1, () => {
      void bench.clock.sleep(20_000);
      return new TypeError("late");
    });
    const { state, message } = await leftBy(campaign.create(declared, slow));
    assert.equal(state.launchAttemptedAt, "2026-01-01T00:00:20.000Z");
    assert.match(message, /its launch, sent before 2026-01-01T00:00:20Z/);
    assert.equal(
      bench.clock.now() - Date.parse("2026-01-01T00:00:00Z"),
      50_000,
      "the settle time starts at the response",
    );
    await slow.service.close();
  });
});
