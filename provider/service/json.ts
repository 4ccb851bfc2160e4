import { parseExactly } from "./long-numbers";
import { deepest } from "./response-limits";

/** A body as text and, if it is usable JSON, as a value, with LongNumbers. An empty body has the value undefined. */
export type Body = { readonly text: string } & ({ readonly json: unknown } | Unusable);

interface Unusable {
  readonly problem: string;
  /** It may well be the service's response, but it is more than this package reads. */
  readonly isTooMuch?: true;
}

/** Parses a body. One with more than `mostValues` values, counted at every depth, is not parsed. */
export function readJson(text: string, mostValues = Infinity): Body {
  if (text === "") return { text, json: undefined };
  const excess = excessIn(text, mostValues);
  if (excess !== undefined) return { text, ...excess };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { text, problem: "not JSON" };
  }
  // JSON.parse turns a number like 1e999 into Infinity, which could neither be sent nor stored again.
  if (mayOverflow.test(text) && hasInfinity(json)) return { text, problem: "a number that is too large" };
  return { text, json: parseExactly(text, json, endOfString) };
}

/** A large exponent, or a long row of digits. */
const mayOverflow = /[eE]\+?\d{3}|\d{200}/;

function hasInfinity(json: unknown): boolean {
  const open = [json];
  while (open.length > 0) {
    const next = open.pop();
    if (next === Infinity || next === -Infinity) return true;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts values and levels before anything is parsed. The cost of parsing and checking grows with the number of values,
 * and deep nesting overflows the stack.
 */
function excessIn(text: string, mostValues: number): Unusable | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case comma:
        values++;
        break;
      case openBracket:
      case openBrace:
        if (++depth > deepest) return { problem: `nested deeper than ${String(deepest)} levels` };
        values++;
        break;
      case closeBracket:
      case closeBrace:
        depth--;
    }
    if (values > mostValues) return { problem: `more than ${String(mostValues)} values`, isTooMuch: true };
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1))
    if (!isEscaped(text, end)) return end;
  return text.length;
}

/** A quote behind an odd number of backslashes does not end its string. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}
