import assert from "node:assert/strict";
import { noTotals, playRound } from "../../tools/soak/round";

describe("A random stack with faults and kills, as in npm run simulate -- soak,", () => {
  it("is created, changed, refreshed and destroyed, and leaves nothing behind", async () => {
    const totals = { ...noTotals };
    await playRound(2, totals);
    assert.equal(totals.rounds, 1);
    assert.ok(totals.commands >= 5 && totals.requests > 0, JSON.stringify(totals));
  });
});
