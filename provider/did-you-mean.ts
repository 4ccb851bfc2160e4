/**
 * The known name that a misspelled one probably stands for. Case and punctuation do not count, a few letters may be
 * missing, added, wrong or swapped, and the end may be missing. Undefined when no name is close.
 */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const written = lettersOf(name);
  const tolerated = Math.max(1, Math.floor(written.length / 4));
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editDistance(written, lettersOf(candidate)) }))
    .filter(({ candidate, distance }) => distance <= tolerated || isStart(written, lettersOf(candidate)))
    .sort((one, other) => one.distance - other.distance);
  return nearest?.candidate;
}

/** As in MAX_DAILY_BUDGET, without its _MICROS. */
function isStart(written: string, name: string): boolean {
  return written.length > Math.max(5, name.length / 2) && name.startsWith(written);
}

function lettersOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
