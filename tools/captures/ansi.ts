/** How a piece of terminal text looks. */
interface Style {
  /** As `#rrggbb`; undefined: the terminal's own. */
  readonly colour?: string | undefined;
  readonly bold?: boolean;
  readonly underlined?: boolean;
}

/** A piece of a line in one style. */
export interface Span extends Style {
  readonly text: string;
}

/** The sixteen named colours, readable on the dark background of a capture. */
const named = [
  ["#484f58", "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#c9d1d9"],
  ["#8b949e", "#ffa198", "#7ee787", "#f2cc60", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#f0f6fc"],
].flat();

/** Every escape sequence; the parameters of those that set a style are its group. */
// eslint-disable-next-line no-control-regex
const sequence = /\u001b\[([\d;]*)m|\u001b\[[\d;?]*[A-Za-z]|\r/g;

/** The lines of terminal output, each as spans. Cursor movements are left out. */
export function spansOf(output: string): Span[][] {
  let style: Style = {};
  return output.split("\n").map((line) => {
    const spans: Span[] = [];
    let from = 0;
    const take = (text: string): void => {
      if (text !== "") spans.push({ ...style, text });
    };
    for (const match of line.matchAll(sequence)) {
      take(line.slice(from, match.index));
      from = match.index + match[0].length;
      if (match[1] !== undefined) style = styled(style, match[1]);
    }
    take(line.slice(from));
    return spans;
  });
}

function styled(style: Style, parameters: string): Style {
  const codes = parameters.split(";").map(Number);
  let next = style;
  for (let code = codes.shift(); code !== undefined; code = codes.shift()) {
    if (code === 0) next = {};
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 4) next = { ...next, underlined: true };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (code === 38 && codes.shift() === 5) next = { ...next, colour: colourOf(codes.shift() ?? 0) };
    else if (code >= 30 && code <= 37) next = { ...next, colour: named[code - 30] };
    else if (code >= 90 && code <= 97) next = { ...next, colour: named[code - 82] };
  }
  return next;
}

/** One of the 256: sixteen by name, a cube of 6 × 6 × 6, and greys. */
function colourOf(index: number): string | undefined {
  if (index < 16) return named[index];
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const grey = 8 + (index - 232) * 10;
  const cube = index - 16;
  const channels =
    index >= 232 ? [grey, grey, grey] : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level);
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Wraps lines that are longer than this, after a space where there is one. */
export function wrapped(lines: readonly Span[][], columns: number): Span[][] {
  return lines.flatMap((line) => {
    let rest = line.flatMap((span) => Array.from(span.text, (text): Span => ({ ...span, text })));
    const rows: Span[][] = [];
    while (rest.length > columns) {
      const space = rest.slice(0, columns).findLastIndex(({ text }) => text === " ");
      const end = space <= 0 ? columns : space + 1;
      rows.push(joined(rest.slice(0, end)));
      rest = rest.slice(end);
    }
    return [...rows, joined(rest)];
  });
}

/** Joins neighbours of the same style into one span. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && looksLike(last, span)) result.splice(-1, 1, { ...last, text: last.text + span.text });
    else result.push(span);
  }
  return result;
}

function looksLike(one: Style, other: Style): boolean {
  return one.colour === other.colour && one.bold === other.bold && one.underlined === other.underlined;
}
