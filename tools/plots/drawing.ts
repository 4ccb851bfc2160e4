import { escaped, round } from "../svg";
import type { Place } from "./labels";

/* The look that all plots share: readable on a light and a dark page, and without colours. */

export const series = ["floor", "ours", "packaged", "usual"] as const;
export type Series = (typeof series)[number];

const grounds = {
  light: { ground: "#ffffff", ink: "#1f2328", soft: "#59636e", grid: "#d8dee4" },
  dark: { ground: "#0d1117", ink: "#e6edf3", soft: "#9198a1", grid: "#30363d" },
};

/** What a point is drawn with, around 0, 0. */
type Shape = (look: string) => string;

const circle: Shape = (look) => `<circle r="4" class="${look}"/>`;
const openCircle: Shape = (look) => circle(`${look} open`);
const square: Shape = (look) => `<rect x="-4" y="-4" width="8" height="8" class="${look}"/>`;
const triangle: Shape = (look) => `<polygon points="0,-5 5,4 -5,4" class="${look}"/>`;

/** Each with a colour on light, a colour on dark, the dashes of its line and the shape of its points. */
const looks = {
  floor: { light: "#59636e", dark: "#9198a1", dashes: "5 4", point: openCircle },
  ours: { light: "#0060b0", dark: "#58a6ff", dashes: "none", point: circle },
  packaged: { light: "#00724f", dark: "#3fb950", dashes: "none", point: square },
  usual: { light: "#b34700", dark: "#f0883e", dashes: "1.5 3.5", point: triangle },
} satisfies Record<Series, { light: string; dark: string; dashes: string; point: Shape }>;

const fonts = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** What is plotted. */
  readonly title: string;
  /** What it shows, for people who do not see it. */
  readonly description: string;
  readonly parts: readonly string[];
}

export function svgOf({ width, height, title, description, parts }: Picture): string {
  const size = `width="${String(width)}" height="${String(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(description)}</desc>`,
    `<style>${styles()}</style>`,
    `<rect ${size} rx="8" class="ground"/>`,
    text({ x: 20, y: 26 }, title, "ink heading"),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/** A picture cannot see the theme of its page, so it brings its own ground for the reader's colour scheme. */
function styles(): string {
  return [
    `text{font:12px ${fonts};dominant-baseline:middle}`,
    ".heading{font-size:15px;font-weight:600}.strong,.label{font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}",
    ".line{fill:none;stroke-width:2}.range{stroke-width:1.2;opacity:.55}.point{stroke-width:1.5}.bar{stroke-width:14}",
    ...series.map((name) => `.line.${name}{stroke-dasharray:${looks[name].dashes}}`),
    coloursOf("light"),
    `@media(prefers-color-scheme:dark){${coloursOf("dark")}}`,
  ].join("");
}

/** Spelled out for each element: not every program that draws SVG knows variables. */
function coloursOf(theme: "light" | "dark"): string {
  const { ground, ink, soft, grid } = grounds[theme];
  return [
    `.ground{fill:${ground}}.ink{fill:${ink}}.soft{fill:${soft}}.grid{stroke:${grid}}`,
    ...series.map((name) => {
      const colour = looks[name][theme];
      return `.line.${name},.range.${name},.bar.${name},.point.${name}{stroke:${colour}}.label.${name},.point.${name}{fill:${colour}}`;
    }),
    `.open.point{fill:${ground}}`,
  ].join("");
}

export function text({ x, y }: Place, words: string, look: string): string {
  return `<text x="${String(round(x))}" y="${String(round(y))}" class="${look}">${escaped(words)}</text>`;
}

export function straight(from: Place, to: Place, look: string): string {
  const [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map((length) => String(round(length)));
  return `<line x1="${String(x1)}" y1="${String(y1)}" x2="${String(x2)}" y2="${String(y2)}" class="${look}"/>`;
}

export function polyline(places: readonly Place[], name: Series): string {
  const points = places.map(({ x, y }) => `${String(round(x))},${String(round(y))}`).join(" ");
  return `<polyline points="${points}" class="line ${name}"/>`;
}

export function point({ x, y }: Place, name: Series): string {
  const shape = looks[name].point(`point ${name}`);
  return `<g transform="translate(${String(round(x))} ${String(round(y))})">${shape}</g>`;
}
