import { type Failure, noTotals, playSeed } from "../../tools/simulate/seeds";
import type { CampaignLifecycle } from "../../tools/simulate/world";

/** The first seed, of so many, whose schedule breaks a promise. */
export async function firstFailure(seeds: number, lifecycle?: CampaignLifecycle): Promise<Failure | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const failure = await playSeed(seed, { ...noTotals }, lifecycle);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
