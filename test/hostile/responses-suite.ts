import assert from "node:assert/strict";
import { ServiceClient } from "../../provider/service/client";
import { ServiceError } from "../../provider/service/errors";
import { type OperationId, operations, parameterNames } from "../../provider/service/operations";
import type { HttpAnswer } from "../../provider/service/transport";
import { connectionTo } from "../service/support/client";
import { VirtualClock } from "../support/clock";
import { answerWith, wrongs } from "./responses";
import { validResponses } from "./valid-responses";
import { assertUsable, assertUnpolluted } from "./prototypes";
import { seed } from "./run-count";

export const ids = Object.keys(operations) as OperationId[];
type AnyCall = Parameters<ServiceClient["call"]>[1];

/** A client of a service that always returns the same response. */
function answeredBy(answer: HttpAnswer): ServiceClient {
  const transport = { send: () => Promise.resolve(answer), close: () => Promise.resolve() };
  return new ServiceClient(connectionTo("https://service.example.com"), new VirtualClock(), () => undefined, transport);
}

export function callOf(id: OperationId): AnyCall {
  const parameters = Object.fromEntries(parameterNames(operations[id].endpoint).map((name) => [name, name]));
  return { parameters, body: { name: "n", count: 7 }, once: true } as unknown as AnyCall;
}

/** Fails unless the call ends with plain data, or with a readable error. */
export async function assertEnds(id: OperationId, call: Promise<unknown>): Promise<"result" | "error"> {
  try {
    assertUsable(await call);
    return "result";
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    assert.equal(error.operation, id);
    assert.ok(error.message.startsWith(`${id} failed: `), error.message);
    assert.ok(error.message.length < 4_000, String(error.message.length));
    const [, ...others] = error.message.split("\n");
    assert.doesNotMatch(error.message.replaceAll("\n", ""), /\p{Cc}|\p{Bidi_Control}/u);
    // The service cannot add lines of its own.
    for (const line of others)
      assert.match(
        line,
        /^ {2}(- |The service said: |Request: |Credential: |The path of |It may |Nothing was |No campaign was |The rate limit |The service asks )/,
      );
    return "error";
  }
}

/** Gives every operation this number of generated responses. */
export function hostileAnswers(count: number): void {
  describe("A hostile response", () => {
    const made = wrongs(count, seed);
    afterEach(assertUnpolluted);

    for (const id of ids)
      it(`to ${id} gives a result or an error that names the operation`, async () => {
        const ends = { result: 0, error: 0 };
        assertUsable(
          await answeredBy({ status: 200, headers: {}, text: JSON.stringify(validResponses[id]) }).call(id, callOf(id)),
        );
        for (const wrong of made) {
          const answer = answerWith(id, wrong);
          try {
            ends[await assertEnds(id, answeredBy(answer).call(id, callOf(id)))]++;
          } catch (error) {
            const shown = `${String(answer.status)} ${JSON.stringify(answer.headers)} ${answer.text.slice(0, 500)}`;
            throw new Error(`after ${shown}`, { cause: error });
          }
        }
        assert.ok(ends.result > 0 && ends.error > made.length / 10, JSON.stringify(ends));
      });
  });
}
