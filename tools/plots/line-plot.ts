import { labelHeight, type Place, placeLabels } from "./labels";
import { point, polyline, type Series, series, straight, text } from "./drawing";
import { linear, type Scale, shown, ticks } from "./scale";

/** A median of several rounds, with the lowest and the highest of them. */
export interface Measurement {
  readonly size: number;
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export interface LinePlot {
  /** What is measured and in which unit. */
  readonly title: string;
  /** Where the axis of sizes has its ticks: the measured ones, also those of the plots beside it. */
  readonly sizes: readonly number[];
  readonly lines: Readonly<Partial<Record<Series, readonly Measurement[]>>>;
}

export interface Frame extends Place {
  readonly width: number;
  readonly height: number;
}

const margin = { left: 46, right: 70, top: 30, bottom: 40 };

/** One plot with its axes in a part of a picture. What is measured grows upwards, with the number of webhooks. */
export function linePlot({ title, sizes, lines }: LinePlot, frame: Frame): string[] {
  const inner = insideOf(frame);
  const values = ticks(Math.max(...Object.values(lines).flat().map(highestOf)));
  const across = linear(Math.max(...sizes), [inner.left, inner.right]);
  const up = linear(values.at(-1) ?? 1, [inner.bottom, inner.top]);
  const drawn = series.flatMap((name) => {
    const measured = lines[name] ?? [];
    return measured.length === 0 ? [] : [{ name, measured, places: measured.map(placeOf(across, up)) }];
  });
  const labels = placeLabels(
    drawn.map(({ name, places }) => ({ text: name, end: places.at(-1) ?? { x: 0, y: 0 } })),
    drawn.map(({ places }) => places),
    inner.bottom - 6,
  );
  return [
    text({ x: frame.x + 20, y: frame.y + 12 }, title, "ink strong"),
    ...values.flatMap((value) => [
      straight({ x: inner.left, y: up(value) }, { x: inner.right, y: up(value) }, "grid"),
      text({ x: inner.left - 6, y: up(value) }, shown(value), "soft end"),
    ]),
    ...sizes.map((size) => text({ x: across(size), y: inner.bottom + 14 }, shown(size), "soft middle")),
    text({ x: (inner.left + inner.right) / 2, y: inner.bottom + 30 }, "webhooks", "soft middle"),
    ...drawn.flatMap(({ name, measured }) => measured.map((one) => rangeOf(one, name, across, up))),
    ...drawn.map(({ name, places }) => polyline(places, name)),
    ...drawn.flatMap(({ name, places }) => places.map((place) => point(place, name))),
    ...drawn.flatMap(({ name, places }) => labelOf(name, labels.get(name), places.at(-1))),
  ];
}

/** The name of a line, with a thin line to its end where the two are apart. */
function labelOf(name: Series, place: Place | undefined, end: Place | undefined): string[] {
  if (place === undefined || end === undefined) return [];
  const isApart = Math.abs(place.y - end.y) > labelHeight;
  return [
    ...(isApart ? [straight(end, { x: place.x - 2, y: place.y }, `range ${name}`)] : []),
    text(place, name, `label ${name}`),
  ];
}

function insideOf({ x, y, width, height }: Frame): { left: number; right: number; top: number; bottom: number } {
  return {
    left: x + margin.left,
    right: x + width - margin.right,
    top: y + margin.top,
    bottom: y + height - margin.bottom,
  };
}

function placeOf(across: Scale, up: Scale): (one: Measurement) => Place {
  return ({ size, median }) => ({ x: across(size), y: up(median) });
}

function rangeOf({ size, lowest, highest }: Measurement, name: Series, across: Scale, up: Scale): string {
  return straight({ x: across(size), y: up(lowest) }, { x: across(size), y: up(highest) }, `range ${name}`);
}

function highestOf({ highest }: Measurement): number {
  return highest;
}
