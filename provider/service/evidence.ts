import type { Certainty } from "./errors";

/** Statuses with which the service says that it did nothing, on every operation that the specification shows. */
const refusals: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 422]);

/**
 * What a status proves about a request that was sent. Only a refusal and the rate limit prove that nothing was done;
 * anything else, a 409 above all, may have been said after the work.
 */
export function certaintyOf(status: number): Certainty {
  if (refusals.has(status)) return "refused";
  if (status === 429) return "limited";
  return "uncertain";
}
