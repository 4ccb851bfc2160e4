import assert from "node:assert/strict";
import fc from "fast-check";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { unknownValue } from "../../provider/serializable";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { argumentsIn } from "../../provider/resources/shared/lifecycle";
import { wordsOf } from "../../provider/service/error-text";
import { readJson } from "../../provider/service/json";
import type { RequestFault } from "../../simulator";
import {
  campaign,
  declared,
  failingToSend,
  held,
  intend,
  type Intent,
  intents,
  quarantine,
  refusal,
  requests,
  type State,
} from "../support/campaigns";
import { type Bench, leftBy, startBench, stepOn } from "../support/deployment";
import { InMemory } from "../support/in-memory";
import { launchedName, putLaunch } from "../support/launches";
import { PartialFailure } from "../../provider/resources/shared/partial-failure";

/** Responses that leave it uncertain whether the launch was carried out. */
const uncertain: Record<string, RequestFault["then"]> = {
  "a 409 for a billing hold": { status: 409, body: { detail: "The workspace is on billing hold" } },
  "a 409 that says nothing was done": { status: 409, body: "nothing was created" },
  "an empty 409": { status: 409 },
  "a 405": { status: 405 },
  "a 408": { status: 408 },
  "a 500": { status: 500, body: { detail: "Oh no" } },
  "a 502": { status: 502, body: "<html>Bad Gateway</html>" },
  "a 503 with Retry-After": { status: 503, headers: { "retry-after": "1" } },
  "a 504": { status: 504 },
  "a redirect": { status: 307, headers: { location: "/elsewhere" } },
  "a reset": "reset",
  "a 200 web page": { status: 200, body: "<html>Sign in</html>" },
  "a 200 without a body": { status: 200 },
  "a 202 with a campaign": { status: 202, body: { campaign: { id: "later", campaign_name: "Spring sale" } } },
  "a 200 without the campaign's id": { status: 200, body: { campaign: { campaign_name: "Spring sale" } } },
};

/** The list is read at once, and then for the settle time. */
const watched = Array<string>(9).fill("list");

