import type { Clock } from "../../service/clock";

/** How long a list is watched after an uncertain create: a request that timed out here may still be in progress there. */
export const createSettles = 3_000;

/** Waits between two looks. */
const firstWait = 1_000;
const maxWait = 5_000;

/**
 * Looks again and again until a look brings an outcome. Each look is told whether it may still wait for more; the last one
 * begins when the time is over.
 */
export async function watch<Outcome>(
  clock: Clock,
  milliseconds: number,
  look: (isTimeLeft: boolean) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const end = clock.now() + milliseconds;
  for (let wait = firstWait; ; wait = Math.min(wait * 2, maxWait)) {
    const left = end - clock.now();
    const outcome = await look(left > 0);
    if (outcome !== undefined) return outcome;
    if (left <= 0) throw new Error("internal error: the last look of a watch had no outcome");
    await clock.sleep(Math.min(wait, left));
  }
}
