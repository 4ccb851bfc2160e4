import { describePlayed, describeSchedule } from "../../tools/simulate/report";
import { firstFailure } from "./support";

/** Runs this many seeds of the simulation. */
export function keepsPromises(schedules: number): void {
  describe("Random programs, commands, faults and crashes", () => {
    it(`break no guarantee of the launch protocol, in ${String(schedules)} schedules`, async () => {
      const failure = await firstFailure(schedules);
      if (failure === undefined) return;
      const { seed, shrunk } = failure;
      throw new Error(
        `npm run simulate -- --seed ${String(seed)}\n${describeSchedule(shrunk.schedule)}\n${describePlayed(shrunk.played)}`,
      );
    });
  });
}
