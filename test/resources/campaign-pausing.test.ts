import assert from "node:assert/strict";
import type { RequestFault } from "../../simulator";
import { asStored, declared, faulting, held, requests, campaign, intend } from "../support/campaigns";
import { type Bench, startBench, leftBy } from "../support/deployment";
import { failureOf, StackedCampaign } from "../support/stacked-campaign";

const paused = { ...declared, paused: true };
const running = { ...declared, paused: false };

/** Responses that do not say whether the campaign was paused. */
const uncertain: Record<string, RequestFault["then"]> = {
  "a 409": { status: 409, body: { detail: "timed out after being sent" } },
  "a 502": { status: 502 },
  "a reset": "reset",
  "a 200 that names the other action": { status: 200, body: { status: "resumed" } },
};

describe("AdCampaign, pausing", () => {
  let bench: Bench;
  let stack: StackedCampaign;
  const start = async (...options: Parameters<typeof startBench>): Promise<void> => {
    bench = await startBench(...options);
    stack = new StackedCampaign(bench);
  };
  beforeEach(() => start());
  afterEach(() => bench.close());

  const later = (): Bench => {
    const next = bench.later();
    stack.in(next);
    requests(bench);
    return next;
  };
  const launched = async (inputs: object = declared): Promise<void> => {
    await stack.up(inputs);
    later();
  };
  const fault = faulting(() => bench);
  const set = (status: string, id = "cmp_1") => bench.simulator.objects.changeCampaign("app-1", id, { status });
  const verify = (): void => {
    bench.simulator.advertising.trackingVerified("app-1");
  };
  /** The service pauses a new campaign by itself until conversion tracking verifies. */
  const untracked = async (): Promise<void> => {
    await bench.close();
    await start({}, { tracking: "pending" });
  };

  it("pauses and resumes with one request each", async () => {
    await launched(running);
    await stack.up(paused);
    assert.deepEqual([requests(bench), held(bench), stack.state?.paused], [["pause"], ["cmp_1 PAUSED"], true]);
    later();
    await stack.up(running);
    assert.deepEqual([requests(bench), held(bench), stack.state?.paused], [["resume"], ["cmp_1 ENABLED"], false]);
  });

  it("launches a campaign that is declared as paused, pauses it, and says both before", async () => {
    await stack.up(paused);
    assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list", "pause"]);
    assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
    assert.match(bench.said.join("\n"), /^Launching .*\. This starts spending until it is paused right after\. If/m);
  });

  it("sends no request for a campaign that is as declared", async () => {
    for (const inputs of [running, paused, declared]) {
      await stack.up(inputs);
      later();
      assert.equal((await stack.up(inputs)).did, "nothing");
      assert.deepEqual(requests(bench), []);
    }
  });

  it("leaves the campaign paused when the program no longer declares it, and still resumes it when told", async () => {
    await launched(paused);
    await stack.up(declared);
    assert.deepEqual([requests(bench), held(bench), stack.state?.paused], [[], ["cmp_1 PAUSED"], undefined]);
    later();
    await stack.up(running);
    assert.deepEqual([requests(bench), held(bench)], [["resume"], ["cmp_1 ENABLED"]]);
  });

  describe("counts only the service's own 200", () => {
    for (const [what, then] of Object.entries(uncertain)) {
      it(`sends the pause again after ${what}, although the list shows the campaign as paused`, async () => {
        await launched(running);
        fault("campaign.pause", then, { commit: true });
        await stack.up(paused);
        assert.deepEqual([requests(bench), held(bench)], [["pause", "list", "pause"], ["cmp_1 PAUSED"]]);
      });

      it(`fails after ${what} three times, and the next up sends it again although it is listed as paused`, async () => {
        await launched(running);
        fault("campaign.pause", then, { commit: true, times: 3 });
        assert.match(
          await failureOf(stack.up(paused)),
          /^MONEY MAY BE MOVING: the campaign cmp_1 .* is declared as paused, and the service did not confirm the pause\./,
        );
        assert.equal(requests(bench).filter((operation) => operation === "pause").length, 3);
        assert.deepEqual([held(bench), stack.state?.campaignId], [["cmp_1 PAUSED"], "cmp_1"]);
        later();
        await stack.up(paused);
        assert.deepEqual(requests(bench), ["pause"]);
        later();
        assert.equal((await stack.up(paused)).did, "nothing");
      });
    }

    for (const [what, body] of Object.entries({
      "an empty body": undefined,
      "another spelling": { status: "PAUSED" },
      "a body without a status": {},
      "a status of its own": { status: "queued" },
    }))
      it(`accepts a 200 with ${what}`, async () => {
        await launched(running);
        fault("campaign.pause", { status: 200, body }, { commit: true });
        await stack.up(paused);
        assert.deepEqual(requests(bench), ["pause"]);
      });

    describe("for a launch that is found while tracking is not wired", () => {
      beforeEach(untracked);
      const lostLaunch = async (): Promise<void> => {
        fault("campaign.launch", "reset", { commit: true });
        fault("campaign.list", { status: 200, body: [] }, { times: "always" });
        await failureOf(stack.up(paused));
        assert.equal(stack.state?.launchState, "unconfirmed");
        bench.simulator.clearFaults();
        later();
      };
      const cases: Record<string, () => Promise<void>> = {
        "by the command that got a 409": () => {
          fault("campaign.launch", { status: 409 }, { commit: true });
          return Promise.resolve();
        },
        "after a kill": async () => {
          await lostLaunch();
          stack.loseState();
        },
        "by a later up": lostLaunch,
        "by a refresh": async () => {
          await lostLaunch();
          await stack.refresh();
          assert.equal(stack.state?.campaignId, "cmp_1");
        },
      };
      for (const [how, prepare] of Object.entries(cases))
        it(`sends the pause: ${how}`, async () => {
          await prepare();
          await stack.up(paused);
          assert.deepEqual(requests(bench).slice(-2), ["list", "pause"]);
          verify();
          assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
        });
    });
  });

  for (const status of [403, 404, 405]) {
    describe(`that is answered with ${String(status)}`, () => {
      it("fails at the launch, keeps the campaign in the state, and names the ways out", async () => {
        await untracked();
        fault("campaign.pause", { status, body: { detail: "No" } });
        const message = await failureOf(stack.up(paused));
        assert.match(message, /^MONEY MAY BE MOVING: the campaign cmp_1 \(app-1, USD 5\.00 a day\) is declared as p/);
        assert.match(message, new RegExp(`answered ${String(status)}\\.\n {2}The service said: No\n`));
        assert.match(message, /\n {2}It may be running, or start by itself when conversion tracking verifies\.\n/);
        assert.match(message, /\n {2}- Run `pulumi up` again\. It continues from here\.\n/);
        assert.match(message, /\n {2}- .*leave paused out\.\n {2}- .*deletionPolicy to "retain"/);
        assert.deepEqual([stack.state?.campaignId, stack.state?.launchState], ["cmp_1", "confirmed"]);
        later();
        await stack.up(paused);
        assert.deepEqual(requests(bench), ["pause"]);
        verify();
        assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
        assert.equal(bench.simulator.objects.launches().length, 1);
      });

      it("is not repeated in the same command", async () => {
        await launched();
        fault("campaign.pause", { status });
        await failureOf(stack.up(paused));
        assert.equal(requests(bench).filter((operation) => operation === "pause").length, 1);
      });

      it("is over when the program leaves paused out", async () => {
        await launched();
        fault("campaign.pause", { status }, { times: "always" });
        await failureOf(stack.up(paused));
        later();
        await stack.up(declared);
        assert.deepEqual([requests(bench), held(bench)], [[], ["cmp_1 ENABLED"]]);
        later();
        assert.equal((await stack.up(declared)).did, "nothing");
      });
    });
  }

  it("is not needed for a campaign that somebody removed, which a refresh drops from the state", async () => {
    await launched();
    set("REMOVED");
    assert.match(
      await failureOf(stack.up(paused)),
      /^The campaign cmp_1 of app app-1 is removed\. It does not spend\. \[WA1234\]\n {2}- To launch another: run `pulumi refresh`/,
    );
    later();
    await stack.refresh();
    assert.equal(stack.state, undefined);
    later();
    await stack.up(paused);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 PAUSED"]);
  });

  it("warns of money when the list that would show a removal cannot be read", async () => {
    await launched();
    fault("campaign.pause", { status: 404 });
    fault("campaign.list", { status: 403 }, { times: "always" });
    assert.match(await failureOf(stack.up(paused)), /^MONEY MAY BE MOVING/);
  });

  it("says what to do where pausing must not be called", async () => {
    await launched();
    const documented = bench.later({ endpoints: `{"campaign.pause": "none"}` });
    assert.match(
      await failureOf(stack.in(documented).up(paused)),
      /campaign\.pause is set to "none" in workspace-apps:endpoints/,
    );
    assert.deepEqual([requests(bench), stack.state?.campaignId], [[], "cmp_1"]);
    await documented.service.close();
  });

  it("says after a refused resume that the campaign is kept, and the next up resumes it", async () => {
    await launched(paused);
    fault("campaign.resume", { status: 403 });
    assert.match(
      await failureOf(stack.up(running)),
      /^The campaign cmp_1 \(app-1, USD 5\.00 a day\) was not resumed, although the program declares it as running\. \[WA1233\]\n.*Run `pulumi up` again/s,
    );
    assert.equal(stack.state?.campaignId, "cmp_1");
    later();
    await stack.up(running);
    assert.deepEqual([requests(bench), held(bench)], [["resume"], ["cmp_1 ENABLED"]]);
  });

  it("sends the resume again after a lost response, although the list shows the campaign as running", async () => {
    await launched(paused);
    fault("campaign.resume", "reset", { commit: true, times: 3 });
    await failureOf(stack.up(running));
    later();
    await stack.up(running);
    assert.deepEqual([requests(bench), held(bench)], [["resume"], ["cmp_1 ENABLED"]]);
  });

  it("keeps in the state that a refused resume may have been carried out before", async () => {
    const intent = await intend(declared, bench);
    const paused = await campaign.create({ ...declared, paused: true }, bench, intent);
    bench.simulator.fault({ operation: "campaign.resume", commit: true, then: { status: 502 } });
    bench.simulator.fault({ operation: "campaign.resume", times: "always", then: { status: 403 } });
    const { state } = await leftBy(campaign.update(paused, { ...declared, paused: false }, bench.later()));
    assert.equal(state.pausedBy, "unknown");
  });

  describe("an adopted campaign", () => {
    const adopting = { ...declared, campaignId: "theirs" };
    const put = (fields: object) =>
      bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs", ...fields });

    it("sends the pause where it is listed and declared as paused, and nothing else", async () => {
      put({ status: "PAUSED" });
      await stack.up({ ...adopting, paused: true });
      assert.deepEqual(requests(bench), ["list", "pause"]);
      later();
      assert.equal((await stack.up({ ...adopting, paused: true })).did, "nothing");
    });

    for (const then of [{ status: 403 }, { status: 404 }, "reset"] as const)
      it(`stays in the state when that pause ends in ${JSON.stringify(then)}, and the next up sends it`, async () => {
        put({ status: "PAUSED" });
        fault("campaign.pause", then, { times: 3, commit: then === "reset" });
        assert.match(await failureOf(stack.up({ ...adopting, paused: true })), /^MONEY MAY BE MOVING/);
        assert.equal(stack.state?.campaignId, "theirs");
        bench.simulator.clearFaults();
        later();
        await stack.up({ ...adopting, paused: true });
        assert.deepEqual(
          requests(bench).filter((operation) => operation !== "list"),
          ["pause"],
        );
      });

    it("that somebody removed is not launched again by its id, so the error does not promise that", async () => {
      put({ status: "ENABLED" });
      await launched(adopting);
      set("REMOVED", "theirs");
      assert.match(
        await failureOf(stack.up({ ...adopting, paused: true })),
        /is removed\. It does not spend\. \[WA1234\]\n {2}- To launch another: .* If campaignId is declared, leave it out\.\n/,
      );
    });

    it("sends nothing where paused is left out", async () => {
      put({ status: "PAUSED" });
      await stack.up(adopting);
      assert.deepEqual([requests(bench), held(bench)], [["list"], ["theirs PAUSED"]]);
    });

    it("sends the pause when paused is declared later, although it is listed as paused", async () => {
      put({ status: "PAUSED" });
      await launched(adopting);
      await stack.up({ ...adopting, paused: true });
      assert.deepEqual(requests(bench), ["pause"]);
    });
  });

  describe("a campaign that the service holds", () => {
    beforeEach(untracked);

    for (const [what, inputs] of Object.entries({ "paused: false": running, "paused left out": declared })) {
      it(`shows no drift with ${what}, is not resumed, and starts by itself`, async () => {
        await launched(inputs);
        await stack.refresh();
        assert.equal((await stack.up(inputs)).did, "nothing");
        assert.deepEqual([requests(bench), held(bench)], [["list"], ["cmp_1 PAUSED"]]);
        verify();
        later();
        await stack.refresh();
        assert.equal((await stack.up(inputs)).did, "nothing");
        assert.deepEqual([requests(bench), held(bench)], [["list"], ["cmp_1 ENABLED"]]);
      });

      it(`is named once by the up that launches it with ${what}, with the way to start it`, async () => {
        await stack.up(inputs);
        const said = bench.said.filter((line) => line.includes("The service holds"));
        assert.equal(said.length, 1);
        assert.match(
          String(said[0]),
          /campaign cmp_1 .* until conversion tracking verifies, and then starts by itself\. .*paused: true, .*then set paused: false/,
        );
        const next = later();
        await stack.up(inputs);
        assert.deepEqual(
          next.said.filter((line) => line.includes("The service holds")),
          [],
        );
      });
    }

    it("is named once too where the list does not show it yet after the launch", async () => {
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 60_000 });
      await stack.up(running);
      assert.equal(bench.said.filter((line) => line.includes("The service holds")).length, 1);
    });

    it("is not named where the up that launches it pauses it", async () => {
      await stack.up(paused);
      assert.ok(!bench.said.join("\n").includes("The service holds"), bench.said.join("\n"));
    });

    it("starts with paused: true and then false", async () => {
      await launched(running);
      await stack.up(paused);
      assert.deepEqual(requests(bench), ["pause"]);
      later();
      await stack.up(running);
      assert.deepEqual([requests(bench), held(bench)], [["resume"], ["cmp_1 ENABLED"]]);
    });

    it("is named again by the up that declares paused: false", async () => {
      const state = await campaign.create(declared, bench);
      const up = bench.later();
      requests(bench);
      await campaign.update(state, { ...declared, paused: false }, up);
      assert.match(up.said.join("\n"), /The service holds the campaign cmp_1.*set paused: true/);
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("is not read by an up that only changes deletionPolicy", async () => {
      await launched(running);
      await stack.up({ ...running, deletionPolicy: "retain" });
      assert.deepEqual([requests(bench), stack.state?.deletionPolicy], [[], "retain"]);
    });

    it("is not resumed under the policy pause after an uncertain launch of the same command", async () => {
      bench.simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409 } });
      const state = await campaign.create({ ...declared, deletionPolicy: "pause" }, bench);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
      assert.equal(state.pausedBy, "service");
      assert.match(bench.said.join("\n"), /The service holds the campaign cmp_1/);
    });

    it("shows the same at each refresh after somebody paused it", async () => {
      await launched(running);
      verify();
      await stack.refresh();
      set("PAUSED");
      const shown = [];
      for (let refresh = 1; refresh <= 3; refresh++) {
        later();
        await stack.refresh();
        shown.push(stack.state?.paused);
      }
      assert.deepEqual(shown, [true, true, true]);
    });

    it("is paused by somebody after it was seen running: that is drift with paused: false", async () => {
      await launched(running);
      verify();
      await stack.refresh();
      set("PAUSED");
      later();
      await stack.refresh();
      assert.equal(stack.state?.paused, true);
      await stack.up(running);
      assert.deepEqual([requests(bench), held(bench)], [["list", "resume"], ["cmp_1 ENABLED"]]);
    });

    it("outlasts the verification once it is paused by us", async () => {
      await launched(running);
      await stack.up(paused);
      verify();
      later();
      await stack.refresh();
      assert.deepEqual([held(bench), stack.state?.paused], [["cmp_1 PAUSED"], true]);
      assert.equal((await stack.up(paused)).did, "nothing");
    });
  });

  describe("under the policy pause", () => {
    const pausing = { ...declared, deletionPolicy: "pause" };
    /** A command launched a campaign and was killed, and the one that removed it paused it. */
    const pausedOrphan = async (): Promise<void> => {
      await launched(pausing);
      stack.loseState();
      set("PAUSED");
      later();
    };

    it("resumes a campaign that is taken over while it is listed as paused", async () => {
      await pausedOrphan();
      await stack.up(pausing);
      assert.deepEqual(requests(bench), ["list", "resume"]);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    it("pauses it where it is declared as paused", async () => {
      await pausedOrphan();
      await stack.up({ ...pausing, paused: true });
      assert.deepEqual([requests(bench), held(bench)], [["list", "pause"], ["cmp_1 PAUSED"]]);
    });

    it("resumes it in the next up when the resume failed", async () => {
      await pausedOrphan();
      fault("campaign.resume", { status: 403 });
      await failureOf(stack.up(pausing));
      later();
      await stack.up(pausing);
      assert.deepEqual([requests(bench), held(bench)], [["resume"], ["cmp_1 ENABLED"]]);
    });

    it("takes a paused campaign over without a resume under another policy", async () => {
      await launched();
      set("PAUSED");
      stack.loseState();
      later();
      await stack.up(declared);
      assert.deepEqual([requests(bench), held(bench)], [["list"], ["cmp_1 PAUSED"]]);
    });

    it("destroys by a pause, also while the service holds the campaign", async () => {
      await untracked();
      await launched(pausing);
      await stack.destroy();
      assert.deepEqual(
        requests(bench).filter((operation) => operation !== "list"),
        ["pause"],
      );
      verify();
      assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
    });

    for (const [what, then] of Object.entries(uncertain))
      it(`sends the pause at destroy until the service confirms it, after ${what}`, async () => {
        await launched(pausing);
        fault("campaign.pause", then, { times: 2, commit: true });
        await stack.destroy();
        assert.equal(requests(bench).filter((operation) => operation === "pause").length, 3);
        assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
      });

    for (const then of [{ status: 400 }, { status: 403 }, { status: 404 }, "reset"] as const)
      it(`keeps the campaign in the state when destroy ends in ${JSON.stringify(then)}`, async () => {
        await launched(pausing);
        fault("campaign.pause", then, { times: 3, commit: then === "reset" });
        const message = await failureOf(stack.destroy());
        assert.match(message, /^MONEY MAY BE MOVING: .*cmp_1/);
        assert.match(message, /start by itself/);
        assert.match(message, /- .*deletionPolicy to "retain"/);
        assert.equal(stack.state?.campaignId, "cmp_1");
        bench.simulator.clearFaults();
        later();
        await stack.destroy();
        assert.deepEqual(
          requests(bench).filter((operation) => operation !== "list"),
          ["pause"],
        );
      });

    it("is destroyed without a further request when somebody removed the campaign", async () => {
      await launched(pausing);
      set("REMOVED");
      await stack.destroy();
      assert.deepEqual(
        requests(bench).filter((operation) => operation !== "list"),
        ["pause"],
      );
      assert.equal(stack.state, undefined);
    });
  });
});
