import assert from "node:assert/strict";

const shared = [Object, Array, String, Number, Boolean, Function, Promise, Error].map(
  ({ prototype }) => prototype as object,
);
const before = shared.map((prototype) => Reflect.ownKeys(prototype));

/** Fails when something has been put into what all objects inherit. */
export function assertUnpolluted(): void {
  for (const [index, prototype] of shared.entries()) assert.deepEqual(Reflect.ownKeys(prototype), before[index]);
}

/** Fails when a value has another prototype than plain data anywhere, inherits what an answer said, or has no finite number. */
export function assertPlain(value: unknown): void {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    assert.ok(typeof next !== "number" || Number.isFinite(next), String(next));
    if (typeof next !== "object" || next === null) continue;
    const prototype: unknown = Object.getPrototypeOf(next);
    assert.ok(prototype === Object.prototype || prototype === Array.prototype, "an odd prototype");
    for (const inner of Object.values(next)) open.push(inner);
  }
}
