import assert from "node:assert/strict";
import { kindNames } from "../../provider/registry";
import type { ScriptedAnswer } from "../../simulator";
import { Canaries } from "../support/canaries";
import { startBench } from "../support/deployment";
import { kindFixtures } from "../support/kind-fixtures";

/*
 * Whatever the service repeats of an object's secrets, in any response of any operation: no secret is in an error or in
 * a log line.
 */

const canaries = new Canaries();
const token = canaries.make("token", "+/=");

const steps = kindNames.flatMap((kind) => {
  const secrets = kindFixtures[kind].secrets?.(canaries);
  return secrets === undefined ? [] : secrets.steps.map((step) => ({ ...step, told: secrets.told }));
});

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
  for (const { operation, after, told, run } of steps)
    it(`in a response of ${operation} is not shown`, async () => {
      for (const number of answers([]).keys()) {
        const bench = await startBench(
          { accessToken: token },
          { credentials: [{ value: token, kind: "personal-token" }] },
        );
        const fail = (...known: string[]): void => {
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
});
