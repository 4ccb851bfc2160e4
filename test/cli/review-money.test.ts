import assert from "node:assert/strict";
import fc from "fast-check";
import { microsOf, money, moneyChange } from "../../provider/service/money";

describe("Money in a review", () => {
  it("has the decimal places of its currency, and more only when the amount has more", () => {
    assert.equal(money(5_000_000n, "USD"), "USD 5.00");
    assert.equal(money(1_234_567_890_000n, "USD"), "USD 1,234,567.89");
    assert.equal(money(12_345_678n, "EUR"), "EUR 12.345678");
    assert.equal(money(1_500_000_000n, "JPY"), "JPY 1,500");
    assert.equal(money(1_234_000n, "KWD"), "KWD 1.234");
    assert.equal(money(1n, undefined), "0.000001");
    assert.equal(money(0n, undefined), "0.00");
  });

  it("shows a change with its sign", () => {
    assert.equal(moneyChange(300_000_000n, "JPY"), "+JPY 300");
    assert.equal(moneyChange(-3_350_000n, "USD"), "-USD 3.35");
    assert.equal(moneyChange(0n, "USD"), "USD 0.00");
  });

  it("is exact for any amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (micros) => {
        assert.equal(microsOf(money(micros, undefined).replaceAll(",", "")), micros);
      }),
    );
  });
});
