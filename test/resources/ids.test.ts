import assert from "node:assert/strict";
import fc from "fast-check";
import { problemsOf } from "../../provider/pulumi/check";
import type { Lifecycle } from "../../provider/resources/shared/lifecycle";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { folderMembershipLifecycle } from "../../provider/resources/folder-membership/lifecycle";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import { type Bench, driven, startBench } from "../support/deployment";

const campaign = {
  campaignName: "Mugs",
  campaignType: "SMART",
  dailyBudgetMicros: 1,
  landingPage: "https://a.example",
};
const webhook = { targetUrl: "https://hooks.example.com/a", events: ["message.created"] };
const session = { title: "Title", prompt: "Prompt", idempotencyKey: "key" };

/** Every resource with the same text wherever it takes an id, created and adopted. */
const declarations: [string, unknown, (id: string) => object][] = [
  ["Webhook", webhookLifecycle, (id) => ({ ...webhook, agentId: id })],
  ["Webhook, adopted", webhookLifecycle, (id) => ({ ...webhook, agentId: id, webhookId: id })],
  ["AdCampaign", adCampaignLifecycle, (id) => ({ ...campaign, appId: id })],
  ["AdCampaign, adopted", adCampaignLifecycle, (id) => ({ ...campaign, appId: id, campaignId: id })],
  ["FolderMembership", folderMembershipLifecycle, (id) => ({ folderId: id, appId: id })],
  ["EntityRecord", entityRecordLifecycle, (id) => ({ appId: id, entityName: id, fields: { a: 1 } })],
  ["EntityRecord, adopted", entityRecordLifecycle, (id) => ({ appId: id, entityName: id, recordId: id, fields: {} })],
  ["TestFlow", testFlowLifecycle, (id) => ({ appId: id, definition: { name: "a" } })],
  ["TestFlow, adopted", testFlowLifecycle, (id) => ({ appId: id, flowId: id })],
  ["IgnoredFinding", ignoredFindingLifecycle, (id) => ({ appId: id, fingerprint: id })],
  ["ConversionTracking", conversionTrackingLifecycle, (id) => ({ appId: id })],
  ["CodingSession", codingSessionLifecycle, (id) => ({ ...session, appId: id })],
];

const piece = fc.constantFrom(...["/", "..", ".", "%", "%2F", "?", "#", "\\", " ", "\r\n", "é", "😀", "\u0000", "a"]);
const anyId = fc
  .oneof(
    fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join("")),
    fc.constantFrom("a/../../secret", "é".repeat(2048), "/".repeat(4096), "🙂 ".repeat(42)),
  )
  .filter((id) => id !== "." && id !== "..");

describe("An id of any text", () => {
  for (const [name, untyped, inputsOf] of declarations) {
    const lifecycle = untyped as Lifecycle<object, object>;
    const [kind] = name.split(",");

    it(`stays in its path segment in every request of ${name}`, async () => {
      const resource = driven(lifecycle);
      await fc.assert(
        fc.asyncProperty(anyId, async (id) => {
          const inputs = inputsOf(id);
          // A fingerprint has its own bound.
          fc.pre(kind !== "IgnoredFinding" || Array.from(id).length <= 128);
          assert.deepEqual(problemsOf(lifecycle, inputs), []);
          const bench = await startBench();
          try {
            await live(resource, inputs, bench);
            assert.ok(bench.simulator.requests.length > 0);
            const made = /^(rec|test|flow|wh|cmp|cs)_/;
            for (const { operation, parameters, path } of bench.simulator.requests) {
              assert.ok(operation, `${path} is no operation's`);
              for (const value of Object.values(parameters)) if (!made.test(value)) assert.equal(value, id, operation);
            }
          } finally {
            await bench.close();
          }
        }),
        { numRuns: 15 },
      );
    });

    it(`is refused at preview where it would name another path: ${name}`, () => {
      for (const bad of ["", ".", "..", "a\ud800"]) {
        const inputs = inputsOf(bad);
        const wrong = Object.keys(inputs).filter((key) => (inputs as Record<string, unknown>)[key] === bad);
        assert.ok(wrong.length > 0);
        assert.deepEqual(
          [...new Set(problemsOf(lifecycle, inputs).map(({ property }) => property))].sort(),
          wrong.sort(),
        );
      }
    });
  }
});

/** Its whole life, as far as it goes: what the service refuses was sent all the same. */
async function live(resource: ReturnType<typeof driven<object, object>>, inputs: object, bench: Bench): Promise<void> {
  const state = await resource.create(inputs, bench).catch(() => undefined);
  if (state === undefined) return;
  await resource.read(state, bench.later());
  await resource.delete(state, bench.later());
}
