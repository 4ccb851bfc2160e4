import assert from "node:assert/strict";
import fc from "fast-check";
import type { Deployment } from "../../provider/resources/shared/deployment";
import { PartialFailure } from "../../provider/resources/shared/lifecycle";
import { launchIntentLifecycle, type State as Intent } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import type { State } from "../../provider/resources/ad-campaign/campaign";
import { readJson } from "../../provider/service/json";
import { wordsOf } from "../../provider/service/error-text";
import { campaign, declared } from "../support/campaigns";
import { leftBy, startBench, stepOn } from "../support/deployment";
import { InMemory } from "../support/in-memory";

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
const headers = fc.record(
  {
    "content-type": fc.constantFrom("application/json", "text/html", "text/plain; charset=latin1", "image/png", ""),
    "content-length": fc.nat().map(String),
    location: fc.webUrl(),
  },
  { requiredKeys: [] },
);

/** How long the list is watched here: shorter than usual, because of thousands of runs. */
const settle = 5_000;

interface Run {
  text: string;
  headers: Record<string, string>;
  /** Whether the service launched the campaign anyway. */
  commits: boolean;
  /** How far the list lags behind. If absent, the list cannot be read after the launch. */
  lag: number | undefined;
}
const runs = fc.record<Run>({
  text: body,
  headers: headers,
  commits: fc.boolean(),
  lag: fc.option(fc.nat(2 * settle), { nil: undefined }),
});

/** The first `up` with a service that responds to the launch with this 409. */
async function up({ text, headers, commits, lag }: Run) {
  let posted = false;
  const service = new InMemory({ launchSettleSeconds: String(settle / 1000) }, (operation, carryOut) => {
    if (operation === "campaign.launch") {
      posted = true;
      if (commits) carryOut();
      return { status: 409, headers, text };
    }
    if (operation === "campaign.list" && posted && lag === undefined) return { status: 500, headers: {}, text: "" };
    return carryOut();
  });
  service.lag(lag ?? 0);
  const first = service.deployment();
  const intent = await launchIntentLifecycle.create({ appId: declared.appId }, stepOn(first));
  const inputs = adCampaignLifecycle.inputs.parse({ ...declared, launchIntent: intent.key });
  const outcome = await adCampaignLifecycle.create(inputs, stepOn(first)).then(
    (state) => ({ state, message: "" }),
    (error: unknown) => {
      assert.ok(error instanceof PartialFailure, String(error));
      return { state: error.state as State, message: error.message };
    },
  );
  const posts = (): number => service.requests.filter((operation) => operation === "campaign.launch").length;
  const later = (): Deployment => laterCommand(service, intent);
  return { service, inputs, posts, later, ...outcome };
}

/** A later command, which has seen the intent. */
function laterCommand(service: InMemory, intent: Intent): Deployment {
  const deployment = service.deployment();
  launchIntentLifecycle.beforeKeep?.(intent, { appId: intent.appId }, deployment);
  return deployment;
}

/** The message without the quoted service message. */
/** Without the service's words, and without the random key. */
function ownWords(given: string, text: string): string {
  const message = given.replace(/-[0-9a-f]{12}"/g, '-…"');
  const said = wordsOf(readJson(text), ["full-access-token"]);
  return said === ""
    ? message
    : message.replace(`answered 409.\n  The service said: ${said}\n`, () => "answered 409.\n");
}

describe("A 409 response to a launch", () => {
  it("is never treated as proof, whatever it says: one POST, and the list decides", async () => {
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { state, message, posts, service } = await up(run);
        assert.equal(posts(), 1);
        const live = service.objects.campaigns("app-1");
        assert.equal(live.length, run.commits ? 1 : 0);
        const isShown = run.commits && run.lag !== undefined && run.lag <= settle;
        assert.deepEqual(
          [state.launchState, state.campaignId],
          isShown ? ["confirmed", live[0]?.id] : ["unconfirmed", undefined],
        );
        assert.match(message, isShown ? /^$/ : /^MONEY MAY BE MOVING/);
      }),
      { numRuns: 300 },
    );
  });

  it("always gives the same message, except for the quoted service message", async () => {
    const empty = { text: "", headers: {}, commits: false };
    const absent = ownWords((await up({ ...empty, lag: 0 })).message, "");
    const unread = ownWords((await up({ ...empty, lag: undefined })).message, "");
    assert.match(
      absent,
      /answered 409\.\n.*\n {2}It may or may not have been carried out\.\n {2}A complete campaign list does not show it/,
    );
    assert.match(
      unread,
      /answered 409\.\n.*\n {2}It may or may not have been carried out\.\n {2}The campaign list could not be read/,
    );
    for (const message of [absent, unread])
      assert.doesNotMatch(message, /not launched|nothing was (launched|created|changed|sent|done)/i);
    await fc.assert(
      fc.asyncProperty(runs, async ({ text, headers }) => {
        const { message } = await up({ text, headers, commits: false, lag: 0 });
        assert.equal(ownWords(message, text), absent);
        const blind = await up({ text, headers, commits: true, lag: undefined });
        assert.equal(
          ownWords(blind.message, text),
          unread,
          "it does not report something as absent without looking for it",
        );
      }),
      { numRuns: 100 },
    );
  });

  it("prevents a launch by a later up during the quarantine, and recovers when the list shows the campaign", async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.nat(800_000), async (run, wait) => {
        const { state, posts, service, inputs, later } = await up({
          ...run,
          lag: settle + 1 + (run.lag ?? 0),
        });
        assert.equal(state.launchState, "unconfirmed");
        await service.clock.sleep(wait);
        const again = await adCampaignLifecycle.update(state, inputs, stepOn(later())).catch((error: unknown) => {
          assert.ok(error instanceof PartialFailure, String(error));
          return error.state as State;
        });
        assert.equal(posts(), 1);
        if (again.launchState === "unconfirmed") assert.equal(again.launchAttemptedAt, state.launchAttemptedAt);
        await service.clock.sleep(1_000_000);
        const healed = await adCampaignLifecycle
          .update(again, inputs, stepOn(later()))
          .catch((error: unknown) => (error as PartialFailure).state as State);
        assert.equal(
          posts(),
          run.commits ? 1 : 2,
          "after it, one more launch only if a complete list shows no campaign",
        );
        if (run.commits) assert.equal(healed.campaignId, service.objects.campaigns("app-1")[0]?.id);
      }),
      { numRuns: 100 },
    );
  });

  it("has the same effect over a real connection", async () => {
    const bench = await startBench();
    try {
      await fc.assert(
        fc.asyncProperty(
          body,
          fc.constantFrom("application/json", "text/html"),
          fc.boolean(),
          async (text, contentType, commit) => {
            for (const { id } of bench.simulator.objects.campaigns("app-1"))
              bench.simulator.objects.removeCampaign("app-1", id);
            bench.simulator.clearRequests();
            bench.simulator.fault({
              operation: "campaign.launch",
              commit,
              then: { status: 409, body: text, contentType },
            });
            const command = bench.later();
            const step = campaign.create(declared, command);
            const state = commit ? await step : (await leftBy(step)).state;
            assert.equal(state.launchState, commit ? "confirmed" : "unconfirmed");
            assert.equal(bench.simulator.requests.filter(({ operation }) => operation === "campaign.launch").length, 1);
            await command.service.close();
          },
        ),
        { numRuns: 20 },
      );
    } finally {
      await bench.close();
    }
  });
});
