import { deepest, mebibyte, mostFields } from "./bounds";
import { type Body, hasInfinity, infinityIn, isEscaped, marks, problems, type Unusable } from "./json";

/*
 * Large bodies, read piece by piece: JSON.parse takes seconds for 16 MiB of nothing but brackets, and nothing else in
 * the process gets its turn meanwhile. First the text is looked through for where it can be cut, which is at commas;
 * then each piece is parsed by JSON.parse itself, so that the result is what JSON.parse makes of the whole.
 */

/** In characters. Up to this size, which almost every answer has, a body is read in one go. */
export const pieceSize = 64 * 1024;

/** A text is parsed in one go: as large as a whole record may be. */
const longestText = 4 * mebibyte;
const tooLong = "a text of more than 4 MiB";

/** Looked at once more before others have their turn. */
const valuesOfATurn = 50_000;

/** What is read of a body. */
interface Bounds {
  /** Values of an answer, those in others included. */
  readonly mostValues: number;
  readonly pieceSize?: number;
}

/** Reads a body of any size: the same as `readJson` in its end, a piece between two yields. */
export function* readPieces(text: string, bounds: Bounds): Generator<undefined, Body> {
  const plan = yield* outlined(text, { pieceSize, ...bounds });
  if ("problem" in plan) return { text, ...plan };
  const found = { overflow: false };
  try {
    const json = yield* made(text, plan, found);
    // It may be gone: the last of several fields of one name counts.
    const isInfinite = found.overflow && (yield* infinityIn(json, valuesOfATurn));
    return isInfinite ? { text, problem: problems.infinite } : { text, json };
  } catch (error) {
    if (error instanceof TooMuch) return { text, problem: error.message, isTooMuch: true };
    if (error instanceof SyntaxError) return { text, problem: problems.notJson };
    throw error;
  }
}

/**
 * After which rows of a large list a piece ends, for those who handle it further in the same pieces. Whatever has a
 * large list or object in it is here itself; what is not here can be handled in one go.
 */
export function piecesOf(list: object): readonly number[] | undefined {
  return ends.get(list);
}

const ends = new WeakMap<object, readonly number[]>();

/** A part of the text between two commas of a list or object: several small values, or one large one. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly large?: Large;
}

/** A list or object that is larger than a piece. */
interface Large {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

/** Where the text can be cut. Without a `large` it is a single text or number, or no JSON, which is soon found. */
type Outline = { readonly large?: Large | undefined } | Unusable;

function* outlined(text: string, { mostValues, pieceSize: size }: Required<Bounds>): Generator<undefined, Outline> {
  let level = new Level(undefined);
  let depth = 0;
  let values = 1;
  let pause = size;
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      yield;
      pause = at + size;
    }
    const mark = text.charCodeAt(at);
    switch (mark) {
      case marks.quote: {
        const start = at;
        do {
          at = text.indexOf('"', at + 1);
          if (at < 0) return { problem: problems.notJson };
          if (at - start > longestText) return { problem: tooLong, isTooMuch: true };
          if (at >= pause) {
            yield;
            pause = at + size;
          }
        } while (isEscaped(text, at));
        break;
      }
      case marks.comma:
        if (level.outer === undefined) return { problem: problems.notJson };
        level.comma(at, size);
        values++;
        break;
      case marks.openBracket:
      case marks.openBrace:
        if (++depth > deepest) return { problem: problems.deep };
        level = level.inner;
        level.begin(at);
        values++;
        break;
      case marks.closeBracket:
      case marks.closeBrace: {
        const { outer } = level;
        // ] is two behind [, and } behind {.
        if (outer === undefined || text.charCodeAt(level.start) !== mark - 2) return { problem: problems.notJson };
        const large = level.ended(at, size);
        level = outer;
        depth--;
        if (large !== undefined) level.hold(large);
      }
    }
    if (values > mostValues) return { problem: `more than ${String(mostValues)} values`, isTooMuch: true };
  }
  return depth === 0 ? { large: level.large } : { problem: problems.notJson };
}

/** The whole text, or a list or object in it that is open. Used again for the next one: most are small. */
class Level {
  start = -1;
  large: Large | undefined;
  /** The last comma, or the opening bracket. */
  private lastComma = -1;
  private lastCut = -1;
  private pieces: Piece[] = [];
  private next: Level | undefined;

