import { type Span, spansOf, wrapped } from "./ansi";

export interface Capture {
  /** For screen readers and the tooltip. */
  readonly title: string;
  /** The typed words. */
  readonly command: string;
  /** The printed text, with its escape sequences. */
  readonly output: string;
  /** The longest line. Longer ones are wrapped. */
  readonly columns: number;
}

const cell = { width: 8.4, height: 20 };
const margin = 16;
/** A dark background, on light and dark pages. */
const ground = "#161b22";
const ink = "#c9d1d9";
const prompt: Span = { text: "$ ", colour: "#56d364", bold: true };
const fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** A terminal as a picture. */
export function svgOf({ title, command, output, columns }: Capture): string {
  const lines = [[prompt, { text: command, bold: true }], ...spansOf(output.trimEnd())];
  const rows = wrapped(lines, columns);
  const width = round(columns * cell.width + 2 * margin);
  const height = rows.length * cell.height + 2 * margin;
  const size = `width="${String(width)}" height="${String(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${String(width)} ${String(height)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect ${size} rx="8" fill="${ground}"/>`,
    `<g font-family="${fonts}" font-size="14" fill="${ink}">`,
    ...rows.flatMap(textOf),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Every span has its own position and length, so that columns align in every font. */
function textOf(row: readonly Span[], index: number): string[] {
  const y = margin + (index + 0.75) * cell.height;
  let column = 0;
  return row.flatMap((span) => {
    const start = column + (span.text.length - span.text.trimStart().length);
    column += Array.from(span.text).length;
    const text = span.text.trim();
    if (text === "") return [];
    const place = `x="${String(round(margin + start * cell.width))}" y="${String(y)}"`;
    const length = `textLength="${String(round(Array.from(text).length * cell.width))}"`;
    return [
      `<text ${place} ${length} lengthAdjust="spacingAndGlyphs"${lookOf(span)}>${escaped(withWideSpaces(text))}</text>`,
    ];
  });
}

/** A browser shows several spaces as one, and stretches the text to its length. */
function withWideSpaces(text: string): string {
  return text.replaceAll(/ {2,}/g, (spaces) => "\u00a0".repeat(spaces.length));
}

function lookOf({ colour, bold, underlined }: Span): string {
  return [
    colour === undefined ? "" : ` fill="${colour}"`,
    bold === true ? ` font-weight="bold"` : "",
    underlined === true ? ` text-decoration="underline"` : "",
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A length with one decimal, which is as exact as a screen. */
function round(length: number): number {
  return Math.round(length * 10) / 10;
}
