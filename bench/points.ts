import type { Contestant } from "./contestants";
import { median } from "./goals";
import type { Round, Step } from "./rounds";

/** The figures in the plots of bench/README.md: the time of a step, the state after `up`, the requests of a refresh. */
export type Measured = Step | "state" | "requests of refresh";

/** One measured place of a plot. */
export interface Point {
  what: Measured;
  contestant: Contestant["name"];
  /** How many webhooks. */
  size: number;
  /** A figure of the rounds, like the two others: seconds of a step, bytes of the state, requests. */
  median: number;
  lowest: number;
  highest: number;
  /** The day of the run that measured it. */
  on?: string;
}

/** The figures of each contestant at one size, as far as `whats` asks for them. */
export function pointsOf(
  size: number,
  rounds: Readonly<Partial<Record<Contestant["name"], readonly Round[]>>>,
  whats: readonly Measured[],
): Point[] {
  const names = Object.keys(rounds) as Contestant["name"][];
  return names.flatMap((contestant) =>
    whats.flatMap((what) => {
      const values = (rounds[contestant] ?? []).map((round) => valueOf(round, what)).filter(isNumber);
      return values.length === 0 ? [] : [{ what, contestant, size, ...spreadOf(values) }];
    }),
  );
}

function valueOf({ seconds, stateBytes, requests }: Round, what: Measured): number | undefined {
  switch (what) {
    case "state":
      return stateBytes;
    case "requests of refresh":
      return requests.refresh;
    case "up":
    case "preview":
    case "refresh":
    case "change":
    case "destroy":
      return seconds[what];
  }
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

function spreadOf(values: readonly number[]): Pick<Point, "median" | "lowest" | "highest"> {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

export function isSamePoint(one: Point, other: Point): boolean {
  return one.what === other.what && one.contestant === other.contestant && one.size === other.size;
}
