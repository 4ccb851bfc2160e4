import { isDeepStrictEqual } from "node:util";

/** Whether two lists whose order and repeats mean nothing hold the same. */
export function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  return isDeepStrictEqual(new Set(one), new Set(other));
}