  constructor(readonly outer: Level | undefined) {}

  get inner(): Level {
    return (this.next ??= new Level(this));
  }

  begin(start: number): void {
    this.start = this.lastComma = this.lastCut = start;
    this.large = undefined;
    if (this.pieces.length > 0) this.pieces = [];
  }

  comma(at: number, size: number): void {
    this.lastComma = at;
    if (this.large !== undefined || at - this.lastCut > size) this.cut(at);
  }

  /** A large value among these has come to its end: it is a piece of its own. */
  hold(large: Large): void {
    if (this.lastComma > this.lastCut) this.cut(this.lastComma);
    this.large = large;
  }

  ended(at: number, size: number): Large | undefined {
    if (at - this.start < size) return undefined;
    this.cut(at);
    return { start: this.start, end: at, pieces: this.pieces };
  }

  private cut(at: number): void {
    const { large } = this;
    this.pieces.push({ from: this.lastCut + 1, to: at, ...(large === undefined ? {} : { large }) });
    this.lastCut = at;
    this.large = undefined;
  }
}

interface Found {
  overflow: boolean;
}

function* made(text: string, { large }: { large?: Large | undefined }, found: Found): Generator<undefined, unknown> {
  if (large === undefined) return parsed(text, found);
  expectNothing(text, 0, large.start);
  expectNothing(text, large.end + 1, text.length);
  return yield* container(text, large, found);
}

function container(text: string, large: Large, found: Found): Generator<undefined, object> {
  return text.charCodeAt(large.start) === marks.openBracket ? list(text, large, found) : object(text, large, found);
}

function* list(text: string, { pieces }: Large, found: Found): Generator<undefined, unknown[]> {
  const rows: unknown[] = [];
  const after: number[] = [];
  for (const { from, to, large } of pieces) {
    if (large === undefined) {
      const some = parsed(`[${text.slice(from, to)}]`, found) as unknown[];
      if (some.length === 0 && pieces.length > 1) throw new SyntaxError("nothing between two commas");
      for (const row of some) rows.push(row);
    } else {
      expectNothing(text, from, large.start);
      expectNothing(text, large.end + 1, to);
      rows.push(yield* container(text, large, found));
    }
    after.push(rows.length);
    yield;
  }
  ends.set(rows, after);
  return rows;
}

function* object(text: string, { pieces }: Large, found: Found): Generator<undefined, object> {
  const whole = {};
  let fields = 0;
  for (const { from, to, large } of pieces) {
    // Brackets in the large one's place: a digit would hide one too many before it.
    const before = large === undefined ? text.slice(from, to) : `${text.slice(from, large.start)}[]`;
    const some = parsed(`{${before}}`, found) as Record<string, unknown>;
    const names = Object.keys(some);
    if (names.length === 0 && pieces.length > 1) throw new SyntaxError("nothing between two commas");
    if (large !== undefined) {
      expectNothing(text, large.end + 1, to);
      for (const name of names) own(some, name, yield* container(text, large, found));
    }
    for (const name of names) {
      // One that is itself no larger than a piece cannot have as many.
      if (!Object.hasOwn(whole, name) && ++fields > mostFields)
        throw new TooMuch(`an object of more than ${String(mostFields)} fields`);
      own(whole, name, some[name]);
    }
    yield;
  }
  ends.set(whole, []);
  return whole;
}

/** As JSON.parse does it: whatever its name is, it is a field and no more. */
function own(object: object, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else (object as Record<string, unknown>)[name] = value;
}

function parsed(text: string, found: Found): unknown {
  // Besides small values one text at most is in a piece, and spaces.
  if (text.length > longestText + 2 * pieceSize) throw new TooMuch(tooLong);
  const json: unknown = JSON.parse(text);
  found.overflow ||= hasInfinity(json);
  return json;
}

/** Between a large value and the commas around it. */
function expectNothing(text: string, from: number, to: number): void {
  if (to - from > longestText) throw new TooMuch(tooLong);
  if (/[^ \t\n\r]/.test(text.slice(from, to))) throw new SyntaxError("something beside a value");
}

/** JSON, but with more in one place than is handled in one go. */
class TooMuch extends Error {}
