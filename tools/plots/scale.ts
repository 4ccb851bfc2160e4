/** From a value to a place on the picture. */
export type Scale = (value: number) => number;

/** A linear scale: 0 is at `start`, `highest` at `end`. */
export function linear(highest: number, [start, end]: readonly [start: number, end: number]): Scale {
  return (value) => start + ((end - start) * value) / highest;
}

/** Steps that people count in. */
const roundSteps = [1, 2, 5, 10];

/** Round values from 0 to the first one that is not below `highest`, with about `count` steps between them. */
export function ticks(highest: number, count = 4): number[] {
  if (!(highest > 0)) throw new Error(`an axis cannot end at ${String(highest)}`);
  const power = 10 ** Math.floor(Math.log10(highest / count));
  const step = (roundSteps.find((factor) => factor * power >= highest / count) ?? 10) * power;
  const last = Math.ceil(highest / step - 1e-9);
  // Multiplied, not added up, so that 0.1 + 0.2 is no tick.
  return Array.from({ length: last + 1 }, (_, number) => Number((number * step).toPrecision(12)));
}

/** `1,000` and `0.5`. */
export function shown(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}
