import assert from "node:assert/strict";

const shared = [Object, Array, String, Number, Boolean, Function, Promise, Error].map(
  ({ prototype }) => prototype as object,
);
const before = shared.map((prototype) => Reflect.ownKeys(prototype));

/** Fails when something has been put into what all objects inherit. */
export function assertUnpolluted(): void {
  for (const [index, prototype] of shared.entries()) assert.deepEqual(Reflect.ownKeys(prototype), before[index]);
}

/** Fails when a value has another prototype than plain data anywhere, or inherits what an answer said. */
export function assertPlain(value: unknown): void {
  eachIn(value, () => undefined);
}

/** Fails also where a number could not be stored. */
export function assertUsable(value: unknown): void {
  eachIn(value, (inner) => {
    if (typeof inner === "number") assert.ok(Number.isFinite(inner), "a number that is not finite");
  });
}

function eachIn(value: unknown, assertRight: (value: unknown) => void): void {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    assertRight(next);
    if (typeof next !== "object" || next === null) continue;
    const prototype: unknown = Object.getPrototypeOf(next);
    assert.ok(prototype === Object.prototype || prototype === Array.prototype, "an odd prototype");
    for (const inner of Object.values(next)) open.push(inner);
  }
}
