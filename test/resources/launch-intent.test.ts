import assert from "node:assert/strict";
import { failureOf, StackedCampaign } from "../support/stacked-campaign";
import { placeKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import {
  afterKill,
  campaign,
  declared,
  held,
  intend,
  type Intent,
  intents,
  refusal,
  requests,
} from "../support/campaigns";
import { type Bench, leftBy, startBench, unchanged } from "../support/deployment";
import { putLaunch } from "../support/launches";

const dearer = { ...declared, dailyBudgetMicros: 6_000_000 };
const inApp2 = { ...declared, appId: "app-2" };

describe("The launch intent of a campaign", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench({}, { credentials: [...["full-access-token", "other-token"].map(asCredential)] });
  });
  afterEach(() => bench.close());

  const asCredential = (value: string) => ({ value, kind: "personal-token" as const });
  const launches = (): number => bench.simulator.objects.launches().length;
  const inApp = (appId: string): string[] =>
    bench.simulator.objects.campaigns(appId).map(({ id, status }) => `${id} ${status}`);
  const lag = (lagMilliseconds: number): void => {
    bench.simulator.fault({ operation: "campaign.list", lagMilliseconds });
  };
  const unreadable = (): void => {
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
  };

  describe("in an ordinary life", () => {
    it("is written after one read of the list, with a key and its app", async () => {
      const intent = await intend(declared, bench);
      assert.deepEqual(requests(bench), ["list"]);
      assert.match(intent.key, /^[0-9a-f]{7}$/);
      assert.deepEqual(intent, { appId: "app-1", apps: ["app-1"], key: intent.key, readBy: intent.readBy });
      assert.ok(bench.service.endpoints.isEvidence("campaign.list", intent.readBy), "it has the credential");
      assert.equal(launchIntentLifecycle.idOf(intent), intent.key);
      assert.equal(launchIntentLifecycle.objectName(intent), `launch intent ${intent.key}`);
    });

    it("is read, changed and deleted beside its campaign without a request of its own", async () => {
      const intent = await intend(declared, bench);
      const launched = await campaign.create(declared, bench, intent);
      requests(bench);
      const next = bench.later();
      assert.deepEqual(await intents.read(intent, next), intent);
      const changed = await intents.update(intent, { appId: "app-1", deletionPolicy: "pause" }, next);
      assert.deepEqual(changed, { ...intent, deletionPolicy: "pause" });
      const last = bench.later();
      await campaign.delete(launched, last);
      assert.deepEqual(requests(bench), ["delete", "list"], "the list may show a late duplicate");
      await intents.delete(changed, last);
      assert.deepEqual(requests(bench), []);
    });

    it("is never replaced: a changed app or policy updates it, and it keeps its key and all its apps", async () => {
      const intent = await intend(declared, bench);
      for (const change of [{ appId: "app-2" }, { appId: "app-1", deletionPolicy: "retain" }])
        assert.deepEqual(await intents.preview(intent, change, bench.later()), { changes: true, replaces: [] });
      assert.deepEqual(await intents.preview(intent, { appId: "app-1" }, bench.later()), unchanged);
      const second = await intents.update(intent, { appId: "app-2" }, bench.later());
      assert.deepEqual(second, { ...intent, appId: "app-2", apps: ["app-1", "app-2"] });
      const third = await intents.update(second, { appId: "app-1" }, bench.later());
      assert.deepEqual(third, { ...intent, apps: ["app-2", "app-1"] });
    });

    it("is not removed at another base URL, before any request: only the first one can show what was launched", async () => {
      const intent = await intend(declared, bench);
      requests(bench);
      const elsewhere = bench.later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") });
      const why =
        /The launch intent \w+ was created or last read at another base URL\. No request was sent\. \[WA1401\]\n {2}- Check workspace-apps:baseUrl/;
      assert.match(await refusal(intents.delete(intent, elsewhere)), why);
      assert.deepEqual(requests(bench), []);
      await elsewhere.service.close();
    });
  });

  describe("after a command that was killed during the launch", () => {
    let intent: Intent;
    let next: Bench;
    beforeEach(async () => {
      ({ bench: next, intent } = await afterKill(bench));
      requests(bench);
    });
    const up = async (inputs: object = declared, on = next) => {
      intent =
        "appId" in inputs && inputs.appId !== intent.appId
          ? await intents.update(intent, { appId: inputs.appId }, on)
          : intent;
      return campaign.create(inputs, on, await intend(inputs, on, intent));
    };

    it("takes the campaign over, and says so: nothing else is launched", async () => {
      const { id } = putLaunch(bench, intent, {}, { status: "PAUSED" });
      const state = await up();
      assert.deepEqual([state.campaignId, state.launchState, state.origin], [id, "confirmed", undefined]);
      assert.ok(!requests(bench).includes("launch"));
      assert.match(
        next.said.join("\n"),
        /An earlier command launched it: .* live as cmp_1 \(PAUSED\)\. Using it; nothing else is launched\./,
      );
      assert.deepEqual(await campaign.read(state, bench.later()), state);
      const last = bench.later();
      await campaign.delete(state, last);
      await intents.delete(intent, last);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED"], "it is this stack's own, so destroy deletes it");
    });

    it("watches the list first, so that a list that lags does not cause a second launch", async () => {
      lag(20_000);
      putLaunch(bench, intent);
      assert.equal((await up()).campaignId, "cmp_1");
      assert.equal(launches(), 0);
      assert.match(
        next.said[0] ?? "",
        /campaign "Spring sale" .* an earlier command may have launched it\. Watching the campaign list for 30 s\.$/,
      );
      // After a plain refusal, nothing was interrupted.
      assert.doesNotMatch(next.said[0] ?? "", /interrupted|died|killed/);
    });

    it("launches when the watched list shows nothing, and reads the list once more before", async () => {
      await up();
      assert.deepEqual(requests(bench), [...Array<string>(10).fill("list"), "readiness", "launch", "list"]);
      assert.equal(launches(), 1);
    });

    it("does not watch where this command wrote the intent, or deleted the campaign that was in the state", async () => {
      const state = await up();
      requests(bench);
      const replacing = bench.later();
      await intend(dearer, replacing, intent);
      await campaign.delete(state, replacing);
      await campaign.create(dearer, replacing, intent);
      assert.deepEqual(requests(bench), ["delete", "list", "list", "readiness", "launch", "list"]);
    });

    it("deletes the campaign of another budget before it launches, also after two changes", async () => {
      putLaunch(bench, intent, {}, { id: "first" });
      putLaunch(bench, intent, dearer, { id: "second" });
      const state = await up({ ...declared, dailyBudgetMicros: 7_000_000 });
      assert.deepEqual(held(bench), ["first REMOVED", "second REMOVED", `${state.campaignId ?? ""} ENABLED`]);
      assert.match(next.said.join("\n"), /The campaign first of app app-1 .* is not in the state, so it was deleted\./);
      const order = requests(bench).filter((operation) => operation !== "list");
      assert.deepEqual(order, ["readiness", "delete", "delete", "launch"]);
    });

    it("deletes no orphan for a launch that the cap then refuses, and does not count it", async () => {
      const intent = await intend(declared, bench);
      await campaign.create(declared, bench, intent);
      const up = bench.later({ maxAppDailyBudgetMicros: "5000000" });
      assert.match(await refusal(campaign.create(dearer, up, intent)), /above the limit/);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
      const within = bench.later({ maxAppDailyBudgetMicros: "6000000" });
      await campaign.create(dearer, within, intent);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"], "without the budget of the orphan");
    });

    it("launches nothing beside an orphan under the policy retain, and names the ways out", async () => {
      putLaunch(bench, intent, {}, { id: "first" });
      assert.match(
        await refusal(up({ ...dearer, deletionPolicy: "retain" })),
        /^MONEY MAY BE MOVING: first of app app-1 was launched by this resource and is not in the state\. Nothing else was launched\. \[WA1203\]\n.*\n {2}- .*campaignId: "first".*\n {2}- .*deletionPolicy to "delete"\.$/,
      );
      assert.deepEqual([held(bench), launches()], [["first ENABLED"], 0]);
    });

    it("takes over beside an orphan under the policy retain, names the orphan, and leaves it", async () => {
      putLaunch(bench, intent, {}, { id: "first" });
      putLaunch(bench, intent, dearer, { id: "second" });
      const inputs = { ...dearer, deletionPolicy: "retain" };
      const state = await up(inputs);
      assert.equal(state.campaignId, "second");
      assert.deepEqual(held(bench), ["first ENABLED", "second ENABLED"]);
      assert.match(next.said.join("\n"), /first/);
      const preview = bench.later();
      await campaign.preview(state, { ...inputs, launchIntent: intent.key }, preview);
      assert.doesNotMatch(preview.said.join("\n"), /deletes first/, "nothing deletes it");
    });

    it("launches nothing while an orphan cannot be deleted, names it, and goes on with the next command", async () => {
      putLaunch(bench, intent, {}, { id: "first" });
      bench.simulator.fault({ operation: "campaign.delete", then: { status: 403 } });
      assert.match(
        await refusal(up(dearer)),
        /^MONEY MAY BE MOVING: the campaign first of app app-1 was launched by this resource, is not in the state, and was not deleted\..*403.*\n {2}- Run the same command again\.$/s,
      );
      assert.deepEqual([held(bench), launches()], [["first ENABLED"], 0]);
      await up(dearer, bench.later());
      assert.deepEqual([held(bench)[0], launches()], ["first REMOVED", 1]);
    });

    describe("and with another app in the program", () => {
      it("deletes the campaign in the old app before it launches in the new one", async () => {
        putLaunch(bench, intent, {}, { id: "first" });
        await up(inApp2);
        assert.deepEqual([inApp("app-1"), inApp("app-2")], [["first REMOVED"], ["cmp_2 ENABLED"]]);
      });

      it("launches nothing while the list of the old app cannot be read", async () => {
        bench.simulator.fault({
          ...{ operation: "campaign.list", parameters: { app_id: "app-1" } },
          ...{ times: "always", then: { status: 403 } },
        });
        assert.match(await refusal(up(inApp2)), /^MONEY MAY BE MOVING: .*could not be read/s);
        assert.equal(launches(), 0);
      });
    });

    describe("and with the campaign's own campaignId in the program, as an error advised", () => {
      const adopting = { ...declared, campaignId: "cmp_1" };
      beforeEach(() => putLaunch(bench, intent));

      it("does not delete the campaign that it adopts when the intent is removed in the same command", async () => {
        const state = await campaign.create(adopting, next);
        assert.equal(state.origin, "adopted");
        await intents.delete(intent, next);
        assert.deepEqual([held(bench), launches()], [["cmp_1 ENABLED"], 0]);
      });

      it("takes the adopted campaign for its launch also after commands with several tokens", async () => {
        const next = bench.later();
        const { readBy } = await intents.update(
          intent,
          { appId: "app-1" },
          bench.later({ accessToken: "other-token" }),
        );
        await campaign.create({ ...declared, campaignId: "cmp_1" }, next);
        await intents.delete({ ...intent, readBy }, next);
        assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
      });
    });
  });

  describe("removed from the stack without its campaign", () => {
    let intent: Intent;
    let next: Bench;
    beforeEach(async () => {
      ({ bench: next, intent } = await afterKill(bench));
      requests(bench);
    });

    it("watches the list for all of the settle time, and is done when it shows nothing", async () => {
      await intents.delete(intent, next);
      assert.deepEqual(requests(bench), Array<string>(9).fill("list"));
      assert.deepEqual(next.said, [
        `The launch intent ${intent.key} of app app-1 is being removed from the stack, and this command has seen no campaign of its key. Watching the campaign list for 30 s.`,
      ]);
    });

    for (const [policy, status] of Object.entries({ delete: "REMOVED", pause: "PAUSED" }))
      it(`deletes or pauses every campaign of its key, even one that appears after another, and names them (${policy})`, async () => {
        lag(20_000);
        await bench.clock.sleep(60_000);
        putLaunch(bench, intent, dearer, { id: "held", status: "PAUSED", created_date: "2026-01-01T00:00:00.000Z" });
        putLaunch(bench, intent, {}, { id: "spends" });
        const kept = { ...intent, deletionPolicy: policy } as Intent;
        await intents.delete(kept, next);
        assert.deepEqual(held(bench), [`held ${status}`, `spends ${status}`]);
        const done = policy === "delete" ? "deleted" : "paused";
        for (const id of ["held", "spends"])
          assert.match(next.said.join("\n"), new RegExp(`The campaign ${id} of app app-1 .* so it was ${done}\\.`));
      });

    it("only names them under the policy retain, also one that appears late", async () => {
      lag(20_000);
      putLaunch(bench, intent, {}, { id: "first" });
      putLaunch(bench, intent, dearer, { id: "second" });
      await intents.delete({ ...intent, deletionPolicy: "retain" }, next);
      assert.deepEqual(held(bench), ["first ENABLED", "second ENABLED"]);
      assert.match(next.said.at(-1) ?? "", /go on, by the deletionPolicy "retain": first, second\.$/);
    });

    it("fails when the list cannot be read, and names complete commands as ways out", async () => {
      unreadable();
      assert.match(
        await refusal(intents.delete(intent, next)),
        /^MONEY MAY BE MOVING: an earlier command may have launched a campaign of app app-1\. The campaign list cannot be read\. \[WA1202\]\n.*403.*\n {2}- Run the same command again\.\n {2}- .*`pulumi state delete --force '<URN>'`.*`pulumi stack --show-urns`/s,
      );
    });

    describe("with another token", () => {
      const rotated = (): Bench => bench.later({ accessToken: "other-token" });
      const showsNothing = (): void => {
        bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 200, body: [] } });
      };

      it("warns before it launches with another token than a dead command's", async () => {
        const stack = new StackedCampaign(bench);
        bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
        await failureOf(stack.up(declared));
        const later = bench.later({ accessToken: "other-token" });
        await stack.in(later).up(declared);
        assert.match(
          later.said.join("\n"),
          /^If an earlier command launched .* MONEY MAY BE MOVING TWICE\. The token, or the path .* ends in "-[0-9a-f]{7}" and 5 more digits, and delete it\. \[WA1206\]$/m,
        );
      });

      it("does not take an empty list for proof, and names the ways out", async () => {
        putLaunch(bench, intent);
        showsNothing();
        assert.match(
          await refusal(intents.delete(intent, rotated())),
          /^MONEY MAY BE MOVING: .*A complete campaign list does not show it\. \[WA1202\]\n {2}The token, or the path of campaign\.list, has changed since\. Then an empty list proves nothing\.\n {2}- .*earlier token.*\n {2}- Or run `pulumi up` first.*\n {2}- Run the same command again\.\n {2}- .*`pulumi state delete/,
        );
        bench.simulator.clearFaults();
        await intents.delete(intent, bench.later());
        assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
      });

      it("takes the list of no token for proof once commands with several have used it", async () => {
        assert.equal((await intents.preview(intent, { appId: "app-1" }, rotated()))?.changes, true);
        const used = await intents.update(intent, { appId: "app-1" }, rotated());
        putLaunch(bench, used);
        showsNothing();
        for (const command of [rotated(), bench.later()]) {
          assert.deepEqual(await intents.preview(used, { appId: "app-1" }, command), unchanged);
          assert.match(
            await refusal(intents.delete(used, command)),
            /^MONEY MAY BE MOVING: .*several tokens, or several paths of campaign\.list, have used its launch intent.*`pulumi up` first.*`pulumi refresh`.*`pulumi state delete/s,
          );
        }
        bench.simulator.clearFaults();
        await intents.delete(used, bench.later());
        assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
      });

      it("takes a list for proof again that shows a campaign of the key at a refresh, also a removed one", async () => {
        const used = await intents.update(intent, { appId: "app-1" }, rotated());
        assert.deepEqual(await intents.read(used, rotated()), used);
        putLaunch(bench, used, {}, { status: "REMOVED" });
        const read = await intents.read(used, rotated());
        assert.ok(read);
        assert.deepEqual({ ...read, readBy: "" }, { ...used, readBy: "" });
        assert.deepEqual(await intents.preview(read, { appId: "app-1" }, rotated()), unchanged);
        await intents.delete(read, rotated());
      });

      it("does not forget an unconfirmed launch, and names the ways out", async () => {
        bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
        const { state } = await leftBy(campaign.create(declared, next, intent));
        await bench.clock.sleep(1_000_000);
        showsNothing();
        assert.match(
          await refusal(campaign.delete(state, rotated())),
          /^MONEY MAY BE MOVING: .*Then an empty list proves nothing\..*earlier token.*`pulumi up` first.*`pulumi state delete/s,
        );
      });

      it("does not search for a launch whose campaign this command has deleted, with whatever token", async () => {
        const intent = await intend(declared, bench);
        bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
        const { state } = await leftBy(campaign.create(declared, bench, intent));
        putLaunch(bench, intent);
        const destroy = rotated();
        await campaign.delete(state, destroy);
        requests(bench);
        await intents.delete(intent, destroy);
        assert.deepEqual([held(bench), requests(bench)], [["cmp_1 REMOVED"], []]);
      });
    });
  });

  describe("beside a confirmed campaign in the state", () => {
    let stale: Intent;
    let bound: Intent;
    /** Launched under the stale key; a new key is stored beside it. */
    const withNewKey = async () => {
      stale = await intend(declared, bench);
      const launched = await campaign.create(declared, bench, stale);
      const rekeying = bench.later();
      bound = await intend(declared, rekeying);
      requests(bench);
      const state = await campaign.update(launched, { ...declared, launchIntent: bound.key }, rekeying);
      assert.deepEqual(requests(bench), [], "a new key is stored without a request");
      assert.equal(state.launchIntent, bound.key);
      return state;
    };

    it("does not delete it when it is replaced or stale, in an up", async () => {
      const state = await withNewKey();
      const next = bench.later();
      await intend(declared, next, bound);
      await campaign.preview(state, { ...declared, launchIntent: bound.key }, next);
      await intents.delete(stale, next);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    for (const [policy, status] of Object.entries({ delete: "REMOVED", pause: "PAUSED", retain: "ENABLED" }))
      it(`leaves the rest to the campaign's own policy in a destroy, whatever the stale intent says (${policy})`, async () => {
        const state = { ...(await withNewKey()), deletionPolicy: policy } as never;
        const next = bench.later();
        await campaign.delete(state, next);
        await intents.delete(bound, next);
        await intents.delete(stale, next);
        assert.deepEqual(held(bench), [`cmp_1 ${status}`]);
        assert.ok(requests(bench).filter((operation) => operation === "delete" || operation === "pause").length <= 1);
      });
  });

  describe("named by a campaign", () => {
    let written: Intent;
    beforeEach(async () => {
      written = await intend(declared, bench);
    });
    const problems = async (inputs: object, place = "spring", olds: object = {}): Promise<string> => {
      const host = dynamicProvider(adCampaignLifecycle, () => bench);
      const checked = await host.check?.({ ...olds }, { ...inputs, [placeKey]: `project/stack/${place}` });
      return (checked?.failures ?? []).map(({ reason }) => reason).join("\n");
    };

    const cases: [what: string, given: object, problem: RegExp][] = [
      ["is accepted where the program declares it before", {}, /^$/],
      ["is accepted where both have the same policy", { deletionPolicy: "delete" }, /^$/],
      ...["intent", "1f0c9a", "1F0C9A2", "urn:pulumi:stack::project::LaunchIntent::spring"].map(
        (launchIntent): [string, object, RegExp] => [
          `must be a key: ${launchIntent} is refused`,
          { launchIntent },
          /must be the id of a LaunchIntent of the program/,
        ],
      ),
      [
        "must be an intent of this program",
        { launchIntent: "0000000" },
        /^has no LaunchIntent 0000000 in this command\. Declare one before it, and give its id as launchIntent\./,
      ],
      ["must be given", { launchIntent: undefined }, /^has no LaunchIntent\. Declare one before it/],
      [
        "must have the campaign's app",
        { appId: "app-2" },
        /^is of app app-2, and its LaunchIntent of app app-1\. Give both the same appId \[WA1229\]$/,
      ],
      [
        "must have the campaign's policy",
        { deletionPolicy: "retain" },
        /^has the deletionPolicy "retain", and its LaunchIntent has "delete"\. Give both the same \[WA1229\]$/,
      ],
    ];
    for (const [what, given, problem] of cases)
      it(what, async () => {
        assert.match(await problems({ ...declared, launchIntent: written.key, ...given }), problem);
      });

    it("is not shared by two campaigns", async () => {
      assert.equal(await problems({ ...declared, launchIntent: written.key }), "");
      assert.match(
        await problems({ ...declared, campaignName: "Autumn sale", launchIntent: written.key }, "autumn"),
        /^has the same LaunchIntent as ".*spring"\. Declare one LaunchIntent for each campaign \[WA1229\]$/,
      );
    });

    it("is checked again, without a problem, where the same campaign is replaced", async () => {
      const inputs = { ...declared, launchIntent: written.key };
      assert.equal(await problems(inputs, "spring", inputs), "");
      assert.equal(await problems(inputs, "spring"), "");
    });

    it("is not needed by a campaign that is adopted, or that is in the state", async () => {
      assert.equal(await problems({ ...declared, campaignId: "cmp_1" }), "");
      const kept = { ...declared, launchIntent: "0000000" };
      assert.equal(await problems(kept, "spring", kept), "", "with --target, the intent is not seen");
    });

    it("is still needed by a campaign that was launched with one", async () => {
      assert.match(
        await problems(declared, "spring", { ...declared, launchIntent: "0000000" }),
        /^has no LaunchIntent\./,
      );
    });
  });

  describe("is refused at preview for", () => {
    const failuresOf = async (...programs: object[]): Promise<string[]> => {
      const host = dynamicProvider(adCampaignLifecycle, () => bench);
      const all: string[] = [];
      for (const [index, inputs] of programs.entries()) {
        const { key } = await intend(inputs, bench);
        const place = { [placeKey]: `project/stack/campaign${String(index)}` };
        const checked = await host.check?.({}, { ...inputs, launchIntent: key, ...place });
        all.push((checked?.failures ?? []).map(({ reason }) => reason).join("\n"));
      }
      return all;
    };

    it("a campaignName that ends like the name of a launched campaign", async () => {
      for (const campaignName of ["Spring sale-1f0c9a23b7c4", "-0123456789ab"])
        assert.match(
          (await failuresOf({ ...declared, campaignName })).join(),
          /must not end like the name of a launched/,
        );
      const names = ["Spring sale-1f0c9a23b7c", "1f0c9a23b7c4", "Spring sale-1F0C9A23B7C4"];
      for (const campaignName of names) assert.deepEqual(await failuresOf({ ...declared, campaignName }), [""]);
    });

    describe("a launch while Pulumi saves no checkpoints", () => {
      const before = process.env["PULUMI_SKIP_CHECKPOINTS"];
      beforeEach(() => {
        process.env["PULUMI_SKIP_CHECKPOINTS"] = "true";
      });
      afterEach(() => {
        if (before === undefined) delete process.env["PULUMI_SKIP_CHECKPOINTS"];
        else process.env["PULUMI_SKIP_CHECKPOINTS"] = before;
      });

      it("with the reason", async () => {
        assert.match((await failuresOf(declared)).join(), /PULUMI_SKIP_CHECKPOINTS is set: its LaunchIntent would not/);
      });

      it("but not a campaign that is in the state and stays", async () => {
        const { key } = await intend(declared, bench);
        const kept = { ...declared, launchIntent: key };
        const checked = await dynamicProvider(adCampaignLifecycle, () => bench).check?.(kept, kept);
        assert.deepEqual(checked?.failures, []);
      });
    });
  });
});
