/**
 * The lines that differ between two texts, marked with - and +, between the ends that both have in common. Where they have
 * nothing in common, the old lines are left out.
 */
export function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before, after].map((text) => text.trim().split("\n")) as [string[], string[]];
  const start = commonLength(old, fresh);
  const end = commonLength(old.slice(start).reverse(), fresh.slice(start).reverse());
  const middle = (lines: string[]): string[] => lines.slice(start, lines.length - end).filter((line) => line !== "");
  const removed = start + end === 0 ? [] : middle(old);
  return [...removed.map((line) => `- ${line}`), ...middle(fresh).map((line) => `+ ${line}`)];
}

/** How many lines are the same from the start. */
function commonLength(one: readonly string[], other: readonly string[]): number {
  const different = one.findIndex((line, index) => line !== other[index]);
  return different === -1 ? one.length : different;
}
