import assert from "node:assert/strict";
import { companionKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { unknownValue } from "../../provider/pulumi/unknown";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { ProviderError } from "../../provider/service/errors";
import {
  afterKill,
  asStored,
  campaign,
  declared,
  held,
  intend,
  type Intent,
  requests,
  type State,
} from "../support/campaigns";
import { type Bench, driven, leftBy, startBench, unchanged } from "../support/deployment";

const day = 24 * 60 * 60_000;
const intent = driven(launchIntentLifecycle);

describe("The intent to launch a campaign", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const put = (fields = {}) => bench.simulator.objects.putCampaign("app-1", { ...asStored, ...fields });
  /** The list shows one campaign, without its date. */
  const withoutDates = (): void => {
    const { created_date: _, ...row } = put();
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 200, body: [row] } });
  };
  const launches = (): number => bench.simulator.objects.launches().length;
  const failure = (step: Promise<unknown>): Promise<string> =>
    step.then(
      () => assert.fail("it should have failed"),
      (error: unknown) => {
        assert.ok(error instanceof ProviderError, String(error));
        return error.message;
      },
    );

  describe("in an ordinary life", () => {
    it("is written, read, changed and deleted beside its campaign without a request", async () => {
      const written = await intend(declared, bench);
      const launched = await campaign.create(declared, bench);
      requests(bench);
      assert.deepEqual(await intent.read(written, bench), written);
      const changed = await intent.update(written, { ...declared, deletionPolicy: "pause", paused: true }, bench);
      assert.deepEqual(changed, { ...written, deletionPolicy: "pause", paused: true });
      const next = bench.later();
      const host = dynamicProvider(adCampaignLifecycle, () => next);
      await host.delete?.("cmp_1", { ...launched });
      await intent.delete(written, next);
      assert.deepEqual(requests(bench), ["delete"]);
    });

    it("is settled by the deletion of a campaign of 0.1.0, which does not know its intent", async () => {
      const written = await intend(declared, bench);
      const { intent: _, ...launched } = await campaign.create(declared, bench);
      requests(bench);
      const next = bench.later();
      await dynamicProvider(adCampaignLifecycle, () => next).delete?.("cmp_1", launched);
      await intent.delete(written, next);
      assert.deepEqual(requests(bench), ["delete"]);
    });

    it("is replaced by another app, name or listed value, updated by another policy or a pause, and kept otherwise", async () => {
      const written = await intend({ ...declared, geoTargets: ["a", "b"] }, bench);
      const preview = (change: object) =>
        intent.preview(written, { ...declared, geoTargets: ["a", "b"], ...change }, bench);
      for (const change of [
        { appId: "app-2" },
        { campaignName: "Autumn sale" },
        { campaignType: "PMAX" },
        { dailyBudgetMicros: 6_000_000 },
        { landingPage: "https://other.example.com/" },
        { geoTargets: ["a"] },
        { phoneNumber: "+41" },
        { campaignId: "cmp_1" },
      ])
        assert.deepEqual(await preview(change), { changes: true, replaces: Object.keys(change) });
      for (const change of [{ deletionPolicy: "retain" }, { paused: true }])
        assert.deepEqual(await preview(change), { changes: true, replaces: [] });
      assert.deepEqual(await preview({ landingPage: "https://shop.example.com", geoTargets: ["b", "a"] }), unchanged);
      const without = await intend({ ...declared, campaignName: "Other" }, bench);
      assert.deepEqual(
        await intent.preview(without, { ...declared, campaignName: "Other", geoTargets: [] }, bench),
        unchanged,
      );
    });

    it("does nothing once its campaign is adopted by an id that became known", async () => {
      put();
      const written = await intend({ ...declared, campaignId: "cmp_1" }, bench);
      await intent.delete(written, bench.later());
      assert.deepEqual(requests(bench), []);
    });

    it("is not written with arguments that the campaign refuses", async () => {
      assert.equal(
        await failure(intend({ ...declared, appId: "", dailyBudgetMicros: "5" }, bench)),
        "The arguments of the AdCampaign are wrong.\n  appId must not be empty\n  dailyBudgetMicros must be a whole number of micros, not a string: 5000000 is 5 units of currency",
      );
    });
  });

  describe("at the next launch", () => {
    it("makes it watch the list first, so that a list that lags does not cause a second launch", async () => {
      const next = await afterKill(bench);
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 20_000 });
      put();
      const state = await campaign.create(declared, next);
      assert.equal(state.campaignId, "cmp_1");
      assert.equal(launches(), 0);
      assert.match(
        next.said.join(),
        /An earlier command may have been interrupted in a launch\. Watching .* 30 s before campaign "Spring sale" is launched/,
      );
    });

    it("makes it watch the list also when another budget replaced it, and launches nothing beside what it finds", async () => {
      const written = await intend(declared, bench);
      const next = bench.later();
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 20_000 });
      put();
      const changed = { ...declared, dailyBudgetMicros: 6_000_000 };
      await intent.preview(written, changed, next);
      assert.match(await failure(campaign.create(changed, next)), /cmp_1 \(ENABLED, differs in dailyBudgetMicros\)/);
      assert.equal(launches(), 0);
    });

    it("launches when the watched list shows nothing", async () => {
      const next = await afterKill(bench);
      await campaign.create(declared, next);
      const all = requests(bench);
      assert.equal(launches(), 1);
      assert.ok(all.indexOf("launch") > 5, all.join());
    });

    it("launches nothing once the command that asked for it has ended, because nobody would read that it was launched", async () => {
      const orphaned = { ...bench, announce: () => Promise.reject(new Error("write EPIPE")) };
      const message = await failure(campaign.create(declared, orphaned));
      assert.match(message, /^This command did not launch .*\n.*The command that asked for this launch has ended\./);
      assert.equal(launches(), 0);
    });

    it("takes no campaign that is older than the intent, but for ten minutes of the clocks", async () => {
      put();
      await bench.clock.sleep(10 * 60_000 + 1);
      const next = await afterKill(bench);
      assert.match(
        await failure(campaign.create(declared, next)),
        /cmp_1 \(ENABLED, created 2026-01-01T00:00:00\.000Z, before this resource was declared\)/,
      );
      assert.equal(launches(), 0);
      const tolerant = await afterKill(bench);
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", {
        created_date: new Date(bench.clock.now() - 600_000).toISOString(),
      });
      assert.equal((await campaign.create(declared, tolerant)).campaignId, "cmp_1");
    });

    it("takes no campaign whose age is not shown", async () => {
      const next = await afterKill(bench);
      withoutDates();
      assert.match(await failure(campaign.create(declared, next)), /cmp_1 \(ENABLED, its age is not shown\)/);
    });

    it("takes nothing under an intent that this command wrote, and says what the next command does", async () => {
      put();
      assert.match(
        await failure(campaign.create(declared, bench)),
        /cmp_1 \(ENABLED, not known to be launched by this resource; the next `pulumi up` would adopt it, and one without this resource would end it\)/,
      );
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", { created_date: "2025-12-31T00:00:00.000Z" });
      assert.match(
        await failure(campaign.create(declared, bench)),
        /cmp_1 \(ENABLED, not known to be launched by this resource/,
      );
      assert.equal(launches(), 0);
    });

    it("does not take the campaign that it replaces, although a slow list still shows it", async () => {
      const launched = await campaign.create(declared, bench);
      const next = bench.later();
      const changed = { ...declared, businessName: "Shop" };
      await intend(changed, next, await intend(declared, bench));
      await campaign.preview(launched, changed, next);
      assert.match(await failure(campaign.create(changed, next)), /cmp_1 \(ENABLED, being replaced\)/);
      assert.equal(launches(), 1);
    });

    it("does not wait when this command deleted the campaign to replace it", async () => {
      const written = await intend(declared, bench);
      const launched = await campaign.create(declared, bench);
      const next = bench.later();
      await intend(declared, next, written);
      await dynamicProvider(adCampaignLifecycle, () => next).delete?.("cmp_1", { ...launched });
      requests(bench);
      await campaign.create({ ...declared, businessName: "Shop" }, next);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
    });
  });

  it("is not launched under at another base URL: only the first one can show what was launched", async () => {
    const written = await intend(declared, bench);
    const other = bench.later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") });
    await intend(declared, other, written);
    assert.match(
      await failure(campaign.create(declared, other)),
      /^MONEY MAY BE MOVING: an earlier command may have launched the campaign "Spring sale" of app app-1 at another base URL\. No request was sent\.\n {2}- Check workspace-apps:baseUrl/,
    );
    assert.deepEqual(requests(bench), []);
    await other.service.close();
  });

  it("is not settled by the deletion of an adopted campaign of the same name", async () => {
    const written = await intend(declared, bench);
    put();
    put({ id: "keep" });
    const next = bench.later();
    const adopted = await campaign.create({ ...declared, campaignId: "keep" }, next);
    const last = bench.later();
    await dynamicProvider(adCampaignLifecycle, () => last).delete?.("keep", { ...adopted });
    await intent.delete(written, last);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", "keep ENABLED"]);
  });

  describe("that is replaced while its campaign stays", () => {
    const drifted = { ...declared, dailyBudgetMicros: 6_000_000 };
    let written: Intent;
    let launched: State;
    let next: Bench;
    beforeEach(async () => {
      written = await intend(declared, bench);
      launched = await campaign.create(declared, bench);
      bench.simulator.objects.changeCampaign("app-1", "cmp_1", { daily_budget_micros: 6_000_000 });
      launched = (await campaign.read(launched, bench.later())) ?? assert.fail();
      next = bench.later();
      await intent.preview(written, drifted, next);
      requests(bench);
    });

    it("gives the campaign the new intent, and leaves without a request", async () => {
      assert.deepEqual(await campaign.preview(launched, drifted, next), { changes: true, replaces: [] });
      const second = await intend(drifted, next);
      assert.deepEqual(await campaign.preview(launched, drifted, next), { changes: true, replaces: [] });
      const updated = await campaign.update(launched, drifted, next);
      assert.equal(updated.intent, second.nonce);
      await intent.delete(written, next);
      const last = bench.later();
      await intend(drifted, last, second);
      assert.deepEqual(await campaign.preview(updated, drifted, last), unchanged);
      await dynamicProvider(adCampaignLifecycle, () => last).delete?.("cmp_1", { ...updated });
      await intent.delete(second, last);
      assert.deepEqual(requests(bench), ["delete"]);
    });

    it("ends nothing where the command leaves the campaign out, and the next one neither", async () => {
      const endsNothing = async (deployment: Bench): Promise<void> => {
        assert.match(
          await failure(intent.delete(written, deployment)),
          /^An earlier LaunchIntent of the campaign "Spring sale" of app app-1 leaves the stack, and this command leaves out the campaign itself\. Nothing was ended\.\n {2}- Run `pulumi up` without --target and --exclude, or give/,
        );
        assert.deepEqual([requests(bench), held(bench)], [[], ["cmp_1 ENABLED"]]);
      };
      await endsNothing(next);
      const second = await intent.create(drifted, next);
      const last = bench.later();
      await intent.preview(second, drifted, last);
      await endsNothing(last);
    });
  });

  describe("that was replaced, and that a failed command did not come to", () => {
    const summer = { ...declared, campaignName: "Summer sale" };
    const winter = { ...declared, campaignName: "Winter sale" };
    const spring =
      /\n {2}An earlier, interrupted command may also have launched the campaign "Spring sale" of app app-1\. The next command that succeeds looks for it, unless one has done so already\.\n?/;
    /** A command in which the intent of a campaign replaces another. */
    const replacing = async (written: Intent, inputs: object): Promise<[Bench, Intent]> => {
      const next = bench.later();
      await intent.preview(written, inputs, next);
      return [next, await intend(inputs, next)];
    };
    const refused = (): void => {
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
    };

    it("is named by the error of the launch that replaces it, and by the next ones", async () => {
      const [next, second] = await replacing(await intend(declared, bench), summer);
      refused();
      assert.match(await failure(campaign.create(summer, next)), spring);
      const again = bench.later();
      await intend(summer, again, second);
      refused();
      assert.match(await failure(campaign.create(summer, again)), spring);
      const [last] = await replacing(second, winter);
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 500 } });
      const { message } = await leftBy(campaign.create(winter, last));
      assert.match(message, spring);
      assert.match(message, /also have launched the campaign "Summer sale" of app app-1/);
    });

    it("gives its campaign back when its values are declared again", async () => {
      const written = await intend(declared, bench);
      put();
      const changed = { ...declared, dailyBudgetMicros: 6_000_000 };
      const [next, second] = await replacing(written, changed);
      assert.match(await failure(campaign.create(changed, next)), /cmp_1 \(ENABLED, differs in dailyBudgetMicros\)/);
      const [reverted, third] = await replacing(second, declared);
      const taken = await campaign.create(declared, reverted);
      assert.deepEqual([taken.campaignId, taken.intent, launches()], ["cmp_1", third.nonce, 0]);
    });

    it("does not take a campaign of its values once a later one was in state", async () => {
      const written = await intend(declared, bench);
      put();
      const [, second] = await replacing(written, { ...declared, dailyBudgetMicros: 6_000_000 });
      const [reverted] = await replacing(second, declared);
      reverted.intents.close(second.nonce);
      assert.match(await failure(campaign.create(declared, reverted)), /cmp_1 \(ENABLED, not known to be launched/);
    });

    it("makes its name be watched when it is declared again", async () => {
      const [, second] = await replacing(await intend(declared, bench), summer);
      const [reverted] = await replacing(second, declared);
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 20_000 });
      put();
      assert.equal((await campaign.create(declared, reverted)).campaignId, "cmp_1");
    });

    it("is not named when this command deleted its campaign, nor after a day, nor where the name is the same", async () => {
      const written = await intend(declared, bench);
      const [settled] = await replacing(written, summer);
      settled.intents.close(written.nonce);
      refused();
      assert.doesNotMatch(await failure(campaign.create(summer, settled)), /may have launched/);
      const [same] = await replacing(written, { ...declared, dailyBudgetMicros: 6_000_000 });
      refused();
      assert.doesNotMatch(await failure(campaign.create({ ...declared, dailyBudgetMicros: 6_000_000 }, same)), /too/);
      await bench.clock.sleep(day + 1);
      const [, late] = await replacing(written, winter);
      assert.equal(late.replaced, undefined);
    });
  });

  describe("that leaves without its campaign", () => {
    let written: Intent;
    let next: Bench;
    beforeEach(async () => {
      written = await intend(declared, bench);
      next = bench.later();
    });

    it("watches the list, and is done when it shows nothing", async () => {
      await intent.delete(written, next);
      assert.ok(requests(bench).length > 5);
      assert.match(
        next.said.join(),
        /^An earlier command may have launched the campaign "Spring sale" of app app-1, whose LaunchIntent leaves the stack\. Watching the campaign list for 30 s\.$/,
      );
    });

    it("deletes the campaign that a dead command launched, and says so", async () => {
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 20_000 });
      put();
      await intent.delete(written, next);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
      assert.match(
        next.said.join("\n"),
        /The campaign cmp_1 \(app-1, 5\.00 a day\) has the name and the values of a launch that an earlier command announced and did not save\. Nothing declares it any more, so it is deleted\./,
      );
    });

    it("names it and the ways out when it cannot be ended, and does so with the next command", async () => {
      put();
      bench.simulator.fault({ operation: "campaign.delete", then: { status: 403 } });
      const why = await failure(intent.delete(written, next));
      assert.match(why, /^MONEY MAY BE MOVING: the campaign cmp_1 \(app-1, 5\.00 a day\) was not deleted\..*403/s);
      assert.match(why, /\n {2}- Run the same command again\.\n {2}- If nothing of yours was launched: /);
      assert.ok(why.endsWith(`with the id ${written.nonce}.`));
      await intent.delete(written, bench.later());
      assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
    });

    it("pauses it where the policy says so", async () => {
      put();
      await intent.delete({ ...written, deletionPolicy: "pause" }, next);
      assert.deepEqual(held(bench), ["cmp_1 PAUSED"]);
    });

    it("names what it found and leaves it where the policy is to retain", async () => {
      put();
      put({ daily_budget_micros: 1 });
      await intent.delete({ ...written, deletionPolicy: "retain" }, next);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 ENABLED"]);
      assert.match(next.said.join("\n"), /leaves the stack\. cmp_1, cmp_2 of this name may go on spending\./);
    });

    it("names a replaced campaign that Pulumi retained, and none that was ended", async () => {
      put();
      put();
      put();
      for (const id of ["cmp_1", "cmp_2", "cmp_3"]) next.claims.markReplaced(`campaign ${id} of app app-1`, declared);
      // Another resource adopts it.
      next.claims.take("campaign cmp_3 of app app-1");
      next.claims.markEnded("campaign cmp_2 of app app-1");
      await intent.delete({ ...written, deletionPolicy: "retain" }, next);
      assert.match(next.said.join("\n"), /leaves the stack\. cmp_1 of this name may go on spending\./);
      // With another policy it is as little ended as any that a resource manages.
      await intent.delete(written, next);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 ENABLED", "cmp_3 ENABLED"]);
    });

    it("ignores removed campaigns, and those that a resource of this deployment manages", async () => {
      put({ status: "REMOVED" });
      put();
      next.claims.restore("campaign cmp_2 of app app-1", undefined);
      await intent.delete(written, next);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    });

    it("ends nothing that another error of the same command names", async () => {
      put();
      const other = { ...declared, dailyBudgetMicros: 6_000_000 };
      assert.match(await failure(campaign.create(other, next)), /cmp_1 \(ENABLED, differs in dailyBudgetMicros\)/);
      assert.match(
        await failure(intent.delete(written, next)),
        /A live campaign has this name: cmp_1 \(ENABLED, named in another error of this command\)/,
      );
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    const undecided: Record<string, () => void> = {
      "has other values": () => put({ daily_budget_micros: 1 }),
      "is one of two": () => {
        put();
        put();
      },
      "is older than the intent": () => put({ created_date: "2025-12-31T23:49:59.999Z" }),
      "does not show its age": withoutDates,
    };
    for (const [what, prepare] of Object.entries(undecided))
      it(`fails, names the ids and the ways out, and ends nothing when what it finds ${what}`, async () => {
        prepare();
        const why = await failure(intent.delete(written, next));
        assert.match(
          why,
          /^MONEY MAY BE MOVING: an earlier command may have launched the campaign "Spring sale".*cmp_1/,
        );
        assert.match(
          why,
          /\n {2}- .*adopt it by its campaignId\. Then run the same command again\.\n {2}- .*`pulumi state delete`/,
        );
        assert.ok(held(bench).every((line) => line.endsWith("ENABLED")));
      });

    it("does not end a campaign that is a day old", async () => {
      await bench.clock.sleep(2 * day);
      put({ created_date: new Date(bench.clock.now() - day - 1).toISOString() });
      assert.match(
        await failure(intent.delete(written, next)),
        /cmp_1 \(ENABLED, created 2026-01-01T23:59:59\.999Z, more than a day ago\)/,
      );
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    it("fails when the list cannot be read, whatever the policy", async () => {
      bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
      const why = await failure(intent.delete({ ...written, deletionPolicy: "retain" }, next));
      assert.match(
        why,
        /the campaign list could not be read\.\n.*403.*- Then run the same command again\.\n.*`pulumi state delete`/s,
      );
    });

    it("fails at another base URL without a request", async () => {
      const elsewhere = bench.later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") });
      assert.match(
        await failure(intent.delete(written, elsewhere)),
        /another base URL.*\n {2}- Check workspace-apps:baseUrl/s,
      );
      assert.deepEqual(requests(bench), []);
      await elsewhere.service.close();
    });
  });

  describe("linked to its campaign", () => {
    const checked = async (link: object | undefined, inputs: object = declared, olds: object = {}) => {
      const answer = await dynamicProvider(adCampaignLifecycle, () => bench).check?.(
        { ...olds },
        { ...inputs, [companionKey]: link },
      );
      return (answer?.failures ?? []).map(({ reason }) => reason);
    };

    it("must hold what is launched", async () => {
      const written = await intend(declared, bench);
      assert.deepEqual(await checked(written), []);
      assert.match(
        (await checked({ ...written, dailyBudgetMicros: 1 })).join(),
        /^differs in dailyBudgetMicros from its LaunchIntent, that of the campaign "Spring sale" of app app-1\. With --target, give the URNs of the campaign and of its LaunchIntent/,
      );
      assert.match((await checked(undefined)).join(), /^has no LaunchIntent because of the option import/);
      // A preview with --target that leaves out the new intent.
      assert.match((await checked({})).join(), /^has no LaunchIntent\./);
    });

    it("is compared as far as both are known", async () => {
      const { nonce: _, ...known } = await intend(declared, bench);
      const written = { ...known, nonce: unknownValue };
      assert.deepEqual(await checked(written), []);
      assert.deepEqual(await checked({ ...written, dailyBudgetMicros: unknownValue }), []);
      assert.deepEqual(await checked(written, { ...declared, dailyBudgetMicros: unknownValue }), []);
      assert.match(
        (await checked({ ...written, appId: "other" })).join(),
        /^differs in appId from its LaunchIntent, that of the campaign "Spring sale" of app other\./,
      );
    });

    it("tells an adoption that the campaign is about to be ended for another resource", async () => {
      const launched = await campaign.create(declared, bench);
      await campaign.preview(launched, { ...declared, campaignName: "Other" }, bench);
      assert.deepEqual(await checked(undefined, { ...declared, campaignId: "cmp_1" }), [
        "adopts the campaign cmp_1 of app app-1, but another resource manages it and is about to be replaced, which would end it first. Declare this resource before the other, or undo the change of the other",
      ]);
    });

    it("is not asked for by an adoption, nor by a campaign that is in state", async () => {
      assert.deepEqual(await checked(undefined, { ...declared, campaignId: "cmp_1" }), []);
      assert.deepEqual(await checked(undefined, declared, declared), []);
    });

    it("stays out of the state of the campaign", async () => {
      const written = await intend(declared, bench);
      const answer = await dynamicProvider(adCampaignLifecycle, () => bench).check?.(
        {},
        { ...declared, [companionKey]: written },
      );
      assert.deepEqual(answer?.inputs, declared);
    });
  });
});
