import { describePlayed, describeSchedule } from "../../tools/simulate/report";
import { firstFailure } from "./support";

describe("Random programs, commands, faults and crashes", () => {
  it("break no promise of the launch protocol, in 2,000 schedules", async () => {
    const failure = await firstFailure(2_000);
    if (failure === undefined) return;
    const { seed, shrunk } = failure;
    throw new Error(
      `npm run simulate -- --seed ${String(seed)}\n${describeSchedule(shrunk.schedule)}\n${describePlayed(shrunk.played)}`,
    );
  });
});