const start = "2026-01-01T00:00:00Z";
/** `Date` headers count whole seconds, so the attempt may count as up to a second later. */
const attempted = /^2026-01-01T00:00:0[01]\.000Z$/;

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
      assert.match(bench.said.at(-1) ?? "", /The launch of this command is confirmed: .* live as cmp_1 \(ENABLED\)/);
      assert.deepEqual(await campaign.read(state, bench.later()), state);
    });

    it(`is unconfirmed after ${what} when the list never shows it, and is sent only once`, async () => {
      fault(then);
      const { state, message } = await leftBy(campaign.create(declared, bench));
      assert.equal(launches(), 0);
      assert.deepEqual(requests(bench), ["list", "readiness", "launch", ...watched]);
      assert.deepEqual([state.launchState, state.campaignId], ["unconfirmed", undefined]);
      assert.match(state.launchAttemptedAt ?? "", attempted);
      assert.match(
        message,
        /^MONEY MAY BE MOVING: campaign "Spring sale" \(app-1, 5\.00 a day\) may be live; its launch, sent before 2026-01-01T00:00:0[01]Z, is not confirmed\. \[WA1201\]\n/,
      );
      assert.match(
        message,
        /\n {2}A complete campaign list does not show it\.\n {2}Nothing is launched again before 2026-01-01T00:15:0[01]Z, when the quarantine ends/,
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
    assert.match(message, /is not confirmed\. \[WA1201\]\n {2}odd\n/);
    await failing.service.close();
  });

  it("keeps every argument in state, and no unknown values", async () => {
    fault({ status: 409 });
    const given = { ...declared, businessName: "Shop", extraFields: { a: [1] }, paused: true, deletionPolicy: "pause" };
    const intent = await intend(given, bench);
    const { state } = await leftBy(campaign.create(given, bench, intent));
    assert.deepEqual(state, {
      ...given,
      launchIntent: intent.key,
      apps: ["app-1"],
      launchState: "unconfirmed",
      launchedName: launchedName(intent, given),
      launchAttemptedAt: state.launchAttemptedAt,
      readBy: state.readBy,
    });
    assert.ok(bench.service.endpoints.isEvidence("campaign.list", state.readBy));
  });

  it("says whether money may be moving, what is known and what to do, line by line", async () => {
    fault({ status: 409, body: { detail: "It timed out" } });
    const { message, state } = await leftBy(campaign.create(declared, bench));
    const sent = (state.launchAttemptedAt ?? "").replace(".000", "");
    const end = sent.replace("00:00:", "00:15:");
    assert.deepEqual(message.split("\n"), [
      `MONEY MAY BE MOVING: campaign "Spring sale" (app-1, 5.00 a day) may be live; its launch, sent before ${sent}, is not confirmed. [WA1201]`,
      "  campaign.launch failed: the service answered 409.",
      "  The service said: It timed out",
      `  Request: POST ${bench.simulator.url}/api/apps/app-1/ads-platform/launch`,
      "  It may or may not have been carried out.",
      "  A complete campaign list does not show it.",
      `  Nothing is launched again before ${end}, when the quarantine ends (workspace-apps:launchQuarantineSeconds).`,
      `  - Run \`pulumi up\` after ${end}. It takes the campaign over if the list shows it, and launches it otherwise.`,
      // Without the second step, a later up would launch or resume it again.
      `  - To stop it now: delete "${state.launchedName ?? ""}" in the service, then remove it from the program. Or pause it there, then declare paused: true.`,
    ]);
  });

  it("repeats the service's words even if they repeat advertising texts", async () => {
    const texts = {
      businessName: "Shop",
      keywordThemes: ["billing"],
      searchThemes: ["account"],
      geoTargets: ["hold"],
    };
    const words = "The billing account of Shop (https://example.com/spring) is on hold";
    fault({ status: 409, body: { detail: words } });
    const { message } = await leftBy(campaign.create({ ...declared, ...texts }, bench));
    assert.ok(message.includes(`\n  The service said: ${words}\n`), message);
  });

  describe("watching the list", () => {
    it("finds the campaign in a list that lags within the settle time", async () => {
      fault("reset", { commit: true });
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 29_000 });
      assert.equal((await campaign.create(declared, bench)).campaignId, "cmp_1");
      assert.equal(launches(), 1);
    });

    it("looks at growing intervals until the end of the settle time, and no longer", async () => {
      fault({ status: 409 });
      await leftBy(campaign.create(declared, bench));
      const waits = bench.clock.sleeps.filter((wait) => wait > 0);
      assert.deepEqual(waits, [1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 3_000]);
      assert.deepEqual(bench.said.slice(1), [
        'It is uncertain whether campaign "Spring sale" (app-1, 5.00 a day) was launched. Watching the campaign list for 30 s.',
      ]);
    });

    it("ends unconfirmed when the list cannot be read, and says so", async () => {
      fault({ status: 409 }, { commit: true });
      bench.simulator.fault({ operation: "campaign.list", skip: 1, times: "always", then: { status: 403 } });
      const { state, message } = await leftBy(campaign.create(declared, bench));
      assert.equal(state.launchState, "unconfirmed");
      assert.match(message, /The campaign list could not be read:\n {2}campaign\.list failed: .*403/);
      assert.doesNotMatch(message, /list does not show it/);
    });

    it("does not wait for the rate limit of launches", async () => {
      const slow = bench.later({ rateLimits: `{"campaign.launch": 1}` });
      fault("reset", { commit: true });
      await campaign.create(declared, slow);
      assert.deepEqual(
        slow.clock.sleeps.filter((wait) => wait > 0),
        [],
      );
      await slow.service.close();
    });
  });

  it("counts the quarantine from the moment when the outcome became uncertain", async () => {
    const slow = failingToSend(bench, 1, () => {
      void bench.clock.sleep(20_000);
      return new TypeError("late");
    });
    const { state } = await leftBy(campaign.create(declared, slow));
    assert.match(state.launchAttemptedAt ?? "", /^2026-01-01T00:00:2[01]\.000Z$/);
    assert.equal(bench.clock.now() - Date.parse(start), 50_000, "the settle time starts at the response");
    await slow.service.close();
  });
});

