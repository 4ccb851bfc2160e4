import assert from "node:assert/strict";
import { inspect } from "node:util";
import fc from "fast-check";
import * as apps from "../../provider";

describe("apps.micros", () => {
  const converted: [amount: number | string, micros: number][] = [
    [25, 25_000_000],
    ["25", 25_000_000],
    ["25.00", 25_000_000],
    [12.34, 12_340_000],
    ["12.34", 12_340_000],
    ["0.5", 500_000],
    [0.5, 500_000],
    ["007", 7_000_000],
    [0.000001, 1],
    ["0.000001", 1],
    [0, 0],
    [-0, 0],
    // Multiplied by a million, these are not whole numbers.
    [1.1, 1_100_000],
    [4.35, 4_350_000],
    [64.1, 64_100_000],
    [1.005, 1_005_000],
    ["9007199254.740991", Number.MAX_SAFE_INTEGER],
  ];
  for (const [amount, micros] of converted)
    it(`converts the ${typeof amount} ${String(amount)} exactly`, () => {
      assert.equal(apps.micros(amount), micros);
    });

  it("is exact for every amount of at most six decimals, as a text and as a number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (micros) => {
        const digits = String(micros).padStart(7, "0");
        assert.equal(apps.micros(`${digits.slice(0, -6)}.${digits.slice(-6)}`), micros);
      }),
    );
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(999_999), (units, fraction) => {
        const text = `${String(units)}.${String(fraction).padStart(6, "0")}`;
        assert.equal(apps.micros(Number(text)), units * 1_000_000 + fraction);
      }),
    );
  });

  it("gives an exact whole number or throws a message that names the call, whatever it gets", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.string(), fc.anything()), (amount) => {
        try {
          assert.ok(Number.isSafeInteger(apps.micros(amount as number)));
        } catch (error) {
          assert.match(String(error), /^TypeError: micros\(/);
        }
      }),
    );
  });

  const refused = [
    ...[0.1 + 0.2, 1e-7, 1.25e-7, 1e-10, -5, 9_007_199_254.740993, 1e21, 1.25e21, NaN, Infinity, -Infinity],
    ...["", "-0.5", " 5", "5 ", "+5", "5.", ".5", "1,000", "1_000", "1e3", "0x10", "USD 5", "٣", "1.0000001"],
    ...["9007199254.740992", "1".repeat(16), undefined, null, 5n, {}, ["5"]],
  ];
  for (const amount of refused)
    it(`refuses the ${typeof amount} ${inspect(amount)}`, () => {
      assert.throws(
        () => apps.micros(amount as number),
        /the amount must be a number or a text such as 25 or "12\.34", .* For an Output, use amount\.apply\(apps\.micros\)\.$/,
      );
    });

  it("shows what it refuses, unless that may be anything", () => {
    assert.throws(() => apps.micros("5 "), /^TypeError: micros\("5 "\): /);
    assert.throws(() => apps.micros(NaN), /^TypeError: micros\(NaN\): /);
    assert.throws(() => apps.micros({} as number), /^TypeError: micros\(…\): /);
  });
});
