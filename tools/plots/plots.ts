import type { Measured, Point } from "../../bench/points";
import results from "../../bench/results.json";
import { point, polyline, type Series, series, straight, svgOf, text } from "./drawing";
import { linePlot, type LinePlot, type Measurement } from "./line-plot";
import { linear, shown, ticks } from "./scale";

/* The plots of docs/performance.md, from the figures that `npm run bench` saved. */

/** A plot, and its name in docs/images/. */
export interface Plot {
  readonly name: string;
  /** For people who do not see it. */
  readonly description: string;
  readonly svg: string;
}

/** All plots, from the saved figures. */
export function savedPlots(): Plot[] {
  return plotsOf(results.points as Point[]);
}

export function plotsOf(points: readonly Point[]): Plot[] {
  return [timePlot(points), statePlot(points), refreshPlot(points)];
}

/** What each contestant is, for the key of the picture with many plots. */
const meanings: Readonly<Record<Series, string>> = {
  floor: "handlers that do nothing",
  ours: "this package, dynamic form",
  packaged: "this package, packaged form",
  usual: "hand-written dynamic resource",
};

const steps = {
  up: "up: create all",
  change: "up: change all",
  preview: "preview",
  destroy: "destroy",
  refresh: "refresh",
} satisfies Partial<Record<Measured, string>>;

const panel = { width: 400, height: 230 };
const top = 44;

function timePlot(points: readonly Point[]): Plot {
  const title = "Time of a command against the number of webhooks";
  const all = Object.entries(steps) as [keyof typeof steps, string][];
  const description = `${title}. ${all.map(([step, words]) => `${words}: ${largestOf(points, step, seconds)}`).join(" ")}`;
  const frameAt = (index: number) => ({
    x: (index % 2) * panel.width,
    y: top + Math.floor(index / 2) * panel.height,
    ...panel,
  });
  const parts = all.flatMap(([step, words], index) =>
    linePlot({ title: `${words} (seconds)`, sizes: sizesOf(points), lines: linesOf(points, step) }, frameAt(index)),
  );
  const key = keyAt(frameAt(all.length));
  const height = top + Math.ceil((all.length + 1) / 2) * panel.height;
  const svg = svgOf({ width: 2 * panel.width, height, title, description, parts: [...parts, ...key] });
  return { name: "performance-time", description, svg };
}

function statePlot(points: readonly Point[]): Plot {
  const title = "State in the file backend against the number of webhooks";
  const description = `${title}. ${largestOf(points, "state", megabytes)}`;
  const plot: LinePlot = { title: "state (MB)", sizes: sizesOf(points), lines: linesOf(points, "state", 1 / 1e6) };
  const frame = { x: 0, y: top, width: 2 * panel.width, height: 300 };
  const svg = svgOf({
    width: frame.width,
    height: top + frame.height,
    title,
    description,
    parts: linePlot(plot, frame),
  });
  return { name: "performance-state", description, svg };
}

/** Bars, because every line but one would lie on the axis. */
function refreshPlot(points: readonly Point[]): Plot {
  const title = "Requests of one refresh";
  const counts = points.filter(({ what }) => what === "requests of refresh");
  const rows = sizesOf(counts).flatMap((size) =>
    refreshWays.flatMap(({ name, words }) => {
      const found = counts.find((one) => one.size === size && one.contestant === name);
      return found === undefined ? [] : [{ size, name, words, requests: found.median }];
    }),
  );
  const description = `${title}. ${rows.map(({ size, words, requests }) => `${shown(size)} webhooks, ${words}: ${shown(requests)}.`).join(" ")}`;
  const [left, right, rowHeight] = [270, 730, 30];
  const across = linear(ticks(Math.max(...rows.map(({ requests }) => requests))).at(-1) ?? 1, [left, right]);
  const parts = rows.flatMap(({ size, name, words, requests }, index) => {
    const y = top + 10 + (index + 0.5) * rowHeight;
    const end = { x: across(requests), y };
    return [
      text({ x: left - 10, y }, `${shown(size)} webhooks, ${words}`, "ink end"),
      straight({ x: left, y }, end, `bar ${name}`),
      text({ x: end.x + 8, y }, shown(requests), `label ${name}`),
    ];
  });
  const height = top + 20 + rows.length * rowHeight;
  return { name: "performance-refresh", description, svg: svgOf({ width: 800, height, title, description, parts }) };
}

/** Before, this package read each webhook too, as the usual way does. */
const refreshWays = [
  { name: "usual", words: "one read each" },
  { name: "ours", words: "one list" },
] satisfies { name: Series; words: string }[];

function sizesOf(points: readonly Point[]): number[] {
  return [...new Set(points.map(({ size }) => size))].toSorted((one, other) => one - other);
}

function linesOf(points: readonly Point[], what: Measured, factor = 1): LinePlot["lines"] {
  const measured = (name: Series): Measurement[] =>
    points
      .filter((one) => one.what === what && one.contestant === name)
      .toSorted((one, other) => one.size - other.size)
      .map(({ size, median, lowest, highest }) => ({
        size,
        median: median * factor,
        lowest: lowest * factor,
        highest: highest * factor,
      }));
  return Object.fromEntries(series.map((name) => [name, measured(name)]));
}

/** `At 500 webhooks, floor 39.3 s, ours 41.3 s.` for the largest size at which most contestants were measured. */
function largestOf(points: readonly Point[], what: Measured, asText: (value: number) => string): string {
  const measured = points.filter((one) => one.what === what);
  const countAt = (size: number): number => measured.filter((one) => one.size === size).length;
  const [size = 0] = measured
    .map((one) => one.size)
    .toSorted((one, other) => countAt(other) - countAt(one) || other - one);
  const values = series.flatMap((name) =>
    measured
      .filter((one) => one.size === size && one.contestant === name)
      .map(({ median }) => `${name} ${asText(median)}`),
  );
  return `At ${shown(size)} webhooks, ${values.join(", ")}.`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}

/** What the lines stand for, in the place of a plot. */
function keyAt({ x, y }: { x: number; y: number }): string[] {
  const lines = series.flatMap((name, index) => {
    const row = y + 42 + index * 28;
    return [
      polyline(
        [
          { x: x + 46, y: row },
          { x: x + 86, y: row },
        ],
        name,
      ),
      point({ x: x + 66, y: row }, name),
      text({ x: x + 100, y: row }, name, `label ${name}`),
      text({ x: x + 178, y: row }, meanings[name], "ink"),
    ];
  });
  const notes = ["Points: medians of the rounds.", "Thin vertical lines: from the lowest to the highest round."];
  return [...lines, ...notes.map((note, index) => text({ x: x + 46, y: y + 166 + index * 18 }, note, "soft"))];
}
