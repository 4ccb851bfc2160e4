import assert from "node:assert/strict";
import { type KindName, kindNames, kinds } from "../../provider/registry";
import { isOperationId, type OperationId } from "../../provider/service/operations";
import type { ScriptedAnswer } from "../../simulator";
import { campaign, declared } from "../support/campaigns";
import { Canaries } from "../support/canaries";
import { type Bench, driven, startBench } from "../support/deployment";
import { awkward, kindFixtures, type SecretStep } from "../support/kind-fixtures";

/*
 * Whatever the service repeats of an object's secrets, in any response of any operation: no secret is in an error or in
 * a log line.
 */

const canaries = new Canaries();
const token = canaries.make("token", "+/=");

interface Step {
  readonly operation: OperationId;
  /** An operation whose response is lost before, so that this one is called at all. */
  readonly after?: OperationId;
  readonly told: readonly string[];
  readonly run: SecretStep;
}

/** Every operation of the kind's life, and the list that is read when the response to a creation is lost. */
function stepsOf(kind: KindName): Step[] {
  const { secrets, lives } = kindFixtures[kind];
  if (secrets === undefined) return [];
  const { told, args, change, known = () => [], steps = {} } = secrets(canaries);
  const [{ create, read, update = [], delete: deleting }] = lives;
  const created = create.find((operation) => !operation.endsWith(".list")) ?? create[0];
  const resource = driven(kinds[kind]);
  const creating: SecretStep = (bench, fail) => (fail(), resource.create(args, bench));
  const later =
    (step: (state: Record<string, unknown>, bench: Bench) => Promise<unknown>): SecretStep =>
    async (bench, fail) => {
      const state = await resource.create(args, bench);
      fail(...known(state));
      await step(state, bench);
    };
  const list = `${created.split(".")[0] ?? ""}.list`;
  const usual: Omit<Step, "told">[] = [
    { operation: created, run: creating },
    ...(isOperationId(list) ? [{ operation: list, after: created, run: creating }] : []),
    ...read.slice(0, 1).map((operation) => ({ operation, run: later(resource.read) })),
    ...update.slice(0, 1).map((operation) => ({
      operation,
      run: later((state, bench) => resource.update(state, { ...args, ...change }, bench)),
    })),
    ...deleting.slice(0, 1).map((operation) => ({ operation, run: later(resource.delete) })),
  ];
  return usual.map((step) => ({ ...step, told, run: steps[step.operation] ?? step.run }));
}

const answers = (texts: string[]): ScriptedAnswer[] => {
  const all = texts.join(" | ");
  return [
    { status: 400, body: { detail: all } },
    { status: 403, body: { error: { message: all } } },
    { status: 422, body: { detail: texts.map((msg) => ({ loc: ["body", msg], msg, type: "x" })) } },
    { status: 409, body: { existing: texts } },
    { status: 500, body: `<html>${all}</html>` },
    { status: 200, body: { [all]: texts } },
  ];
};

describe("A secret that the service repeats", () => {
  for (const { operation, after, told, run } of kindNames.flatMap(stepsOf))
    it(`in an answer of ${operation} is not shown`, async () => {
      for (const number of answers([]).keys()) {
        const bench = await startBench(
          { accessToken: token },
          { credentials: [{ value: token, kind: "personal-token" }] },
        );
        const fail = (...known: readonly string[]): void => {
          const texts = [token, encodeURIComponent(token), ...told, ...told.map(encodeURIComponent), ...known];
          for (const secret of known) canaries.add("known", secret);
          const then = answers(texts)[number];
          assert.ok(then);
          if (after !== undefined) bench.simulator.fault({ operation: after, commit: true, then: "reset" });
          bench.simulator.fault({ operation, times: "always", then });
        };
        const error = await run(bench, fail).then(
          () => undefined,
          (failure: unknown) => failure as Error,
        );
        await bench.close();
        // A deletion accepts any 200.
        const isDone = operation.endsWith(".delete") && answers([])[number]?.status === 200;
        assert.equal(error === undefined, isDone, `${operation} did not fail`);
        const shown = [error?.message, ...bench.said].join("\n");
        assert.deepEqual(canaries.foundIn(shown), [], shown);
      }
    });

  for (const number of answers([]).keys())
    it(`in answer ${String(number + 1)} to the launch of a campaign is not shown`, async () => {
      const secret = (what: string): string => canaries.make(`${what} of a campaign`, awkward);
      const texts = {
        logoUrl: `https://cdn.example.com/logo.png?key=${encodeURIComponent(secret("logo's key"))}`,
        phoneNumber: secret("phone number"),
        extraFields: { terms: [secret("extra field")] },
      };
      const bench = await startBench();
      const told = [texts.logoUrl, texts.phoneNumber, ...texts.extraFields.terms];
      const then = answers(told)[number];
      assert.ok(then);
      bench.simulator.fault({ operation: "campaign.launch", times: "always", then });
      const error = await campaign.create({ ...declared, ...texts }, bench).then(
        () => assert.fail("the launch did not fail"),
        (failure: unknown) => failure as Error,
      );
      await bench.close();
      const shown = [error.message, ...bench.said].join("\n");
      assert.match(shown, /campaign\.launch failed/);
      assert.deepEqual(canaries.foundIn(shown), [], shown);
    });
});
