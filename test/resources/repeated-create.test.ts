import assert from "node:assert/strict";
import { companions, type KindName, kindNames, kinds } from "../../provider/registry";
import { type OperationId, operations } from "../../provider/service/operations";
import type { ListOperation, LoggedRequest, RequestFault } from "../../simulator";
import { type Bench, driven, leftBy, startBench } from "../support/deployment";
import { kindFixtures } from "../support/kind-fixtures";

/*
 * With an `onError` hook, the engine calls `create` again in the same process after a failure, up to 100 times. The package
 * must never send two requests that the service may both carry out.
 */

/** The request that creates the object, and how often one command may send it. */
const creating: Record<KindName, { operation: OperationId; maxRequests: number; list?: ListOperation }> = {
  // Once more when a complete list shows nothing.
  Webhook: { operation: "webhook.create", maxRequests: 2, list: "webhook.list" },
  EntityRecord: { operation: "record.create", maxRequests: 2, list: "record.list" },
  TestFlow: { operation: "test.create", maxRequests: 2, list: "test.list" },
  AdCampaign: { operation: "campaign.launch", maxRequests: 1, list: "campaign.list" },
  // The contract allows to repeat these: two requests have the effect of one.
  FolderMembership: { operation: "folderItem.add", maxRequests: Infinity },
  IgnoredFinding: { operation: "finding.ignore", maxRequests: Infinity },
  ConversionTracking: { operation: "tracking.bootstrap", maxRequests: Infinity },
  CodingSession: { operation: "codingSession.launch", maxRequests: Infinity },
};

const uncertain: Record<string, RequestFault["then"]> = {
  "the response is lost": "reset",
  "the response times out": "hang",
  "the response is a 409": { status: 409, body: { detail: "Conflict" } },
  "the response is a 500": { status: 500 },
  "the response is unreadable": { status: 200, body: "<html>" },
};

describe("A create that the engine repeats", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startOne();
  });
  afterEach(() => bench.close());

  for (const name of kindNames)
    describe(name, () => {
      const { operation, maxRequests, list } = creating[name];

      /** The conversion goals of one create are several. */
      let one: number;
      before(async () => {
        const other = await startOne();
        await (
          await repeatable(name, other)
        )();
        one = objectsIn(other);
        await other.close();
      });

      const sent = (): LoggedRequest[] => bench.simulator.requests.filter((request) => request.operation === operation);

      /** No two requests can both have been carried out. `before`: what an earlier create sent. */
      const assertOnce = (before: number): void => {
        const all = sent();
        assert.ok(all.length <= maxRequests, `${operation} was sent ${String(all.length)} times`);
        if (maxRequests === Infinity) assert.equal(new Set(all.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
        else if (before > 0) assert.equal(all.length, before, "a repeated create sends nothing");
        const [first, second] = all;
        if (first === undefined || second === undefined || list === undefined) return;
        const between = bench.simulator.requests.filter(
          ({ number }) => number > first.number && number < second.number,
        );
        const isListed = between.some((read) => read.operation === list && read.status === 200);
        assert.ok(isListed, "a second request needs a complete list");
      };

      /** Whether one of several repeats succeeds, the last of them after any quarantine. */
      const succeedsAtLast = async (create: () => Promise<object>): Promise<boolean> => {
        if ((await succeeds(create())) || (await succeeds(create()))) return true;
        await bench.clock.sleep(3_600_000);
        return succeeds(create());
      };

      // The conversion goals have a minimum timeout, in real time.
      const isSlow = (then: RequestFault["then"]): boolean =>
        then === "hang" && operations[operation].minTimeoutSeconds !== undefined;
      for (const [title, then] of Object.entries(uncertain).filter((entry) => !isSlow(entry[1]))) {
        for (const { commit, when } of [
          { commit: true, when: "after the service acted" },
          { commit: false, when: "before the service acted" },
        ])
          it(`creates at most one object where ${title} ${when}`, async () => {
            const create = await repeatable(name, bench);
            bench.simulator.fault({ operation, times: "always", commit, then });
            const isFound = await succeeds(create());
            const before = sent().length;
            assertOnce(0);
            bench.simulator.clearFaults();
            const isCreated = isFound || (await succeedsAtLast(create));
            assertOnce(before);
            assert.equal(objectsIn(bench), isCreated ? one : 0);
          });

        if (list !== undefined)
          it(`uses the object that exists where ${title}, and the list cannot be read at first`, async () => {
            const create = await repeatable(name, bench);
            bench.simulator.fault({ operation, times: "always", commit: true, then });
            failingAfter(operation, list, bench);
            await assert.rejects(create());
            bench.simulator.clearFaults();
            await create();
            assert.equal(sent().length, 1);
            assert.equal(objectsIn(bench), one);
          });
      }

      if (list !== undefined)
        it("sends nothing more while the list does not show the object yet", async () => {
          const create = await repeatable(name, bench);
          bench.simulator.fault({ operation: list, lagMilliseconds: 45_000 });
          bench.simulator.fault({ operation, times: "always", commit: true, then: { status: 409 } });
          await assert.rejects(create());
          const before = sent().length;
          assertOnce(0);
          await succeedsAtLast(create);
          assertOnce(before);
        });

      if (maxRequests === 1)
        it("sends a refused request once", async () => {
          const create = await repeatable(name, bench);
          bench.simulator.fault({ operation, then: { status: 422 } });
          await assert.rejects(create());
          await assert.rejects(create());
          assert.equal(sent().length, 1);
        });

      for (const { title, args, step } of laterSteps(name))
        it(`continues with the object where ${step} failed${title}`, async () => {
          const create = await repeatable(name, bench, args);
          failingAfter(operation, step, bench);
          await leftBy(create());
          bench.simulator.clearFaults();
          // A list that could not be read is not read again in this command.
          const state = step.endsWith(".list") ? (await leftBy(create())).state : await create();
          assertOnce(1);
          assert.equal(objectsIn(bench), one);
          const read = await driven(kinds[name]).read({ ...state }, bench.later());
          assert.notEqual(read, undefined, "the object in state exists");
        });
    });
});

