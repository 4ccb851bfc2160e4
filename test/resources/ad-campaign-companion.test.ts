import assert from "node:assert/strict";
import { declaredName, type Inputs, objectName } from "../../provider/resources/ad-campaign/campaign";
import { unreadableList } from "../../provider/resources/ad-campaign/campaign-list";
import {
  launchedSince,
  launchIntentLifecycle,
  type State as Intent,
} from "../../provider/resources/ad-campaign/intent";
import { namingOthers } from "../../provider/resources/ad-campaign/launch";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { PartialFailure } from "../../provider/resources/shared/lifecycle";
import type { ReportedError } from "../../provider/service/errors";
import { ProviderError } from "../../provider/service/errors";
import { campaign, declared, held, intend, refusal, type State } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";

const inputs = declared as Inputs;
const name = declaredName(inputs);
const link = { nonce: "n1", writtenAt: "2026-01-01T00:00:00Z", readBy: "list", ...declared };
const targets = "With --target, give the URNs of the campaign and of its LaunchIntent";

describe("AdCampaign and its launch intent", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  /** What is wrong with a campaign that has this intent. `unknown`: the arguments that a preview does not know. */
  const problem = (
    companion: unknown,
    campaignInputs: object,
    { isNew = true, isOfNode = false, wasNamed = false, unknown = [] as string[] } = {},
  ) =>
    adCampaignLifecycle.takeCompanion?.(companion, campaignInputs as Inputs, bench, {
      isNew,
      isOfNode,
      wasNamed,
      isKnown: (argument) => (argument === undefined ? unknown.length === 0 : !unknown.includes(argument)),
    });

  describe("checking", () => {
    it("links a campaign to an intent with its values", () => {
      assert.equal(problem(link, declared), undefined);
      assert.equal(bench.intents.linkOf(name), link);
    });

    it("waits with that until all arguments are known", () => {
      assert.equal(problem(link, declared, { unknown: ["landingPage"] }), undefined);
      assert.equal(bench.intents.linkOf(name), undefined);
    });

    it("refuses a new campaign with other values than its intent, by name where the name is known", () => {
      const rest = `${targets}. A transform must change both. Where ignoreChanges keeps an old value, declare that value`;
      const other = { ...declared, campaignType: "PMAX", dailyBudgetMicros: 6_000_000 };
      assert.equal(
        problem(link, other),
        `differs in campaignType, dailyBudgetMicros from its LaunchIntent, that of the ${name}. ${rest}`,
      );
      for (const unknown of ["appId", "campaignName"])
        assert.equal(
          problem(link, { ...other, [unknown]: "?" }, { unknown: [unknown] }),
          `differs in campaignType, dailyBudgetMicros from its LaunchIntent. ${rest}`,
        );
      assert.equal(bench.intents.linkOf(name), undefined);
    });

    it("leaves one that is in state to its differences", () => {
      assert.equal(problem(link, { ...declared, dailyBudgetMicros: 6_000_000 }, { isNew: false }), undefined);
      assert.equal(bench.intents.linkOf(name), undefined);
    });

    it("refuses a new campaign without an intent, and one whose intent has no values once all is known", () => {
      const noValues = `has no LaunchIntent. ${targets}. Both must have the same provider`;
      assert.equal(problem({}, declared, { isOfNode: true }), noValues);
      assert.equal(
        problem({}, declared),
        `${noValues}, and launchIntent must be the id of a LaunchIntent of the program`,
      );
      assert.match(problem(undefined, declared) ?? "", /^has no LaunchIntent\. Declare a LaunchIntent before it/);
      const later = (argument: string) => ({ unknown: [argument] });
      assert.match(problem(undefined, declared, later("landingPage")) ?? "", /^has no LaunchIntent\. Declare a Launch/);
      assert.equal(problem({}, declared, later("landingPage")), undefined);
      // It may turn out to be adopted.
      assert.equal(problem(undefined, declared, later("campaignId")), undefined);
      assert.equal(problem(undefined, declared, { isNew: false }), undefined);
    });

    it("refuses a campaign whose intent would end what the campaign does not, or remembers no launch", () => {
      const under = (intent: object, policy?: string, isNew = true) => {
        bench.intents.remember({ ...link, ...intent });
        return problem(link, { ...declared, deletionPolicy: policy }, { isNew });
      };
      const refused = /^has the deletionPolicy "(\w+)", and its LaunchIntent has "(\w+)", which would decide/;
      for (const isNew of [true, false]) {
        assert.match(under({}, "retain", isNew) ?? "", refused);
        assert.match(under({ deletionPolicy: "pause" }, undefined, isNew) ?? "", refused);
        assert.match(under({ campaignId: "cmp_1" }, undefined, isNew) ?? "", /^has a LaunchIntent with a campaignId/);
      }
      assert.equal(under({ deletionPolicy: "pause" }, "pause"), undefined);
      assert.equal(under({ deletionPolicy: "delete" }), undefined);
      // As the option retainOnDelete has it.
      assert.equal(under({ deletionPolicy: "retain" }, "delete"), undefined);
      bench.intents.remember({ ...link, deletionPolicy: "pause" });
      assert.equal(problem(link, declared, { unknown: ["deletionPolicy"] }), undefined);
      // An intent that this command has not seen.
      assert.equal(problem({ ...link, nonce: "n2" }, { ...declared, deletionPolicy: "pause" }), undefined);
    });

    it("refuses to keep a campaign that names its intent no longer, except one that is declared by its id", () => {
      const terms = { isNew: false, wasNamed: true };
      assert.match(
        problem(undefined, declared, terms) ?? "",
        /^has a LaunchIntent, and the program does not name it any more/,
      );
      assert.equal(problem(undefined, { ...declared, campaignId: "cmp_1" }, terms), undefined);
      assert.equal(problem(undefined, declared, { ...terms, isOfNode: true }), undefined);
    });

    it("warns of an intent that would delete an adopted campaign, which destroy retains", () => {
      const created = { createdDate: link.writtenAt };
      const warnings = (intent: object, campaign: object, origin?: "adopted", { createdDate } = created) => {
        const warned: string[] = [];
        const deployment = { ...bench, warnOnce: (line: string) => warned.push(line) };
        bench.intents.remember({ ...link, ...intent });
        bench.intents.link(name, link);
        const state = {
          ...declared,
          campaignId: "cmp_1",
          launchState: "confirmed",
          readBy: "list",
          origin,
          createdDate,
        };
        adCampaignLifecycle.beforeKeep?.(state as State, { ...inputs, ...campaign }, deployment);
        return warned.join();
      };
      const warned = /^The campaign cmp_1 of app app-1 was adopted, so destroy retains it\./;
      assert.match(warnings({}, {}, "adopted"), warned);
      assert.match(warnings({ deletionPolicy: "pause" }, {}, "adopted"), warned);
      assert.equal(warnings({ deletionPolicy: "retain" }, {}, "adopted"), "");
      assert.equal(warnings({}, { deletionPolicy: "delete" }, "adopted"), "");
      assert.equal(warnings({}, { campaignId: "cmp_1" }, "adopted"), "");
      assert.equal(warnings({}, {}), "");
      // Too old for the intent to take it for its own.
      assert.equal(warnings({}, {}, "adopted", { createdDate: "2020-01-01T00:00:00Z" }), "");
    });

    it("tells a Node program that the option import leaves out the intent", () => {
      assert.match(
        problem(undefined, declared, { isOfNode: true }) ?? "",
        /^has no LaunchIntent because of the option import.* Remove the option\./,
      );
    });

    it("refuses to adopt a campaign that another resource is about to replace", () => {
      const adopting = { ...declared, campaignId: "cmp_1" };
      assert.equal(problem(undefined, adopting), undefined);
      bench.claims.markReplaced(objectName(adopting), { ...declared, campaignName: "Autumn sale" });
      assert.match(problem(undefined, adopting) ?? "", /^adopts the campaign cmp_1 .* is about to be replaced/);
      assert.equal(problem(undefined, adopting, { isNew: false }), undefined);
      assert.equal(problem(undefined, adopting, { unknown: ["campaignId"] }), undefined);
    });
  });

  describe("taking another intent", () => {
    const hasOther = (intent?: string) =>
      adCampaignLifecycle.hasOtherCompanion?.({ ...inputs, intent } as State, inputs, bench);

    it("is needed where the program has another one now", () => {
      assert.equal(hasOther("n1"), false);
      bench.intents.link(name, link);
      assert.deepEqual([hasOther(), hasOther("n1"), hasOther("n0")], [false, false, true]);
    });

    it("is needed where the preview is about to replace it", () => {
      const replaced = (nonce: string) => ({ nonce, writtenAt: link.writtenAt, campaign: name, values: {} });
      bench.intents.recordPredecessors(name, [replaced("n0"), replaced("n1")]);
      assert.deepEqual([hasOther(), hasOther("n1"), hasOther("n0")], [false, true, false]);
    });

    it("closes the earlier one, and keeps campaigns of 0.1.0 as they are", async () => {
      const { intent = "", ...launched } = await campaign.create(declared, bench);
      const next = bench.later();
      next.intents.link(name, { ...link, nonce: intent });
      assert.equal((await campaign.update({ ...launched, intent }, declared, next)).intent, intent);
      assert.equal(next.intents.isClosed({ ...link, nonce: intent }, name), false);
      next.intents.link(name, link);
      assert.equal((await campaign.update(launched, declared, next)).intent, undefined);
      assert.equal((await campaign.update({ ...launched, intent }, declared, next)).intent, "n1");
      assert.equal(next.intents.isClosed({ ...link, nonce: intent }, name), true);
      assert.equal(next.intents.isClosed(link, name), false);
    });

    it("is done with, once its campaign is deleted", () => {
      adCampaignLifecycle.afterDelete?.({ ...inputs, intent: "n1" } as State, bench);
      assert.equal(bench.intents.isClosed(link, name), true);
    });
  });

  describe("an error", () => {
    const replaced = (campaignName: string) => ({
      nonce: campaignName,
      writtenAt: new Date(bench.clock.now()).toISOString(),
      campaign: declaredName({ ...inputs, campaignName }),
      values: {},
    });
    const failing = (error: Error): Promise<unknown> =>
      namingOthers(inputs, "n1", bench, () => Promise.reject(error)).then(
        () => assert.fail("it should have failed"),
        (failed: unknown) => failed,
      );
    const known = (error: unknown) => (error as ReportedError).report.known;
    const also = `An earlier, interrupted command may also have launched the ${declaredName({ ...inputs, campaignName: "Summer sale" })}. The next command that succeeds looks for it, unless one has done so already.`;

    it("names other campaigns that earlier commands may have launched, and not its own", async () => {
      bench.intents.link(name, { ...link, replaced: [replaced("Summer sale"), replaced("Spring sale")] });
      assert.deepEqual(known(await failing(new ProviderError({ what: "No." }))), [also]);
      assert.deepEqual(known(await failing(new ProviderError({ what: "No.", known: ["Why."] }))), ["Why.", also]);
      const partial = await failing(new PartialFailure({ kept: true }, { what: "Half." }));
      assert.ok(partial instanceof PartialFailure);
      assert.deepEqual([partial.state, known(partial)], [{ kept: true }, [also]]);
    });

    it("stays as it is where there is nothing to name, or where it is not a report", async () => {
      const [error, fault] = [new ProviderError({ what: "No." }), new TypeError("a fault")];
      assert.equal(await failing(error), error);
      bench.intents.link(name, { ...link, replaced: [replaced("Spring sale")] });
      assert.equal(await failing(error), error);
      bench.intents.link(name, { ...link, replaced: [replaced("Summer sale")] });
      assert.equal(await failing(fault), fault);
    });

    it("names what was ended for the campaign that was not launched, and nothing else", async () => {
      const by = (campaignName: string) => ({ ...declared, campaignName });
      for (const [object, campaignName] of [
        ["campaign old", "Spring sale"],
        ["campaign kept", "Spring sale"],
        ["campaign of another", "Summer sale"],
      ] as const) {
        bench.claims.markReplaced(object, by(campaignName));
        if (object !== "campaign kept") bench.claims.markEnded(object);
      }
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 403 } });
      const why = await refusal(campaign.create(declared, bench));
      assert.deepEqual(why.match(/The campaign .* was ended before/g), ["The campaign old was ended before"]);
      assert.doesNotMatch(why, /A 409 can mean/);
    });

    it("about a list that was not asked for says nothing of its path", async () => {
      const away = bench.later({ baseUrl: "http://127.0.0.1:1" });
      const error: unknown = await away.service
        .call("campaign.list", { parameters: { app_id: "app-1" } })
        .catch((e: unknown) => e);
      const path = bench.service.endpoints.doubt("campaign.list");
      const { known, next } = unreadableList(error, bench);
      assert.ok(known.length > 1 && path.known.length > 0);
      for (const line of path.known) assert.ok(!known.includes(line), line);
      for (const line of path.next) assert.ok(!next.includes(line), line);
      const answered = unreadableList(new Error("a web page"), bench);
      for (const line of path.known) assert.ok(answered.known.includes(line), line);
    });
  });

  describe("an interrupted launch", () => {
    const written = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    const replaced = (minute: number, values: object) => ({
      nonce: String(minute),
      writtenAt: written(minute),
      writtenServiceTime: written(minute),
      campaign: name,
      values,
    });

    it("is not older than the first of its intents with the same values", () => {
      assert.equal(launchedSince(inputs, bench), undefined);
      const other = { ...declared, dailyBudgetMicros: 1_000_000 };
      bench.intents.link(name, {
        ...link,
        replaced: [replaced(1, other), replaced(2, declared), replaced(3, declared)],
      });
      assert.equal(launchedSince(inputs, bench), Date.parse(written(2)));
      bench.intents.close("2");
      assert.equal(launchedSince(inputs, bench), Date.parse(written(3)));
    });

    const interrupted = async (deletionPolicy: string): Promise<[Intent, Bench]> => {
      const wanted = { ...declared, deletionPolicy };
      const intent = await intend(wanted, bench);
      await campaign.create(wanted, bench);
      return [intent, bench.later()];
    };

    it("that leaves is ended as its policy says, and that is said", async () => {
      const [intent, next] = await interrupted("pause");
      await launchIntentLifecycle.delete(intent, next, () => false);
      assert.deepEqual(held(next), ["cmp_1 PAUSED"]);
      assert.match(
        next.said.join("\n"),
        /The campaign cmp_1 .* of a launch that an earlier command announced and did not save\. Nothing declares it any more, so it is paused\./,
      );
    });

    it("that cannot be paused is named", async () => {
      const [intent, next] = await interrupted("pause");
      next.simulator.fault({ operation: "campaign.pause", times: "always", then: { status: 403 } });
      assert.match(
        await refusal(launchIntentLifecycle.delete(intent, next, () => false)),
        /^MONEY MAY BE MOVING: the campaign cmp_1 .* was not paused\. An earlier command announced a launch/,
      );
    });

    it("that is retained is named, also after another resource failed", async () => {
      const [intent, next] = await interrupted("retain");
      next.failure.isSeen = true;
      await launchIntentLifecycle.delete(intent, next, () => false);
      assert.deepEqual(held(next), ["cmp_1 ENABLED"]);
      assert.match(next.said.join("\n"), /leaves the stack\. cmp_1 of this name may go on spending\./);
    });

    it("is looked for where the program declares one of the campaigns that follow it", async () => {
      const [intent, next] = await interrupted("delete");
      next.intents.recordPredecessors("campaign a", [{ ...intent, campaign: name, values: {} }]);
      next.intents.recordPredecessors("campaign b", [{ ...intent, campaign: name, values: {} }]);
      assert.match(await refusal(launchIntentLifecycle.delete(intent, next, () => false)), /Nothing was ended/);
      next.declarations.declare("AdCampaign", "b", [{ object: "campaign b", isShared: false }]);
      await launchIntentLifecycle.delete(intent, next, () => false);
      assert.deepEqual(held(next), ["cmp_1 REMOVED"]);
    });
  });

  describe("an intent", () => {
    const state = { ...link, ...declared } as unknown as Intent;

    it("is remembered as replaced only where it could launch, by arguments that are right", () => {
      launchIntentLifecycle.beforeReplace?.({ ...state, campaignId: "cmp_1" }, inputs, bench);
      assert.deepEqual(bench.intents.predecessorsOf(name), []);
      const wrong = { ...inputs, dailyBudgetMicros: "5" as unknown as number };
      launchIntentLifecycle.beforeReplace?.(state, wrong, bench);
      launchIntentLifecycle.beforeKeep?.(
        { ...state, replaced: [{ ...link, campaign: name, values: {} }] },
        wrong,
        bench,
      );
      assert.deepEqual([bench.intents.predecessorsOf(name), bench.intents.successorsOf("n1")], [[], []]);
      launchIntentLifecycle.beforeKeep?.(state, inputs, bench);
      assert.deepEqual(bench.intents.successorsOf("n1"), []);
      launchIntentLifecycle.beforeReplace?.(state, inputs, bench);
      assert.deepEqual(
        bench.intents.predecessorsOf(name).map(({ nonce, campaign: of }) => [nonce, of]),
        [["n1", name]],
      );
    });

    it("is replaced by one that does nothing when the program adopts a campaign", () => {
      const isSame = (one?: string, other?: string) =>
        launchIntentLifecycle.equal?.campaignId?.({ ...state, campaignId: one }, { ...inputs, campaignId: other });
      assert.deepEqual([isSame(), isSame("a", "b"), isSame("a"), isSame(undefined, "a")], [true, true, false, false]);
    });
  });
});
