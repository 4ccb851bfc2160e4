import assert from "node:assert/strict";
import fc from "fast-check";
import { asStored, type Fields, differingFields, sameMeaning } from "../../provider/resources/shared/compare";

const moment = fc
  .tuple(fc.date({ min: new Date("1971-01-01"), max: new Date("2199-01-01"), noInvalidDate: true }))
  .map(([date]) => date.toISOString());

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, false, true, 0, "", 1.5, -0),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    moment,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
  ),
}));

/** A value as the service returns it: keys in another order, times without a zone, and no null fields. */
function stored(inner: unknown): unknown {
  if (typeof inner === "string") return /^\d{4}-.*T.*Z$/.test(inner) ? inner.slice(0, -1) : inner;
  if (Array.isArray(inner)) return inner.map(stored);
  if (typeof inner !== "object" || inner === null) return inner;
  const kept = Object.entries(inner).filter(([, held]) => held !== null);
  return Object.fromEntries(kept.reverse().map(([key, held]) => [key, stored(held)]));
}

describe("Two values", () => {
  it("are equivalent however the service writes the sent value", () => {
    fc.assert(fc.property(value, (sent) => sameMeaning(sent, stored(JSON.parse(JSON.stringify(sent))))));
  });

  it("are equivalent in either order, and each to itself", () => {
    fc.assert(
      fc.property(
        value,
        value,
        (one, other) => sameMeaning(one, one) && sameMeaning(one, other) === sameMeaning(other, one),
      ),
    );
  });

  for (const [one, other] of [
    [0, false],
    [0, ""],
    [0, null],
    [false, null],
    ["", null],
    [[], null],
    [{}, null],
    [[], {}],
    ["0", 0],
    ["true", true],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    ["2026-01-01", "2026-01-01T00:00:00"],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00+01:00"],
    ["2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123999Z"],
    ["2026-99-01T00:00:00Z", "2026-99-01T00:00:00"],
    [Object.fromEntries([["__proto__", 1]]), {}],
    [{ constructor: 1 }, {}],
  ] as [unknown, unknown][])
    it(`differ: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      assert.equal(sameMeaning(one, other), false);
    });

  for (const [one, other] of [
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00"],
    ["2026-01-01T00:00:00Z", "2026-01-01 00:00:00"],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000"],
    ["2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.500000"],
    ["2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00"],
    [{ a: null, b: [{ c: 1 }] }, { b: [{ c: 1, d: null }] }],
    [1, 1.0],
  ] as [unknown, unknown][])
    it(`are equivalent: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      assert.equal(sameMeaning(one, other), true);
    });
});

describe("The state of declared fields", () => {
  it("is the declared value where it is equivalent, the stored value where it differs, and absent where it is not stored", () => {
    const declared: Fields = { when: "2026-01-01T00:00:00Z", percent: 19, note: null, typo: 1, list: [] };
    const held = { when: "2026-01-01T00:00:00", percent: 20, list: [], extra: true };
    assert.deepEqual(asStored(declared, held), { when: "2026-01-01T00:00:00Z", percent: 20, note: null, list: [] });
    assert.deepEqual(differingFields(declared, held), ["percent", "typo"]);
  });

  it("never treats an inherited property name as a field", () => {
    assert.deepEqual(differingFields({ constructor: 1, toString: null }, {}), ["constructor"]);
  });
});
