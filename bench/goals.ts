/** One line of the table: a figure, and the goal that was set for it. */
export interface Goal {
  what: string;
  at: string;
  value: number;
  /** How the figure is read: `x`, `requests`, `MB`, `ms`. */
  unit: string;
  /** Undefined: measured to be known. */
  goal?: string;
  isReached?: boolean;
  /** The source of the figure: medians, and in brackets the lowest and highest of the rounds. */
  from: string;
  /** The day of the run that measured it. */
  on?: string;
}

export type Figure = Pick<Goal, "what" | "at" | "value" | "unit" | "from">;

export function atMost(limit: number, figure: Figure): Goal {
  return { ...figure, goal: `≤ ${String(limit)} ${figure.unit}`, isReached: figure.value <= limit };
}

export function atLeast(limit: number, figure: Figure): Goal {
  return { ...figure, goal: `≥ ${String(limit)} ${figure.unit}`, isReached: figure.value >= limit };
}

export function exactly(wanted: number, figure: Figure): Goal {
  return { ...figure, goal: `${String(wanted)} ${figure.unit}`, isReached: figure.value === wanted };
}

/** At some sizes a figure has a goal, at others it is shown beside it. */
export function measured(figure: Figure): Goal {
  return figure;
}

/** Every goal in one table. */
export function table(goals: readonly Goal[]): string {
  const rows = goals.map(({ what, at, value, unit, goal, isReached, from }) => [
    what,
    at,
    `${shown(value)} ${unit}`,
    goal ?? "",
    isReached === undefined ? "" : isReached ? "yes" : "NO",
    from,
  ]);
  const all = [["what", "at", "measured", "goal", "reached", "from"], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function isSameGoal(one: Goal, other: Goal): boolean {
  return one.what === other.what && one.at === other.at;
}

/** Figures of earlier runs, replaced by the same figures of this run. */
export function merged<T>(earlier: readonly T[], now: readonly T[], isSame: (one: T, other: T) => boolean): T[] {
  return [
    ...earlier.map((one) => now.find((other) => isSame(one, other)) ?? one),
    ...now.filter((one) => !earlier.some((other) => isSame(one, other))),
  ];
}

/** JSON with one line for each entry of a list. */
export function summary(about: object, lists: Readonly<Record<string, readonly object[]>>): string {
  const head = JSON.stringify(about, undefined, 2).replace(/\n\}$/, "");
  const texts = Object.entries(lists).map(([name, entries]) => {
    const lines = entries.map((entry) => `    ${JSON.stringify(entry, rounded)}`);
    return `  "${name}": [\n${lines.join(",\n")}\n  ]`;
  });
  return `${[head, ...texts].join(",\n")}\n}\n`;
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toFixed(3)) : value;
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 0);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [upper = NaN, lower = NaN] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? upper : (upper + lower) / 2;
}

/** `4.2 s (4.0 to 5.1)`. */
export function spread(numbers: readonly number[], unit: string): string {
  const text = (value: number): string => value.toFixed(1);
  const range = `${text(Math.min(...numbers))} to ${text(Math.max(...numbers))}`;
  return `${text(median(numbers))} ${unit}${numbers.length > 1 ? ` (${range})` : ""}`;
}
