import results from "../../bench/results.json";
import { type Spec, svgOf } from "./vega";

/* The plots of bench/README.md, from the figures that `npm run bench` saved. */

/** A plot, and its name in bench/plots/. */
export interface Plot {
  readonly name: string;
  /** For people who do not see it. */
  readonly description: string;
  /** In Vega-Lite. */
  readonly spec: Spec;
}

/** A measured place of a plot: the median of the rounds, the lowest and the highest. */
type Point = Pick<(typeof results.points)[number], "what" | "contestant" | "size" | "median" | "lowest" | "highest">;

/** Each with its own colour, point and dashes, so that the plots do not need colours. */
const contestants = [
  { name: "floor", is: "handlers that do nothing", colour: "#59636e", point: "diamond", dashes: [5, 4] },
  { name: "ours", is: "this package, dynamic form", colour: "#0060b0", point: "circle", dashes: [1, 0] },
  { name: "packaged", is: "this package, packaged form", colour: "#00724f", point: "square", dashes: [1, 0] },
  { name: "usual", is: "hand-written dynamic resource", colour: "#b34700", point: "triangle-up", dashes: [2, 3] },
];
const names = contestants.map(({ name }) => name);

const commands = {
  up: "up: create all",
  change: "up: change all",
  preview: "preview",
  destroy: "destroy",
  refresh: "refresh",
};

/** The pictures of all plots by their paths. */
export async function plotFiles(): Promise<Map<string, string>> {
  const pictures = plotsOf().map(
    async ({ name, spec }) => [`bench/plots/${name}.svg`, await svgOf({ ...style, ...spec })] as const,
  );
  return new Map(await Promise.all(pictures));
}

/** All plots, by default of the saved figures. */
export function plotsOf(points: readonly Point[] = results.points): Plot[] {
  return [timePlot(points), statePlot(points), refreshPlot(points)];
}

const style = {
  background: "white",
  padding: 12,
  config: {
    title: { anchor: "start", fontSize: 15, offset: 12 },
    view: { stroke: null },
    axis: {
      labelFontSize: 12,
      labelLimit: 300,
      titleFontSize: 12,
      titleFontWeight: "normal",
      domain: false,
      ticks: false,
    },
    axisX: { grid: false, labelPadding: 6, labelFlush: false },
    axisY: { tickCount: 4 },
    legend: {
      orient: "bottom",
      columns: 2,
      labelFontSize: 12,
      labelLimit: 400,
      symbolSize: 80,
      symbolOpacity: 1,
      titleLimit: 600,
      titleFontWeight: "normal",
    },
  },
};

function timePlot(points: readonly Point[]): Plot {
  const title = "Time of a command against the number of webhooks";
  const all = Object.entries(commands);
  const described = all.map(
    ([what, words]) => `${words}: ${largestOf(points, what, (value) => `${value.toFixed(1)} s`)}`,
  );
  const panels = all.map(([what, words]) =>
    linesOf(points, what, { title: { text: `${words} (seconds)`, fontSize: 12 }, width: 320, height: 160 }),
  );
  const spec = { title, concat: panels, columns: 2 };
  return { name: "time", description: `${title}. ${described.join(" ")}`, spec };
}

function statePlot(points: readonly Point[]): Plot {
  const title = "State in the file backend (MB) against the number of webhooks";
  const megabytes = points
    .filter(({ what }) => what === "state")
    .map(({ median, lowest, highest, ...point }) => ({
      ...point,
      ...{ median: median / 1e6, lowest: lowest / 1e6, highest: highest / 1e6 },
    }));
  const description = `${title}. ${largestOf(megabytes, "state", (value) => `${value.toFixed(2)} MB`)}`;
  return {
    name: "state",
    description,
    spec: linesOf(megabytes, "state", { title, width: 700, height: 220 }),
  };
}

/** A line through the medians of each contestant, and a thin line from the lowest to the highest round. */
function linesOf(points: readonly Point[], what: string, frame: object): Spec {
  const values = points.filter((point) => point.what === what);
  const sizes = [...new Set(points.map((point) => point.size))];
  const domain = contestants.map(({ name, is }) => `${name}: ${is}`);
  const look = (key: "colour" | "point" | "dashes") => ({
    field: "label",
    title: "Points: medians. Thin lines: lowest to highest round.",
    scale: { domain, range: contestants.map((one) => one[key]) },
  });
  const labelled = values.map((point) => ({ ...point, label: domain[names.indexOf(point.contestant)] }));
  const x = {
    field: "size",
    type: "quantitative",
    title: "webhooks",
    axis: { values: sizes },
    scale: { domain: [0, Math.max(...sizes)] },
  };
  const y = { type: "quantitative", title: null };
  const color = look("colour");
  return {
    ...frame,
    data: { values: labelled },
    encoding: { x, color },
    layer: [
      { mark: { type: "rule", opacity: 0.5 }, encoding: { y: { ...y, field: "lowest" }, y2: { field: "highest" } } },
      {
        mark: { type: "line", point: { size: 60 } },
        encoding: { y: { ...y, field: "median" }, shape: look("point"), strokeDash: look("dashes") },
      },
    ],
  };
}

/** Bars, because every line but one would lie on the axis. */
function refreshPlot(points: readonly Point[]): Plot {
  const title = "Requests of one refresh";
  // Before, this package read each webhook too, as the usual way does.
  const ways = { usual: "one read each", ours: "one list" };
  const rows = points
    .filter(({ what }) => what === "requests of refresh")
    .flatMap(({ size, contestant, median: requests }) =>
      Object.entries(ways)
        .filter(([name]) => name === contestant)
        .map(([, way]) => ({ size, label: `${String(size)} webhooks, ${way}`, contestant, requests })),
    )
    .sort((one, other) => one.size - other.size || other.requests - one.requests);
  const description = `${title}. ${rows.map(({ label, requests }) => `${label}: ${String(requests)}.`).join(" ")}`;
  const y = { field: "label", title: null, sort: null };
  const x = { field: "requests", type: "quantitative", title: null };
  const range = contestants.map(({ colour }) => colour);
  const color = { field: "contestant", scale: { domain: names, range }, legend: null };
  const spec = {
    title,
    width: 500,
    height: { step: 30 },
    data: { values: rows },
    encoding: { y, x: { ...x, axis: null }, color },
    layer: [
      { mark: { type: "bar", size: 14 } },
      { mark: { type: "text", align: "left", dx: 6, fontSize: 12 }, encoding: { text: { field: "requests" } } },
    ],
  };
  return { name: "refresh", description, spec };
}

/** `At 500 webhooks, floor 39.3 s, ours 41.3 s.` for the largest size at which most contestants were measured. */
function largestOf(points: readonly Point[], what: string, asText: (value: number) => string): string {
  const measured = points.filter((point) => point.what === what);
  const countAt = (size: number): number => measured.filter((point) => point.size === size).length;
  const [size = 0] = measured
    .map((point) => point.size)
    .toSorted((one, other) => countAt(other) - countAt(one) || other - one);
  const values = measured
    .filter((point) => point.size === size)
    .toSorted((one, other) => names.indexOf(one.contestant) - names.indexOf(other.contestant))
    .map(({ contestant, median }) => `${contestant} ${asText(median)}`);
  return `At ${String(size)} webhooks, ${values.join(", ")}.`;
}
