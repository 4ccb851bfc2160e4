import { argumentsIn } from "../../provider/resources/shared/lifecycle";
import assert from "node:assert/strict";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { unknownValue } from "../../provider/pulumi/unknown";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import {
  asStored,
  campaign,
  declared,
  held,
  quarantine,
  refusal,
  requests,
  type State,
  unconfirmedLaunch,
} from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";

/** The list is read at once, and then for the settle time. */
const watched = Array<string>(9).fill("list");

describe("AdCampaign, an unconfirmed launch", () => {
  let bench: Bench;
  let state: State;
  /** The next `pulumi` command. */
  let next: Bench;
  beforeEach(async () => {
    bench = await startBench();
    state = await unconfirmedLaunch(bench);
    next = bench.later();
  });
  afterEach(async () => {
    await next.service.close();
    await bench.close();
  });

  const launches = (): number => bench.simulator.objects.launches().length;
  const appears = (fields = {}) => bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "late", ...fields });
  const unreadable = (): void => {
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
  };
  const afterQuarantine = () => bench.clock.sleep(quarantine);

  it("is unfinished, and is identified by its name until its id is known", () => {
    assert.equal(adCampaignLifecycle.isUnfinished?.(state), true);
    assert.equal(adCampaignLifecycle.idOf(state), "unconfirmed Spring sale");
    assert.equal(adCampaignLifecycle.objectName(state), `campaign "Spring sale" of app app-1`);
    assert.deepEqual(JSON.parse(JSON.stringify(argumentsIn(adCampaignLifecycle, state))), declared);
  });

  describe("at preview", () => {
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    const noted = async (inputs: object = declared): Promise<string> => {
      next.said.length = 0;
      await campaign.preview(state, inputs, next);
      assert.deepEqual(requests(next), []);
      return next.said.join("\n---\n");
    };

    it("says that it is unconfirmed, and what an up does with it", async () => {
      assert.match(
        await noted(),
        new RegExp(
          `^MONEY MAY BE MOVING: campaign "Spring sale" \\(app-1, 5\\.00 a day\\) may be live; its launch, sent before ${time}, is not confirmed\\.
  \`pulumi up\` reads the campaign list first\\. If the list shows the campaign, it adopts it\\.
  Otherwise it launches nothing until ${time}\\. After that it launches it once more, and only if a complete list does not show it\\.$`,
        ),
      );
    });

    it("says after the quarantine that an up launches it once more", async () => {
      await afterQuarantine();
      assert.match(
        await noted(),
        /\n {2}Otherwise it launches it once more, and only if a complete list does not show it: the quarantine ended at .*Z\.$/,
      );
    });

    it("says what becomes of it where a change replaces it, or its id is declared", async () => {
      assert.match(
        await noted({ ...declared, dailyBudgetMicros: 6_000_000 }),
        /it ends it by its deletionPolicy and launches the changed one\.\n.*After that it launches the changed one, and only if/,
      );
      assert.match(
        await noted({ ...declared, campaignId: "cmp_9" }),
        /is not confirmed\.\n {2}`pulumi up` adopts campaign cmp_9, which the program declares\.$/,
      );
    });

    it("counts as replaced by a change while an id is not known yet, which may be left out in the end", async () => {
      const host = dynamicProvider(adCampaignLifecycle, () => next);
      const olds = { ...state } as Record<string, unknown>;
      const changed = { ...declared, dailyBudgetMicros: 6_000_000 };
      const replacesWith = async (campaignId: string | undefined): Promise<string[] | undefined> => {
        const { inputs = {} } = (await host.check?.(olds, { ...changed, campaignId })) ?? {};
        return (await host.diff?.("id", olds, inputs))?.replaces;
      };
      assert.deepEqual(await replacesWith(unknownValue), ["dailyBudgetMicros"]);
      assert.match(next.said.join(), /it ends it by its deletionPolicy and launches the changed one/);
      assert.deepEqual(await replacesWith(undefined), ["dailyBudgetMicros"]);
      assert.deepEqual(await replacesWith("cmp_9"), []);
      // Nothing is refused that the id may make unnecessary.
      olds["deletionPolicy"] = "retain";
      assert.deepEqual(await replacesWith(unknownValue), ["dailyBudgetMicros"]);
      await assert.rejects(replacesWith(undefined), { message: /Its deletionPolicy is "retain"/ });
    });

    it("says it once, and not at a refresh, which says more", async () => {
      const host = dynamicProvider(adCampaignLifecycle, () => next);
      const olds = { ...state } as Record<string, unknown>;
      await host.diff?.("id", olds, { ...declared });
      assert.deepEqual(next.said, []);
      const { inputs = {} } = (await host.check?.(olds, { ...declared })) ?? {};
      for (let times = 0; times < 3; times++) await host.diff?.("id", olds, inputs);
      assert.equal(next.said.length, 1);
    });
  });

  it("is saved with its own lease, which the next command keeps", async () => {
    const host = dynamicProvider(adCampaignLifecycle, () => next);
    const fails = async (step: Promise<unknown> | undefined): Promise<Record<string, unknown>> => {
      const error: unknown = await Promise.resolve(step).catch((reason: unknown) => reason);
      return (error as { properties: Record<string, unknown> }).properties;
    };
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const other = { ...declared, campaignName: "Autumn sale" };
    const saved = await fails(host.create(other));
    assert.match(String(saved["lease"]), /^[0-9a-f]{6}$/);
    const later = bench.later();
    const again = await fails(dynamicProvider(adCampaignLifecycle, () => later).update?.("id", saved, other));
    assert.deepEqual(again, saved);
    assert.equal(later.claims.has(`campaign "Autumn sale" of app app-1`), false, "it adopts nothing again");
  });

  describe("at the next up", () => {
    it("is confirmed when the list now shows it", async () => {
      appears();
      const confirmed = await campaign.update(state, declared, next);
      assert.deepEqual(
        [confirmed.campaignId, confirmed.launchState, confirmed.origin],
        ["late", "confirmed", undefined],
      );
      assert.equal(confirmed.launchAttemptedAt, undefined);
      assert.equal(next.claims.has("campaign late of app app-1"), false, "the lease of the attempt stays");
      assert.deepEqual(requests(bench), ["list"]);
      assert.match(
        next.said.join(),
        /The launch of campaign "Spring sale" \(app-1, 5\.00 a day\) is confirmed: it runs as late/,
      );
      assert.equal(adCampaignLifecycle.isUnfinished?.(confirmed), false);
      assert.equal(adCampaignLifecycle.idOf(confirmed), "late");
    });

    it("fails again without a launch during the quarantine, with the same attempt", async () => {
      await bench.clock.sleep(Date.parse("2026-01-01T00:14:59.999Z") - bench.clock.now());
      const again = await leftBy(campaign.update(state, declared, next));
      assert.deepEqual(again.state, state);
      assert.match(
        again.message,
        /MONEY MAY BE MOVING.*A complete campaign list does not show it.*`pulumi up` after 2026-01-01T00:15:00Z/s,
      );
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("is launched once more after the quarantine, when the list is watched and does not show it", async () => {
      await bench.clock.sleep(Date.parse("2026-01-01T00:15:00Z") - bench.clock.now());
      const confirmed = await campaign.update(state, declared, next);
      assert.deepEqual(requests(bench), [...watched, "readiness", "launch", "list"]);
      assert.match(
        next.said[0] ?? "",
        /^An earlier command may have been interrupted in a launch\. Watching the campaign list for 30 s before campaign "Spring sale" is launched\.$/,
      );
      assert.equal(next.said.filter((line) => line.includes("Watching")).length, 1);
      assert.equal(confirmed.campaignId, bench.simulator.objects.launches()[0]?.id);
      assert.equal(confirmed.accountId, "acc_1");
    });

    it("is found while the list is watched after the quarantine: a later launch may have been interrupted", async () => {
      await afterQuarantine();
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 20_000 });
      appears();
      const confirmed = await campaign.update(state, declared, next);
      assert.deepEqual([confirmed.campaignId, bench.simulator.objects.launches().length], ["late", 0]);
    });

    it("waits for the rate limit before the list is read, but not at refresh or destroy", async () => {
      await afterQuarantine();
      const slow = bench.later({ rateLimits: `{"campaign.launch": 1}` });
      await campaign.create({ ...declared, campaignName: "Autumn sale" }, slow);
      requests(bench);
      const begins = slow.clock.now();
      await campaign.read(state, slow);
      await campaign.delete(state, slow);
      assert.equal(slow.clock.now(), begins + 30_000);
      requests(bench);
      const sentBeforeWait: string[][] = [];
      const sleep = slow.clock.sleep.bind(slow.clock);
      slow.clock.sleep = (wait) => {
        if (wait > 20_000) sentBeforeWait.push(requests(bench));
        return sleep(wait);
      };
      await campaign.update(state, declared, slow);
      slow.clock.sleep = sleep;
      assert.deepEqual(sentBeforeWait, [[]]);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"], "the watch is over after the wait");
      await slow.service.close();
    });

    it("starts a new quarantine when that launch is uncertain too", async () => {
      await afterQuarantine();
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 500 } });
      const sent = new Date(bench.clock.now() + 30_000).toISOString();
      const again = await leftBy(campaign.update(state, declared, next));
      assert.equal(again.state.launchAttemptedAt, sent);
      requests(bench);
      await bench.clock.sleep(quarantine / 2);
      await leftBy(campaign.update(again.state, declared, bench.later()));
      assert.deepEqual(requests(bench), ["list"]);
      appears();
      await campaign.delete(again.state, bench.later());
      assert.deepEqual([requests(bench), held(bench)], [["list", "delete"], ["late REMOVED"]]);
    });

    it("reads the list again when the later launch is postponed", async () => {
      await afterQuarantine();
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 429 } });
      await campaign.update(state, declared, next);
      assert.deepEqual(requests(bench), [...watched, "readiness", "launch", "list", "launch", "list"]);
    });

    it("is an ordinary refusal when the later launch is refused, and stays unconfirmed in state", async () => {
      await afterQuarantine();
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 400, body: { detail: "No logo" } } });
      assert.match(await refusal(campaign.update(state, declared, next)), /^This command did not launch.*No logo/s);
    });

    for (const [when, wait] of Object.entries({ during: 0, after: quarantine })) {
      it(`sends no launch ${when} the quarantine when the list cannot be read`, async () => {
        await bench.clock.sleep(wait);
        unreadable();
        const { message } = await leftBy(campaign.update(state, declared, next));
        assert.match(
          message,
          /The campaign list could not be read:\n {2}campaign\.list failed: .*403.*workspace-apps:endpoints/s,
        );
        assert.ok(!requests(bench).includes("launch"));
      });

      it(`sends no launch ${when} the quarantine next to one of the same name with other values`, async () => {
        await bench.clock.sleep(wait);
        appears({ daily_budget_micros: 1 });
        const { message } = await leftBy(campaign.update(state, declared, next));
        assert.match(message, /late \(ENABLED, differs in dailyBudgetMicros\)/);
        assert.deepEqual(requests(bench), ["list"]);
      });
    }

    it("says after the quarantine what it still waits for", async () => {
      await afterQuarantine();
      unreadable();
      const { message } = await leftBy(campaign.update(state, declared, next));
      assert.match(
        message,
        /quarantine ended at .*\n {2}Nothing is launched or forgotten before a complete list shows/,
      );
      assert.match(message, /- Run `pulumi up` again\./);
      assert.doesNotMatch(message, /Nothing is launched again before/);
    });

    it("is adopted when the program names its id, without another launch", async () => {
      appears();
      const adopted = await campaign.update(state, { ...declared, campaignId: "late" }, next);
      assert.deepEqual([adopted.campaignId, adopted.launchState, adopted.origin], ["late", "confirmed", "adopted"]);
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("refuses an id that does not exist, and sends no launch", async () => {
      await afterQuarantine();
      assert.match(
        await refusal(campaign.update(state, { ...declared, campaignId: "wrong" }, next)),
        /is not in the list/,
      );
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("is paused after it is confirmed, when the program says so", async () => {
      appears();
      const confirmed = await campaign.update(state, { ...declared, paused: true }, next);
      assert.equal(confirmed.paused, true);
      assert.deepEqual(held(bench), ["late PAUSED"]);
    });

    it("treats an unreadable time of the attempt as now", async () => {
      await afterQuarantine();
      await leftBy(campaign.update({ ...state, launchAttemptedAt: "garbled" }, declared, next));
      assert.deepEqual(requests(bench), ["list"]);
    });
  });

  describe("at refresh", () => {
    it("is confirmed when the list now shows it", async () => {
      appears();
      const read = await campaign.read(state, next);
      assert.ok(read);
      assert.deepEqual([read.campaignId, read.launchState], ["late", "confirmed"]);
      assert.deepEqual(await campaign.read(read, bench.later()), read);
    });

    it("fails during the quarantine", async () => {
      assert.match(
        await refusal(campaign.read(state, next)),
        /^MONEY MAY BE MOVING.*\n {2}- Run `pulumi refresh` again\. It adopts the campaign if the list shows it\.\n/s,
      );
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("is not confirmed by a campaign that another resource manages", async () => {
      appears();
      await campaign.create({ ...declared, campaignId: "late" }, next);
      assert.match(await refusal(campaign.read(state, next)), /A complete campaign list does not show it/);
    });

    it("stays in state after the quarantine, with a message, and sends no launch", async () => {
      await bench.clock.sleep(Date.parse("2026-01-01T00:15:00Z") - bench.clock.now());
      assert.deepEqual(await campaign.read(state, next), state);
      assert.match(
        next.said.join(),
        /MONEY MAY BE MOVING.*does not show it.*quarantine ended at 2026-01-01T00:15:00Z\.\n {2}The next `pulumi up` watches the list, and launches it again if it does not appear/s,
      );
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("fails after the quarantine when there is doubt", async () => {
      await afterQuarantine();
      appears({ landing_page: "https://other.example.com/" });
      assert.match(await refusal(campaign.read(state, next)), /late \(ENABLED, differs in landingPage\)/);
    });

    it("fails after the quarantine when the list cannot be read", async () => {
      await afterQuarantine();
      unreadable();
      assert.match(await refusal(campaign.read(state, next)), /The campaign list could not be read/);
    });

    it("shares the list with the other campaigns of the app", async () => {
      appears();
      const other = await campaign.create({ ...declared, campaignName: "Autumn sale" }, next);
      requests(bench);
      const refresh = bench.later();
      for (const one of [other, state, other]) await campaign.read(one, refresh);
      assert.deepEqual(requests(bench), ["list"]);
    });
  });

  describe("at destroy", () => {
    it("is deleted when the list now shows it", async () => {
      appears();
      await campaign.delete(state, next);
      assert.deepEqual(requests(bench), ["list", "delete"]);
      assert.deepEqual(held(bench), ["late REMOVED"]);
    });

    it("is paused or retained when it is found and the policy says so", async () => {
      appears();
      await campaign.delete({ ...state, deletionPolicy: "retain" }, next);
      assert.deepEqual(held(bench), ["late ENABLED"]);
      await campaign.delete({ ...state, deletionPolicy: "pause" }, next);
      assert.deepEqual(held(bench), ["late PAUSED"]);
    });

    it("fails during the quarantine, because it may still appear", async () => {
      assert.match(await refusal(campaign.delete(state, next)), /MONEY MAY BE MOVING/);
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("is forgotten after the quarantine, when a complete list does not show it", async () => {
      await afterQuarantine();
      await campaign.delete(state, next);
      assert.deepEqual(requests(bench), watched);
      assert.match(
        next.said.join(),
        /Watching the campaign list for 30 s before campaign "Spring sale" is forgotten\..*was never confirmed, and a complete list does not show it: it leaves the stack/,
      );
    });

    it("is not forgotten after the quarantine when the list cannot be read, or shows a possible match", async () => {
      await afterQuarantine();
      appears({ campaign_type: "PMAX" });
      assert.match(await refusal(campaign.delete(state, next)), /differs in campaignType/);
      unreadable();
      assert.match(await refusal(campaign.delete(state, next)), /could not be read/);
      assert.deepEqual(held(bench), ["late ENABLED"]);
    });

    it("is not touched when another resource now has it", async () => {
      appears();
      const renamed = await campaign.create({ ...declared, campaignId: "late" }, next);
      assert.equal(renamed.campaignId, "late");
      await campaign.delete(state, next, (object) => object === "campaign late of app app-1");
      assert.deepEqual(held(bench), ["late ENABLED"]);
    });
  });

  it("can be resolved only at the base URL to which it was sent", async () => {
    await afterQuarantine();
    const elsewhere = bench.later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") });
    const why =
      /^MONEY MAY BE MOVING: .* may be live at another base URL, where its launch was sent\. No request was sent\.\n {2}- Check workspace-apps:baseUrl/;
    assert.match(await refusal(campaign.update(state, declared, elsewhere)), why);
    assert.match(await refusal(campaign.read(state, elsewhere)), why);
    assert.match(await refusal(campaign.delete(state, elsewhere)), why);
    assert.deepEqual(requests(bench), []);
    assert.equal(launches(), 0);
    await elsewhere.service.close();
  });
});
