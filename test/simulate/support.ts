import { type Failure, isFailure, noTotals, playSeed } from "../../tools/simulate/seeds";
import type { Lifecycles } from "../../tools/simulate/world";

/** The first of the seeds whose schedule breaks a guarantee. */
export async function firstFailure(seeds: number, changed?: Partial<Lifecycles>): Promise<Failure | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const played = await playSeed(seed, { ...noTotals }, changed);
    if (isFailure(played)) return played;
  }
  return undefined;
}
