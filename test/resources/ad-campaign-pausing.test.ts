import assert from "node:assert/strict";
import type { RequestFault } from "../../simulator";
import { afterKill, asStored, campaign, declared, held, refusal, requests, type State } from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";

const uncertain: Record<string, RequestFault["then"]> = {
  "a 409": { status: 409, body: { detail: "timed out after being sent" } },
  "a 502": { status: 502 },
  "a reset": "reset",
  "a 200 that does not name the action": { status: 200, body: {} },
  "a 200 that names another action": { status: 200, body: { status: "queued" } },
  "an empty 200": { status: 200 },
};

describe("AdCampaign, pausing", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const paused = { ...declared, paused: true };
  const resumed = { ...declared, paused: false };
  const launched = async (inputs: object = declared): Promise<State> => {
    const state = await campaign.create(inputs, bench);
    requests(bench);
    return state;
  };
  const set = (status: string) => bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status });

  it("pauses and resumes", async () => {
    const state = await launched(resumed);
    const now = await campaign.update(state, paused, bench);
    assert.deepEqual([requests(bench), held(bench), now.paused], [["pause"], ["cmp_1 PAUSED"], true]);
    const then = await campaign.update(now, resumed, bench);
    assert.deepEqual([requests(bench), held(bench), then.paused], [["resume"], ["cmp_1 ENABLED"], false]);
  });

  it("is announced at the launch of a campaign that is declared as paused", async () => {
    await launched(paused);
    assert.match(bench.said.join("\n"), /^Launching .*\. This starts spending until it is paused right after\. If/);
  });

  it("sends no request when the campaign is as declared", async () => {
    const state = await launched(resumed);
    await campaign.update(state, resumed, bench);
    assert.deepEqual(requests(bench), []);
  });

  it("pauses without reading the list, and reads it before a resume, when paused was not declared before", async () => {
    const state = await launched();
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 503 } });
    const now = await campaign.update(state, paused, bench);
    assert.deepEqual([requests(bench), now.paused, held(bench)], [["pause"], true, ["cmp_1 PAUSED"]]);
    bench.simulator.clearFaults();
    await campaign.update(state, resumed, bench);
    assert.deepEqual([requests(bench), held(bench)], [["list", "resume"], ["cmp_1 ENABLED"]]);
  });

  it("sends the request when the list's status says neither", async () => {
    const state = await launched();
    set("LIMITED");
    await campaign.update(state, resumed, bench);
    assert.deepEqual(requests(bench), ["list", "resume"]);
  });

  it("stops managing it when the program no longer declares it", async () => {
    const state = await launched(paused);
    const now = await campaign.update(state, declared, bench);
    assert.deepEqual([requests(bench), held(bench), now.paused], [[], ["cmp_1 PAUSED"], undefined]);
  });

  it("launches a campaign that is declared as paused, and then pauses it", async () => {
    const state = await campaign.create(paused, bench);
    assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list", "pause"]);
    assert.deepEqual([held(bench), state.paused], [["cmp_1 PAUSED"], true]);
  });

  it("also pauses a campaign that it found running, and does not pause a paused one", async () => {
    const next = await afterKill(bench, paused);
    const other = await afterKill(bench, paused);
    bench.simulator.objects.putCampaign("app-1", asStored);
    await campaign.create(paused, next);
    assert.deepEqual(requests(bench), ["list", "pause"]);
    await campaign.create(paused, other);
    assert.deepEqual(requests(bench), ["list"]);
  });

  it("keeps a launched campaign in state when the pause is refused, and the next up continues", async () => {
    bench.simulator.fault({ operation: "campaign.pause", then: { status: 403, body: { detail: "No" } } });
    const { state, message } = await leftBy(campaign.create(paused, bench));
    assert.match(
      message,
      /^MONEY MAY BE MOVING: campaign cmp_1 \(app-1, USD 5\.00 a day\) is declared as paused and may be running\.\n.*403\.\n {2}The service said: No\n.*\n {2}- Run `pulumi up` again/s,
    );
    assert.deepEqual([state.campaignId, state.launchState, state.paused], ["cmp_1", "confirmed", undefined]);
    requests(bench);
    const healed = await campaign.update(state, paused, bench.later());
    assert.deepEqual([requests(bench), healed.paused], [["list", "pause"], true]);
    assert.equal(bench.simulator.objects.launches().length, 1);
  });

  it("says after a failed resume that the campaign is kept", async () => {
    const state = await launched(paused);
    bench.simulator.fault({ operation: "campaign.resume", then: { status: 403 } });
    const { state: left, message } = await leftBy(campaign.update(state, resumed, bench));
    assert.match(
      message,
      /^The campaign cmp_1 \(app-1, USD 5\.00 a day\) may still be paused, although the program declares it as running\.\n.*Run `pulumi up` again/s,
    );
    assert.deepEqual([left.campaignId, left.paused], ["cmp_1", undefined]);
  });

  for (const [what, then] of Object.entries(uncertain)) {
    it(`succeeds after ${what} when the list shows it`, async () => {
      const state = await launched(resumed);
      bench.simulator.fault({ operation: "campaign.pause", commit: true, then });
      assert.equal((await campaign.update(state, paused, bench)).paused, true);
      assert.deepEqual(requests(bench), ["pause", "list"]);
      assert.match(bench.said.join(), /uncertain whether campaign cmp_1 was paused\. Reading the campaign list/);
      bench.simulator.fault({ operation: "campaign.resume", commit: true, then });
      await campaign.update({ ...state, paused: true }, resumed, bench);
      assert.deepEqual([requests(bench), held(bench)], [["resume", "list"], ["cmp_1 ENABLED"]]);
    });

    it(`is sent again after ${what} only when the list shows the campaign unchanged`, async () => {
      const state = await launched(resumed);
      bench.simulator.fault({ operation: "campaign.pause", then });
      await campaign.update(state, paused, bench);
      assert.deepEqual([requests(bench), held(bench)], [["pause", "list", "pause"], ["cmp_1 PAUSED"]]);
    });
  }

  it("accepts a response that names the action, also in capital letters", async () => {
    const state = await launched(resumed);
    bench.simulator.fault({
      operation: "campaign.pause",
      commit: true,
      then: { status: 200, body: { status: "PAUSED" } },
    });
    await campaign.update(state, paused, bench);
    assert.deepEqual(requests(bench), ["pause"]);
  });

  it("stops after three requests without effect, and says that the campaign may be spending", async () => {
    const state = await launched(resumed);
    bench.simulator.fault({ operation: "campaign.pause", times: 3, then: { status: 200, body: {} } });
    const { message } = await leftBy(campaign.update(state, paused, bench));
    assert.match(
      message,
      /cmp_1 of app app-1 was not paused, and may still be spending: after 3 requests the list still shows it as it was/,
    );
    assert.deepEqual(message.match(/(?<=\n {2}- ).*/g), [
      "Check campaign cmp_1 in the service, then run the command again.",
      "Run `pulumi up` again. It continues from here.",
    ]);
    assert.equal(requests(bench).filter((operation) => operation === "pause").length, 3);
  });

  it("says in previews that it is not known whether the campaign is paused", async () => {
    const state = { ...(await launched(resumed)), paused: undefined, pauseState: "uncertain" as const };
    const next = bench.later();
    await campaign.preview(state, paused, next);
    assert.match(
      next.said.join(),
      /^MONEY MAY BE MOVING: it is not known whether campaign cmp_1 \(app-1, USD 5\.00 a day\) is paused\.\n {2}`pulumi up` reads the campaign list/,
    );
  });

  it("does not treat a 404 as a removal when the list cannot be read", async () => {
    const state = await launched(resumed);
    bench.simulator.fault({ operation: "campaign.pause", then: { status: 404 } });
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
    const { message } = await leftBy(campaign.update(state, paused, bench));
    assert.match(
      message,
      /^MONEY MAY BE MOVING.*\n {2}Campaign cmp_1 of app app-1 could not be paused: the service answered 404\. It may still be spending\.\n {2}campaign\.pause failed: .* 404/,
    );
  });

  it("sends no further request for a campaign that is launched running, as declared", async () => {
    const state = await campaign.create(resumed, bench);
    assert.deepEqual([requests(bench), state.paused], [["list", "readiness", "launch", "list"], false]);
  });

  it("is not sent again when the list cannot be read after an uncertain response", async () => {
    const state = await launched(resumed);
    bench.simulator.fault({ operation: "campaign.pause", then: { status: 200, body: {} } });
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
    const { message } = await leftBy(campaign.update(state, paused, bench));
    assert.match(
      message,
      /uncertain whether campaign cmp_1 .* was paused\. It may still be spending\.\n.*answered without saying that the campaign was paused\.\n.*could not be read/s,
    );
    assert.equal(requests(bench).filter((operation) => operation === "pause").length, 1);
  });

  for (const [what, gone] of Object.entries({
    removed: () => set("REMOVED"),
    "no longer listed": () => bench.simulator.objects.removeCampaign("app-1", "cmp_1"),
  })) {
    it(`says to refresh when it is ${what}, and does not warn about money`, async () => {
      const state = await launched();
      gone();
      for (const inputs of [paused, resumed])
        assert.match(
          await refusal(campaign.update(state, inputs, bench)),
          /^Campaign cmp_1 of app app-1 is removed\. It does not spend\.\n {2}- Run `pulumi refresh`/,
        );
    });

    it(`says to refresh when it turns out to be ${what} after an uncertain response`, async () => {
      const state = await launched(resumed);
      gone();
      bench.simulator.fault({ operation: "campaign.pause", then: "reset" });
      assert.match(await refusal(campaign.update(state, paused, bench)), /is removed\. It does not spend/);
      assert.deepEqual(requests(bench), ["pause", "list"]);
    });
  }

  it("says what to do when pausing must not be called", async () => {
    const state = await launched(resumed);
    const documented = bench.later({ endpoints: `{"campaign.pause": "none"}` });
    const { message } = await leftBy(campaign.update(state, paused, documented));
    assert.match(message, /campaign\.pause is set to "none" in workspace-apps:endpoints/);
    assert.deepEqual(requests(bench), []);
    await documented.service.close();
  });
});
