import { type Contestant, floor, ours, packaged, usual } from "../contestants";
import { atLeast, atMost, exactly, type Figure, type Goal, measured, median, spread } from "../goals";
import { untraced } from "../parts-of-state";
import { type Round, round, type Step } from "../rounds";

/** Where bytes have begun to cost time, and most goals are set. */
const largeSize = 500;

export type Rounds = Record<Contestant["name"], Round[]>;

/** Where a round takes minutes. */
const isBeyond = (size: number): boolean => size > largeSize;

/** A short round scatters most and costs least. */
function roundsAt(size: number, count: number): number {
  if (isBeyond(size)) return Math.min(count, 2);
  return size < largeSize ? 3 * count : count;
}

/**
 * Rounds of all contestants in turn, each first in its turn, so that a slow minute of the machine meets each of them. The
 * packaged form and the usual way run at the sizes of their goals, and the usual way, which takes minutes, has one round.
 */
export async function rounds(size: number, count: number, steps: readonly Step[]): Promise<Rounds> {
  const done: Rounds = { floor: [], ours: [], packaged: [], usual: [] };
  const inEach = isBeyond(size) ? [floor, ours] : [floor, ours, packaged];
  const last = roundsAt(size, count);
  for (let number = 1; number <= last; number++)
    for (const contestant of [
      ...(number % 2 === 1 ? inEach : inEach.toReversed()),
      ...(number === 1 && !isBeyond(size) ? [usual] : []),
    ]) {
      process.stdout.write(
        `${contestant.name}, ${String(size)} webhooks, round ${String(number)} of ${String(last)}\n`,
      );
      done[contestant.name].push(await round(contestant, size, steps));
    }
  return done;
}

/** A goal that is set for the large size only. */
function goalAt(size: number, limit: number): (figure: Figure) => Goal {
  return size === largeSize ? (figure) => atMost(limit, figure) : measured;
}

/** The state after `up`: how large, and what for. */
export function stateGoals(size: number, { floor, ours, packaged, usual }: Rounds): Goal[] {
  const at = `${String(size)} webhooks`;
  const each = (rounds: Round[]): number => median(rounds.map(({ stateBytes }) => stateBytes)) / size;
  const from = (rounds: Round[]): string => `${each(rounds).toFixed(0)} bytes each`;
  const ratio = (one: Round[], other: Round[]): Omit<Figure, "what"> => ({
    at,
    value: each(one) / each(other),
    unit: "x",
    from: `${from(one)} to ${from(other)}`,
  });
  const ofOne = (rounds: Round[]): number => median(rounds.map(({ parts }) => untraced(parts)));
  return [
    atMost(1.15, { what: "state, ours to floor", ...ratio(ours, floor) }),
    measured({
      what: "state without stack traces, ours to floor",
      at,
      value: ofOne(ours) / ofOne(floor),
      unit: "x",
      from: `${ofOne(ours).toFixed(0)} to ${ofOne(floor).toFixed(0)} bytes of one`,
    }),
    ...(usual.length === 0 ? [] : [atMost(0.4, { what: "state, ours to usual", ...ratio(ours, usual) })]),
    ...(packaged.length === 0
      ? []
      : [goalAt(size, 0.85)({ what: "state, packaged to ours", ...ratio(packaged, ours) })]),
  ];
}

/** The times of the commands, and the requests that they cost. */
export function timeGoals(size: number, { floor, ours, packaged, usual }: Rounds): Goal[] {
  const at = `${String(size)} webhooks`;
  const seconds = (rounds: Round[], step: Step): number[] => rounds.map((each) => each.seconds[step] ?? NaN);
  const processor = (rounds: Round[], step: Step): number =>
    median(rounds.map((each) => each.processorSeconds[step] ?? NaN));
  const ratio = (step: Step, one: Round[], other: Round[]) => ({
    at,
    unit: "x",
    value: median(seconds(one, step)) / median(seconds(other, step)),
    from:
      `${spread(seconds(one, step), "s")} to ${spread(seconds(other, step), "s")}; ` +
      `of the processor ${(processor(one, step) / processor(other, step)).toFixed(2)} x`,
  });
  const requests = (step: Step): number => ours[0]?.requests[step] ?? NaN;
  const counted = (step: Step, wanted: number): Goal =>
    exactly(wanted, { what: `requests of ${step}`, at, value: requests(step), unit: "requests", from: "counted" });
  const toFloor = (step: Step, goal: (figure: Figure) => Goal): Goal =>
    goal({ what: `${step}, ours to floor`, ...ratio(step, ours, floor) });
  const fromUsual = (step: Step, limit: number): Goal[] => {
    const figure = { what: `${step}, usual to ours`, ...ratio(step, usual, ours) };
    return usual.length === 0 ? [] : [size === largeSize ? atLeast(limit, figure) : measured(figure)];
  };
  const ofPackaged = (step: Step, goal: (figure: Figure) => Goal): Goal[] =>
    packaged.length === 0 ? [] : [goal({ what: `${step}, packaged to ours`, ...ratio(step, packaged, ours) })];
  const within = (limit: number) => (figure: Figure) => atMost(limit, figure);
  return [
    toFloor("up", within(1.1)),
    toFloor("preview", goalAt(size, 1.05)),
    toFloor("refresh", goalAt(size, 1.1)),
    toFloor("change", within(1.1)),
    toFloor("destroy", within(1.1)),
    ...fromUsual("up", 1.8),
    ...fromUsual("change", 2.3),
    ...ofPackaged("up", goalAt(size, 0.85)),
    ...ofPackaged("preview", measured),
    ...ofPackaged("refresh", measured),
    ...ofPackaged("change", measured),
    ...ofPackaged("destroy", measured),
    // Created, then read back once, so that its absence can be told later.
    counted("up", 2 * size),
    counted("preview", 0),
    // One list.
    counted("refresh", 1),
    counted("change", size),
    counted("destroy", size),
  ];
}

/** A part of the engine's own time for a further webhook, which scatters by more. */
const notToldFromNoise = 0.05;

/**
 * Whether what we add to the floor's time grows no faster than the number of resources: by each further webhook. By the
 * time of the processor, because the difference of two times by the clock drowns in how these scatter at the largest size.
 */
export function growthGoals(sizes: ReadonlyMap<number, Rounds>): Goal[] {
  const total = (rounds: Round[]): number =>
    median(rounds.map(({ processorSeconds: { up = NaN, change = NaN, destroy = NaN } }) => up + change + destroy));
  const totals = [...sizes]
    .map(([size, { floor, ours }]) => ({ size, floor: total(floor), share: total(ours) - total(floor) }))
    .toSorted((one, other) => one.size - other.size);
  type Total = (typeof totals)[number];
  const perFurther = (of: "floor" | "share", one: Total, other: Total): number =>
    ((other[of] - one[of]) / (other.size - one.size)) * 1000;
  const [first, second, third] = totals;
  if (first === undefined || second === undefined || third === undefined) return [];
  const [last = third, beforeLast = second] = totals.toReversed();
  const small = perFurther("share", first, second);
  const noise = notToldFromNoise * perFurther("floor", first, second);
  return [
    atMost(Number(Math.max(1.25 * small, noise).toFixed(1)), {
      what: "our share of up, change and destroy, per further webhook",
      at: totals.map(({ size }) => String(size)).join(", "),
      value: perFurther("share", beforeLast, last),
      unit: "ms",
      from:
        `of the processor, ${totals.map(({ size, share }) => `${String(size)}: ${share.toFixed(2)} s`).join("; ")}; ` +
        `at the small end ${small.toFixed(1)} ms`,
    }),
  ];
}
