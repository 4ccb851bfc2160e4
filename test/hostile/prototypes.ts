import assert from "node:assert/strict";
import { LongNumber } from "../../provider/service/long-numbers";

const shared = [Object, Array, String, Number, Boolean, Function, Promise, Error].map(
  ({ prototype }) => prototype as object,
);
const before = shared.map((prototype) => Reflect.ownKeys(prototype));

/** Fails when a prototype that all objects share was changed. */
export function assertUnpolluted(): void {
  for (const [index, prototype] of shared.entries()) assert.deepEqual(Reflect.ownKeys(prototype), before[index]);
}

/** Fails when any part of a value has an unusual prototype, or inherits something from a response. */
export function assertPlain(value: unknown): void {
  eachIn(value, () => undefined);
}

/** The same for the client's result, in which a long number is not yet text. Also fails for a number that cannot be stored. */
export function assertUsable(value: unknown): void {
  const assertFinite = (inner: unknown): void => {
    if (typeof inner === "number") assert.ok(Number.isFinite(inner), "a number that is not finite");
  };
  eachIn(value, assertFinite, (inner) => inner instanceof LongNumber);
}

function eachIn(
  value: unknown,
  assertRight: (value: unknown) => void,
  isAllowed: (value: unknown) => boolean = () => false,
): void {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    assertRight(next);
    if (typeof next !== "object" || next === null || isAllowed(next)) continue;
    const prototype: unknown = Object.getPrototypeOf(next);
    assert.ok(prototype === Object.prototype || prototype === Array.prototype, "an unusual prototype");
    for (const inner of Object.values(next)) open.push(inner);
  }
}
