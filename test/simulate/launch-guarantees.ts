import { describePlayed, describeSchedule } from "../../tools/simulate/report";
import { isFailure, noTotals, playSeed } from "../../tools/simulate/seeds";

/** Runs this many seeds of the simulation. */
export function keepsPromises(seeds: number): void {
  describe("Random programs, commands, faults and crashes", () => {
    it(`break no promise about launches, in ${String(seeds)} schedules`, async () => {
      for (let seed = 1; seed <= seeds; seed++) {
        const played = await playSeed(seed, { ...noTotals });
        if (!isFailure(played)) continue;
        const { schedule, played: shortest } = played.shrunk;
        throw new Error(
          `npm run simulate -- --seed ${String(seed)}\n${describeSchedule(schedule)}\n${describePlayed(shortest)}`,
        );
      }
    });
  });
}