describe("AdCampaign, an unconfirmed launch", () => {
  let bench: Bench;
  let intent: Intent;
  let state: State;
  /** The next `pulumi` command. */
  let next: Bench;
  beforeEach(async () => {
    bench = await startBench();
    intent = await intend(declared, bench);
    ({ state } = await uncertainLaunch(declared));
    next = bench.later();
  });
  afterEach(async () => {
    await next.service.close();
    await bench.close();
  });

  const uncertainLaunch = async (inputs: object, on = bench): Promise<{ state: State; message: string }> => {
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409, body: { detail: "It timed out" } } });
    const left = await leftBy(campaign.create(inputs, on, intent));
    requests(bench);
    return left;
  };
  const launches = (): number => bench.simulator.objects.launches().length;
  const appears = (inputs = {}, fields = {}) => putLaunch(bench, intent, inputs, { id: "late", ...fields });
  const unreadable = (): void => {
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
  };
  const afterQuarantine = () => bench.clock.sleep(quarantine + 1_000);
  const up = (inputs: object = declared, on = next): Promise<State> => {
    // As the engine does before it comes to the campaign.
    return intend(inputs, on, intent).then(() => campaign.update(state, inputs, on));
  };

  it("is unfinished, and is identified by its name until its id is known", () => {
    assert.equal(adCampaignLifecycle.hasMoreToDo?.(state), true);
    assert.equal(adCampaignLifecycle.idOf(state), "unconfirmed Spring sale");
    assert.equal(adCampaignLifecycle.objectName(state), `campaign "Spring sale" of app app-1`);
    assert.deepEqual(JSON.parse(JSON.stringify(argumentsIn(adCampaignLifecycle, state))), {
      ...declared,
      launchIntent: intent.key,
    });
  });

  describe("at preview", () => {
    const kept = { ...declared, launchIntent: "" };
    beforeEach(() => {
      kept.launchIntent = intent.key;
    });
    const noted = async (inputs: object): Promise<string> => {
      next.said.length = 0;
      await intend(inputs, next, intent);
      await campaign.preview(state, inputs, next);
      assert.deepEqual(requests(next), []);
      return next.said.join("\n---\n");
    };

    it("says that it is unconfirmed, and what an up does with it", async () => {
      assert.match(
        await noted(kept),
        /^MONEY MAY BE MOVING: campaign "Spring sale" \(app-1, 5\.00 a day\) may be live; .* is not confirmed\. \[WA1201\]\n {2}Nothing is launched again before 2026-01-01T00:15:0[01]Z.*\n {2}- Run `pulumi up` after .*takes the campaign over if the list shows it, and launches it otherwise\./,
      );
    });

    it("does not ask for another up when the quarantine is over: this one settles it", async () => {
      await next.clock.sleep(900_000);
      const said = await noted(kept);
      assert.match(
        said,
        /\n {2}- `pulumi up` takes the campaign over if the list shows it, and launches it otherwise\./,
      );
      assert.doesNotMatch(said, /again/);
    });

    it("says that an up adopts the campaign whose id is declared, whatever else changed", async () => {
      const adopting = { ...declared, dailyBudgetMicros: 6_000_000, campaignId: "cmp_9" };
      assert.match(await noted(adopting), /`pulumi up` adopts the campaign that the program declares\./);
    });

    it("refuses nothing that an id makes unnecessary which is not known yet", async () => {
      await intend(declared, next, intent);
      const changed = { ...kept, dailyBudgetMicros: 6_000_000, campaignId: unknownValue };
      assert.deepEqual(await campaign.preview(state, changed, next), {
        changes: true,
        replaces: ["dailyBudgetMicros"],
      });
    });

    it("says it once, and not at a refresh, which says more", async () => {
      const host = dynamicProvider(adCampaignLifecycle, () => next);
      const olds = { ...state } as Record<string, unknown>;
      await host.diff?.("id", olds, { ...kept });
      assert.deepEqual(next.said, []);
      await intend(declared, next, intent);
      const { inputs = {} } = (await host.check?.(olds, { ...kept })) ?? {};
      for (let times = 0; times < 3; times++) await host.diff?.("id", olds, inputs);
      assert.equal(next.said.length, 1);
    });
  });

  describe("at the next up", () => {
    it("is confirmed when the list now shows it", async () => {
      appears();
      const confirmed = await up();
      assert.deepEqual(
        [confirmed.campaignId, confirmed.launchState, confirmed.origin, confirmed.launchAttemptedAt],
        ["late", "confirmed", undefined, undefined],
      );
      assert.deepEqual(requests(bench), ["list"]);
      assert.match(next.said.join("\n"), /An earlier command launched it: .* live as late \(ENABLED\)/);
      assert.equal(adCampaignLifecycle.hasMoreToDo?.(confirmed), false);
      assert.equal(adCampaignLifecycle.idOf(confirmed), "late");
    });

    it("fails again without a launch during the quarantine, with the same attempt", async () => {
      await bench.clock.sleep(Date.parse("2026-01-01T00:14:59Z") - bench.clock.now());
      const again = await leftBy(up());
      assert.deepEqual(again.state, state);
      assert.match(
        again.message,
        /^MONEY MAY BE MOVING.*A complete campaign list does not show it.*`pulumi up` after 2026-01-01T00:15:0[01]Z/s,
      );
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("is launched again after the quarantine under the same key, when the list is watched and does not show it", async () => {
      await afterQuarantine();
      const confirmed = await up();
      assert.deepEqual(requests(bench), [...watched, "list", "readiness", "launch", "list"]);
      assert.match(next.said[0] ?? "", /Watching the campaign list for 30 s\.$/);
      assert.equal(next.said.filter((line) => line.includes("Watching")).length, 1);
      const [only] = bench.simulator.objects.launches();
      assert.deepEqual([confirmed.campaignId, confirmed.accountId], [only?.id, "acc_1"]);
      assert.equal(only?.campaign_name, launchedName(intent));
    });

    it("stays unconfirmed when the later launch is refused: the earlier one may be live", async () => {
      await afterQuarantine();
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 400, body: { detail: "No logo" } } });
      const { message, state: saved } = await leftBy(up());
      assert.match(message, /^MONEY MAY BE MOVING: .*No logo/s);
      assert.deepEqual(saved, state);
    });

    it("is adopted when the program names its id, without another launch", async () => {
      appears();
      const adopted = await up({ ...declared, campaignId: "late" });
      assert.deepEqual([adopted.campaignId, adopted.launchState, adopted.origin], ["late", "confirmed", "adopted"]);
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("treats an unreadable time of the attempt as now", async () => {
      await afterQuarantine();
      state = { ...state, launchAttemptedAt: "garbled" };
      await leftBy(up());
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("is still found under the key that it was sent with when the program names another intent", async () => {
      const intent = await intend(declared, bench);
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      const { state } = await leftBy(campaign.create(declared, bench, intent));
      const other = await intend(declared, bench.later());
      const up = async () => {
        const next = bench.later();
        await intend(declared, next, other);
        return campaign.update(state, { ...declared, launchIntent: other.key }, next);
      };
      assert.match((await leftBy(up())).message, /^MONEY MAY BE MOVING: .* is not confirmed/);
      putLaunch(bench, intent);
      const { campaignId, launchIntent } = await up();
      assert.deepEqual([campaignId, launchIntent, held(bench)], ["cmp_1", other.key, ["cmp_1 ENABLED"]]);
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

    for (const [when, wait] of Object.entries({ during: 0, after: quarantine + 1_000 }))
      it(`stays in state ${when} the quarantine, says that it is not confirmed, and sends no launch`, async () => {
        await bench.clock.sleep(wait);
        assert.deepEqual(await campaign.read(state, next), state);
        assert.match(
          next.said.join("\n"),
          /^MONEY MAY BE MOVING: campaign "Spring sale" .* may be live.*\n {2}A complete campaign list does not show it/,
        );
        assert.deepEqual(requests(bench), ["list"]);
      });

    it("fails when the list cannot be read", async () => {
      unreadable();
      assert.match(
        await refusal(campaign.read(state, next)),
        /^MONEY MAY BE MOVING: .* is not confirmed, and the campaign list cannot be read\. \[WA1202\]$/m,
      );
    });
  });

  describe("at destroy", () => {
    it("is deleted with every other campaign of its key when the list shows it, during the quarantine too", async () => {
      appears();
      appears({ dailyBudgetMicros: 6_000_000 }, { id: "other" });
      await campaign.delete(state, next);
      assert.deepEqual(held(bench), ["late REMOVED", "other REMOVED"]);
    });

    it("is paused or retained when it is found and the policy says so", async () => {
      appears();
      await campaign.delete({ ...state, deletionPolicy: "retain" }, next);
      assert.deepEqual(held(bench), ["late ENABLED"]);
      assert.match(next.said.join("\n"), /Campaign late of .* goes on, by the deletionPolicy "retain"/);
      await campaign.delete({ ...state, deletionPolicy: "pause" }, bench.later());
      assert.deepEqual(held(bench), ["late PAUSED"]);
    });

    it("is retained after an up that declared so", async () => {
      const intent = await intend(declared, bench);
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      const { state } = await leftBy(campaign.create(declared, bench, intent));
      const { state: retained } = await leftBy(
        campaign.update(state, { ...declared, deletionPolicy: "retain" }, bench.later()),
      );
      putLaunch(bench, intent);
      await campaign.delete(retained, bench.later());
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    it("fails during the quarantine, because it may still appear", async () => {
      assert.match(
        await refusal(campaign.delete(state, next)),
        /^MONEY MAY BE MOVING.*\n {2}- Run the same command after 2026-01-01T00:15:0[01]Z\. It deletes or pauses it if the list shows it/s,
      );
      assert.deepEqual(requests(bench), ["list"]);
    });

    it("fails during the quarantine even where it found and deleted only another launch of its key", async () => {
      appears({ dailyBudgetMicros: 6_000_000 });
      assert.match(await refusal(campaign.delete(state, next)), /^MONEY MAY BE MOVING/);
      assert.deepEqual(held(bench), ["late REMOVED"]);
    });

    it("fails during the quarantine under the policy retain, although another campaign of its key is live", async () => {
      const retained = { ...declared, deletionPolicy: "retain" };
      const intent = await intend(retained, bench);
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      const { state } = await leftBy(campaign.create(retained, bench, intent));
      putLaunch(bench, intent, { dailyBudgetMicros: 9_000_000 });
      assert.match(await refusal(campaign.delete(state, bench.later())), /is not confirmed/);
      await bench.clock.sleep(quarantine + 1_000);
      await campaign.delete(state, bench.later());
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    it("is forgotten after the quarantine, when the list does not show it, and the intent watches once more", async () => {
      await afterQuarantine();
      await campaign.delete(state, next);
      assert.deepEqual(requests(bench), ["list"]);
      assert.match(next.said.join("\n"), /is removed from the stack\. The list shows no campaign of it\./);
      await intents.delete(intent, next);
      assert.deepEqual(requests(bench), watched);
    });
  });

  describe("replaced by a changed launch argument", () => {
    const changed = { ...declared, dailyBudgetMicros: 6_000_000 };
    /** The engine's calls for `--replace` or a change: `check`, `delete`, `create`. */
    const replace = async (): Promise<State> => {
      await intend(changed, next, intent);
      await dynamicProvider(adCampaignLifecycle, () => next).check?.(
        { ...state },
        { ...changed, launchIntent: intent.key },
      );
      await campaign.delete(state, next);
      return campaign.create(changed, next, intent);
    };

    it("is refused within the quarantine, whatever asked for the replacement", async () => {
      assert.match(
        await refusal(replace()),
        /^MONEY MAY BE MOVING: .* was not replaced, and may be live\. Its launch is not confirmed/,
      );
      assert.equal(launches(), 0);
    });

    it("deletes what the list shows after the quarantine, and launches once", async () => {
      await afterQuarantine();
      appears();
      const { campaignId } = await replace();
      assert.deepEqual(held(bench), ["late REMOVED", `${campaignId ?? ""} ENABLED`]);
      assert.equal(launches(), 1);
    });
  });
});

/** Texts that a reader could mistake for the outcome. */
const misleading = [
  "campaign already launched from this draft",
  "nothing was created",
  "Nothing was launched. Retry is safe.",
  "billing hold: fix billing, then retry",
  "request to the ad platform timed out after being sent",
  "Not Found",
  "success",
  "Es wurde nichts angelegt, bitte erneut versuchen",
  "キャンペーンは作成されませんでした",
  "لم يتم إنشاء أي حملة",
];
const fields = ["detail", "message", "error", "status", "code", "campaign", "account", "id", "retry", "created"];
const words = fc.oneof(fc.constantFrom(...misleading), fc.string({ unit: "binary" }), fc.lorem());
const json = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(words, fc.jsonValue(), fc.record({ message: words }))),
  fc.record({ detail: fc.array(fc.record({ loc: fc.array(fc.string()), msg: words, type: fc.string() })) }),
  // The response of a successful launch.
  fc.record({ campaign: fc.record({ id: fc.string(), status: fc.constantFrom("ENABLED", "REMOVED") }) }),
);
const body = fc.oneof(
  fc.constant(""),
  words,
  words.map((text) => `<!doctype html><html><body><h1>409</h1>${text}</body></html>`),
  json.map((value) => JSON.stringify(value)),
  json.map((value) => JSON.stringify(value).slice(0, -1)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("utf8")),
  fc.tuple(words, fc.integer({ min: 1_000, max: 5_000 })).map(([text, times]) => text.slice(0, 20).repeat(times)),
);
const headerSets = fc.record(
  {
    "content-type": fc.constantFrom("application/json", "text/html", "text/plain; charset=latin1", "image/png", ""),
    "content-length": fc.nat().map(String),
    location: fc.webUrl(),
  },
  { requiredKeys: [] },
);

/** The first `up` with a service that responds to the launch with this 409. The list shows what it did, or is unreadable. */
async function upWith409(text: string, headers: Record<string, string>, isCarriedOut: boolean, isListReadable = true) {
  let posts = 0;
  const service = new InMemory({ launchSettleSeconds: "0" }, (operation, carryOut) => {
    if (operation === "campaign.launch") {
      posts++;
      if (isCarriedOut) carryOut();
      return { status: 409, headers, text };
    }
    return posts > 0 && !isListReadable ? { status: 500, headers: {}, text: "" } : carryOut();
  });
  const command = service.deployment();
  const { key } = await launchIntentLifecycle.create({ appId: declared.appId }, stepOn(command));
  const inputs = adCampaignLifecycle.inputs.parse({ ...declared, launchIntent: key });
  const outcome = await adCampaignLifecycle.create(inputs, stepOn(command)).then(
    ({ launchState }) => ({ launchState, message: "" }),
    (error: unknown) => {
      assert.ok(error instanceof PartialFailure, String(error));
      return { launchState: (error.state as State).launchState, message: withoutQuote(error.message, text) };
    },
  );
  assert.equal(posts, 1);
  return outcome;
}

/** Without the service's words, and without the random key. */
function withoutQuote(given: string, text: string): string {
  const message = given.replace(/-[0-9a-f]{12}"/g, '-…"');
  const quoted = wordsOf(readJson(text), ["full-access-token"]);
  const quote = `answered 409.\n  The service said: ${quoted}\n`;
  return quoted === "" ? message : message.replace(quote, () => "answered 409.\n");
}

describe("A 409 response to a launch", () => {
  it("proves nothing, whatever it says: one POST, the list decides, and the message is always the same", async () => {
    const absent = await upWith409("", {}, false);
    const unread = await upWith409("", {}, true, false);
    const uncertainThen = /answered 409\.\n.*\n {2}It may or may not have been carried out\.\n {2}/.source;
    assert.match(absent.message, new RegExp(`${uncertainThen}A complete campaign list does not show it`));
    assert.match(unread.message, new RegExp(`${uncertainThen}The campaign list could not be read`));
    for (const { launchState, message } of [absent, unread]) {
      assert.equal(launchState, "unconfirmed");
      assert.match(message, /^MONEY MAY BE MOVING/);
      assert.doesNotMatch(message, /not launched|nothing was (launched|created|changed|sent|done)/i);
    }
    await fc.assert(
      fc.asyncProperty(body, headerSets, async (text, headers) => {
        assert.deepEqual(await upWith409(text, headers, true), { launchState: "confirmed", message: "" });
        assert.deepEqual(await upWith409(text, headers, false), absent);
        assert.deepEqual(await upWith409(text, headers, true, false), unread);
      }),
      { numRuns: 200 },
    );
  });
});
