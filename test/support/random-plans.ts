import assert from "node:assert/strict";
import { noTotals, playSeed, roundsOfASeed } from "../../tools/gates/round";

/** The tests of `npm run simulate -- gates` with these seeds. */
export function randomPlans(seeds: readonly number[]): void {
  describe(`A review of random plans, as in npm run simulate -- gates (seeds ${seeds.join(", ")}),`, () => {
    const totals = noTotals();
    for (const seed of seeds)
      it(`announces all that the up then launches, resumes and deletes (seed ${String(seed)})`, async () => {
        assert.equal(await playSeed(seed, roundsOfASeed, totals), undefined, JSON.stringify(totals));
      });

    it("judges most plans, and is seldom alarmed for nothing", () => {
      const rounds = seeds.length * roundsOfASeed;
      assert.equal(totals.rounds, rounds);
      assert.ok(totals.cases >= 4 * rounds, JSON.stringify(totals));
      assert.ok(totals.alarms >= rounds && totals.falseAlarms < 0.2 * totals.alarms, JSON.stringify(totals));
    });
  });
}