async function startOne(): Promise<Bench> {
  const bench = await startBench({ requestTimeoutSeconds: "0.2" });
  bench.simulator.objects.putAdvertisingAccount("app-1");
  return bench;
}

/** A `create` that is always called with the same inputs. A campaign has the launch intent that the command wrote first. */
async function repeatable(name: KindName, bench: Bench, more: object = {}): Promise<() => Promise<object>> {
  const { args } = kindFixtures[name];
  const inputs = { ...args, ...more, ...(name === "AdCampaign" ? await intended(args, bench) : {}) };
  return () => driven(kinds[name]).create(inputs, bench);
}

async function intended({ appId }: Readonly<Record<string, unknown>>, bench: Bench): Promise<object> {
  const intent = await driven(companions.LaunchIntent).create({ appId }, bench);
  return { launchIntent: companions.LaunchIntent.idOf(intent) };
}

function succeeds(step: Promise<unknown>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}

/** Lets another operation fail from the first request of this one on. */
function failingAfter(operation: OperationId, failing: OperationId, { simulator }: Bench): void {
  const stop = simulator.listen({
    request: (entry) => {
      if (entry.operation !== operation) return;
      stop();
      simulator.fault({ operation: failing, times: "always", then: { status: 500 } });
    },
    changed: () => undefined,
  });
}

/** The steps of a create that follow when the object exists, and must succeed. */
function laterSteps(name: KindName): { title: string; args: object | undefined; step: OperationId }[] {
  if (name === "AdCampaign") return [{ title: "", args: { paused: true }, step: "campaign.pause" }];
  const { operation } = creating[name];
  return kindFixtures[name].lives.flatMap(({ title, create, args }) => {
    const steps = create.includes(operation) ? create.slice(create.indexOf(operation) + 1) : [];
    return steps.map((step) => ({ title: title === undefined ? "" : ` (${title})`, args, step }));
  });
}

function objectsIn({ simulator }: Bench): number {
  const { members: _, ...objects } = simulator.objects.all();
  return leavesIn(objects);
}

function leavesIn(lists: unknown): number {
  if (Array.isArray(lists)) return lists.length;
  if (typeof lists !== "object" || lists === null) return 0;
  return Object.values(lists).reduce((sum: number, list) => sum + leavesIn(list), 0);
}
