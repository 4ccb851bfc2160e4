import assert from "node:assert/strict";
import type { RequestFault, SimulatorOptions } from "../../simulator";
import { asStored, campaign, declared, held, intend, refusal, requests, type State } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";

/** Responses that leave it uncertain whether the change was made. */
const uncertain: Record<string, RequestFault["then"]> = {
  "a 409": { status: 409, body: { detail: "timed out after being sent" } },
  "a 500": { status: 500 },
  "a 504 web page": { status: 504, body: "<html>" },
  "a reset": "reset",
  "a 200 web page": { status: 200, body: "<html>" },
};

const credentials: SimulatorOptions["credentials"] = [
  { value: "full-access-token", kind: "personal-token" },
  { value: "limited-token", kind: "personal-token", apps: ["app-2"] },
];

describe("AdCampaign, changing", () => {
  let bench: Bench;
  let state: State;
  beforeEach(async () => {
    const first = await startBench({}, { credentials });
    state = await campaign.create(declared, first);
    requests(first);
    bench = first.later();
  });
  afterEach(() => bench.close());

  const fault = (
    operation: RequestFault["operation"],
    then: RequestFault["then"],
    more: Partial<RequestFault> = {},
  ) => {
    bench.simulator.fault({ operation, then, ...more });
  };
  const unreadable = (): void => {
    fault("campaign.list", { status: 403 }, { times: "always" });
  };
  const elsewhere = (): Bench => bench.later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") });

  describe("deleting", () => {
    it("stops it permanently", async () => {
      await campaign.delete(state, bench);
      assert.deepEqual(requests(bench), ["delete"]);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
    });

    it("uses the service's id, not the ad platform's", async () => {
      await campaign.delete(state, bench);
      assert.equal(bench.simulator.requests[0]?.parameters["campaign_id"], "cmp_1");
    });

    it("succeeds when the campaign is already gone", async () => {
      bench.simulator.objects.removeCampaign("app-1", "cmp_1");
      await campaign.delete(state, bench.later());
      assert.deepEqual(requests(bench), ["delete", "list"]);
    });

    for (const [what, then] of Object.entries(uncertain)) {
      it(`succeeds after ${what} when the list shows it as removed`, async () => {
        fault("campaign.delete", then, { commit: true });
        await campaign.delete(state, bench);
        assert.deepEqual(requests(bench), ["delete", "list"]);
        assert.match(bench.said.join(), /uncertain whether campaign cmp_1 was deleted\. Reading the campaign list/);
      });

      it(`is sent again after ${what} only when the list shows it unchanged`, async () => {
        fault("campaign.delete", then);
        await campaign.delete(state, bench);
        assert.deepEqual(requests(bench), ["delete", "list", "delete"]);
        assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
      });
    }

    it("accepts a 200 with any body", async () => {
      fault("campaign.delete", { status: 200, body: { status: "queued", extra: 1 } }, { commit: true });
      await campaign.delete(state, bench);
      assert.deepEqual(requests(bench), ["delete"]);
    });

    it("succeeds after an uncertain response even with a list that never showed it before", async () => {
      fault("campaign.delete", "reset", { commit: true });
      await campaign.delete({ ...state, readBy: bench.service.endpoints.mark("campaign.launch") }, bench);
      assert.deepEqual(requests(bench), ["delete", "list"]);
    });

    it("succeeds after an uncertain response when the list no longer shows it", async () => {
      fault("campaign.delete", "reset", { commit: true });
      fault("campaign.list", { status: 200, body: [] });
      await campaign.delete(state, bench);
      assert.deepEqual(requests(bench), ["delete", "list"]);
    });

    it("waits longer before each look at the list, and stops after three requests", async () => {
      fault("campaign.delete", { status: 409 }, { times: 3 });
      const why = await refusal(campaign.delete(state, bench));
      assert.match(
        why,
        /^Campaign cmp_1 of app app-1 was not deleted, and may still be spending: after 3 requests the list still shows it as it was\.\n/,
      );
      assert.match(why, /\n {2}campaign\.delete failed: the service answered 409/);
      assert.match(why, /\n {2}- Check campaign cmp_1 in the service, then run the command again\.$/);
      assert.deepEqual(requests(bench), ["delete", "list", "delete", "list", "delete", "list"]);
      assert.deepEqual(
        bench.clock.sleeps.filter((wait) => wait > 0),
        [1_000, 3_000, 10_000],
      );
    });

    it("fails when the list cannot be read after an uncertain response, and is not sent again", async () => {
      fault("campaign.delete", { status: 409, body: { detail: "timed out" } });
      unreadable();
      const why = await refusal(campaign.delete(state, bench));
      assert.match(
        why,
        /^It is uncertain whether campaign cmp_1 of app app-1 was deleted\. It may still be spending\.\n/,
      );
      assert.match(
        why,
        /answered 409\.\n {2}The service said: timed out\n.*The campaign list could not be read:\n.*403/s,
      );
      assert.match(why, /\n {2}- Check campaign cmp_1 in the service, then run the command again\.$/);
      assert.equal(requests(bench).filter((operation) => operation === "delete").length, 1);
    });

    it("does not treat a missing row as success in a list that never showed the campaign", async () => {
      fault("campaign.delete", "reset");
      fault("campaign.list", { status: 200, body: [] });
      const unseen = { ...state, readBy: bench.service.endpoints.mark("campaign.launch") };
      const why = await refusal(campaign.delete(unseen, bench));
      assert.match(
        why,
        /carried out\.\n {2}Campaign .* is not in the campaign list\. That does not prove .*\n {2}This list has never/,
      );
      assert.doesNotMatch(why, /could not be read/);
    });

    for (const [what, body] of Object.entries({
      "a 404": { code: "campaign_not_found" },
      "a proxy's 404 page": "<html>No such page</html>",
    })) {
      it(`does not treat ${what} as success while the list shows the campaign`, async () => {
        fault("campaign.delete", { status: 404, body });
        const why = await refusal(campaign.delete(state, bench));
        assert.match(
          why,
          /^Campaign cmp_1 of app app-1 was not deleted, and may still be spending: the service answered 404, and the list still shows it as it was\.\n {2}campaign\.delete failed/,
        );
        assert.match(why, /\n {2}- Check campaign cmp_1 in the service, then run the command again\.$/);
        assert.deepEqual(requests(bench), ["delete", "list"]);
        assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
      });

      for (const [how, gone] of Object.entries({
        "shows it as removed": () => bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "REMOVED" }),
        "no longer shows it": () => bench.simulator.objects.removeCampaign("app-1", "cmp_1"),
      }))
        it(`treats ${what} as success when the list ${how}`, async () => {
          gone();
          fault("campaign.delete", { status: 404, body });
          await campaign.delete(state, bench);
          assert.deepEqual(requests(bench), ["delete", "list"]);
        });
    }

    it("names a token that is limited to other apps as a cause of the 404", async () => {
      fault("campaign.delete", { status: 404, body: {} });
      assert.match(
        await refusal(campaign.delete(state, bench)),
        /\n {2}- Check appId, the token's scope and .*\. A token that is limited to other apps gets a 404 too\.\n/,
      );
    });

    it("fails with a token that is limited to other apps, which cannot read the list either", async () => {
      const limited = bench.later({ accessToken: "limited-token" });
      const why = await refusal(campaign.delete(state, limited));
      assert.match(
        why,
        /^Campaign cmp_1 of app app-1 could not be deleted: the service answered 404\. It may still be spending\.\n/,
      );
      assert.match(
        why,
        /campaign\.delete failed: the service answered 404.*The campaign list could not be read:\n.*404/s,
      );
      assert.deepEqual([requests(bench), held(bench)], [["delete", "list"], ["cmp_1 ENABLED"]]);
      await limited.service.close();
    });

    it("does not treat a 404 as success when a list that never showed the campaign does not show it", async () => {
      const unseen = { ...state, readBy: bench.service.endpoints.mark("campaign.launch") };
      fault("campaign.delete", { status: 404, body: {} });
      fault("campaign.list", { status: 200, body: [] });
      assert.match(await refusal(campaign.delete(unseen, bench)), /That does not prove that it was deleted/);
    });

    it("does not treat a 404 from another base URL as success", async () => {
      const other = elsewhere();
      bench.simulator.objects.removeCampaign("app-1", "cmp_1");
      assert.match(
        await refusal(campaign.delete(state, other)),
        /at another base URL, so it was not deleted\.\n {2}- Check workspace-apps:b.*\n.*run `pulumi refresh` first/,
      );
      await other.service.close();
    });

    for (const status of [401, 402, 403, 405, 422]) {
      it(`reads the list after a ${String(status)}, fails while it shows the campaign, and is not sent again`, async () => {
        fault("campaign.delete", { status, body: { detail: "workspace key" } });
        const why = await refusal(campaign.delete(state, bench));
        assert.ok(
          why.startsWith(
            `Campaign cmp_1 of app app-1 was not deleted, and may still be spending: the service answered ${String(status)}, and the list still shows it as it was.\n`,
          ),
          why,
        );
        assert.match(why, /answered \d+\.\n {2}The service said: workspace key/);
        assert.deepEqual([requests(bench), held(bench)], [["delete", "list"], ["cmp_1 ENABLED"]]);
        assert.deepEqual(bench.said, []);
      });

      it(`is done after a ${String(status)} when the list shows the campaign as removed`, async () => {
        fault("campaign.delete", { status, body: {} });
        bench.simulator.objects.removeCampaign("app-1", "cmp_1");
        await campaign.delete(state, bench);
        assert.deepEqual(requests(bench), ["delete", "list"]);
      });
    }

    it("is told by the error of the launch that follows it", async () => {
      const renamed = { ...declared, campaignName: "Summer sale" };
      bench.simulator.objects.putCampaign("app-1", { ...asStored, campaign_name: "Summer sale" });
      await campaign.preview(state, renamed, bench);
      await campaign.delete(state, bench);
      assert.match(
        await refusal(campaign.create(renamed, bench)),
        /\n {2}The campaign cmp_1 of app app-1 was ended before, to launch this one in its place\.\n/,
      );
    });

    it("does not happen for a campaign that cannot be adopted in its place", async () => {
      const adopting = { ...declared, campaignId: "theirs" };
      await campaign.preview(state, adopting, bench);
      assert.match(
        await refusal(campaign.delete(state, bench)),
        /^Campaign theirs of app app-1 was not adopted: it is not/,
      );
      assert.deepEqual([requests(bench), held(bench)], [["list"], ["cmp_1 ENABLED"]]);
      bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs" });
      await campaign.delete(state, bench);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "theirs ENABLED"]);
    });

    for (const [deletionPolicy, why] of Object.entries({
      retain: 'Its deletionPolicy is "retain", so it would go on spending beside the new one.',
      pause:
        'Its deletionPolicy is "pause", so it would stay in the list under the same name and could be mistaken for the new one.',
    } as const))
      it(`is refused for a replacement that only the deletion shows, where the policy is ${deletionPolicy}`, async () => {
        await intend(declared, bench);
        const message = await refusal(campaign.delete({ ...state, deletionPolicy } as State, bench));
        assert.ok(message.startsWith(`The campaign cmp_1 of app app-1 was not replaced. ${why}\n`), message);
        assert.deepEqual([requests(bench), held(bench)], [["list"], ["cmp_1 ENABLED"]]);
        fault("campaign.list", { status: 500 }, { times: 9 });
        assert.equal(await refusal(campaign.delete({ ...state, deletionPolicy } as State, bench)), message);
        bench.simulator.clearFaults();
        // Another resource managed it too, and has ended it.
        bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "REMOVED" });
        await campaign.delete({ ...state, deletionPolicy } as State, bench);
        assert.ok(!requests(bench).some((operation) => ["delete", "pause"].includes(operation)));
      });

    it("neither succeeds nor is sent again after a 400 while the list shows the campaign", async () => {
      fault("campaign.delete", { status: 400, body: { detail: "Not now" } });
      await assert.rejects(campaign.delete(state, bench), /answered 400\.\n {2}The service said: Not now/);
      assert.deepEqual(requests(bench), ["delete", "list"]);
    });

    it("says what to do when it must not be called", async () => {
      const none = bench.later({ endpoints: `{"campaign.delete": "none"}` });
      assert.match(await refusal(campaign.delete(state, none)), /campaign\.delete is set to "none"/);
      await none.service.close();
    });

    it("allows an equal campaign to be launched in its place, although a slow list still shows the old one", async () => {
      const [row] = bench.simulator.objects.campaigns("app-1");
      await campaign.delete(state, bench);
      fault("campaign.list", { status: 200, body: [row] });
      const next = await campaign.create(declared, bench);
      assert.notEqual(next.campaignId, state.campaignId);
      assert.equal(bench.simulator.objects.launches().length, 2);
    });

    it("does not treat the old campaign as a duplicate of the new one", async () => {
      const [row] = bench.simulator.objects.campaigns("app-1");
      await campaign.delete(state, bench);
      fault("campaign.list", { status: 200, body: [row] }, { times: 2 });
      assert.equal((await campaign.create(declared, bench)).launchState, "confirmed");
    });
  });

  describe("destroying with the policy pause", () => {
    const pausing = (): State => ({ ...state, deletionPolicy: "pause" });

    it("pauses it, and allows an equal campaign to be launched in its place", async () => {
      await campaign.delete(pausing(), bench);
      assert.deepEqual([requests(bench), held(bench)], [["pause"], ["cmp_1 PAUSED"]]);
      await campaign.create(declared, bench);
      assert.deepEqual(held(bench), ["cmp_1 PAUSED", "cmp_2 ENABLED"]);
    });

    for (const [what, gone] of Object.entries({
      removed: () => bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "REMOVED" }),
      "no longer listed": () => bench.simulator.objects.removeCampaign("app-1", "cmp_1"),
    })) {
      it(`succeeds when it is ${what}`, async () => {
        gone();
        await campaign.delete(pausing(), bench.later());
        assert.deepEqual(requests(bench), ["pause", "list"]);
      });

      it(`succeeds when it is ${what} after an uncertain response`, async () => {
        gone();
        fault("campaign.pause", "reset");
        await campaign.delete(pausing(), bench.later());
        assert.deepEqual(requests(bench), ["pause", "list"]);
      });
    }

    it("fails after a 404 while the list shows it running", async () => {
      fault("campaign.pause", { status: 404, body: {} });
      assert.match(
        await refusal(campaign.delete(pausing(), bench)),
        /was not paused, and may still be spending: the service answered 404, and the list still shows it as it was/,
      );
      assert.deepEqual([requests(bench), held(bench)], [["pause", "list"], ["cmp_1 ENABLED"]]);
    });

    it("succeeds after a 404 when the list shows it paused", async () => {
      fault("campaign.pause", { status: 404, body: {} }, { commit: true });
      await campaign.delete(pausing(), bench);
      assert.deepEqual([requests(bench), held(bench)], [["pause", "list"], ["cmp_1 PAUSED"]]);
    });

    it("fails when it is refused, because the campaign keeps spending", async () => {
      fault("campaign.pause", { status: 403 });
      await assert.rejects(campaign.delete(pausing(), bench), /403/);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });
  });

  it("saves a changed deletionPolicy and timezone without a request", async () => {
    const kept = await campaign.update(state, { ...declared, deletionPolicy: "retain", timezone: "Asia/Tokyo" }, bench);
    assert.deepEqual([kept.deletionPolicy, kept.timezone], ["retain", "Asia/Tokyo"]);
    const dropped = await campaign.update(kept, declared, bench);
    assert.deepEqual(dropped, state);
    assert.deepEqual(requests(bench), []);
  });

  it("says that a retained campaign keeps spending", async () => {
    await campaign.delete({ ...state, deletionPolicy: "retain" }, bench);
    assert.deepEqual([requests(bench), held(bench)], [[], ["cmp_1 ENABLED"]]);
    assert.match(bench.said.join(), /cmp_1 is retained: it leaves the stack and goes on spending/);
    await campaign.delete({ ...state, deletionPolicy: "retain", paused: true }, bench);
    assert.match(bench.said.join(), /cmp_1 is retained: it leaves the stack and stays paused/);
  });
});
