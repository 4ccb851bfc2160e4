import { deepest } from "./bounds";

/** A body as text and, where it is JSON that can be worked with, as a value. Nothing at all is the value undefined. */
export type Body = { readonly text: string } & ({ readonly json: unknown } | Unusable);

export interface Unusable {
  readonly problem: string;
  /** Whether it may well be what the service answers, and is more than is read. */
  readonly isTooMuch?: true;
}

/** Why a body cannot be worked with. */
export const problems = {
  deep: `nested deeper than ${String(deepest)} levels`,
  notJson: "not JSON",
  // Infinity could neither be sent nor be stored again.
  infinite: "a number beyond all bounds",
};

/** Reads a body in one go, once for all who want to know something of it. */
export function readJson(text: string): Body {
  if (text === "") return { text, json: undefined };
  if (isDeep(text)) return { text, problem: problems.deep };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { text, problem: problems.notJson };
  }
  return mayOverflow.test(text) && hasInfinity(json) ? { text, problem: problems.infinite } : { text, json };
}

/** An exponent or, with one of two digits, a number of digits with which a number may be infinite. */
const mayOverflow = /[eE]\+?\d{3}|\d{200}/;

/** Whether a number in it has become infinite. */
export function hasInfinity(json: unknown): boolean {
  const looking = infinityIn(json, Infinity);
  return looking.next().value === true;
}

/** The same for a value of any size, with a yield after so many. */
export function* infinityIn(json: unknown, valuesOfATurn: number): Generator<undefined, boolean> {
  const open = [json];
  for (let seen = 1; open.length > 0; seen++) {
    if (seen % valuesOfATurn === 0) yield;
    const next = open.pop();
    if (next === Infinity || next === -Infinity) return true;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

/** Counts brackets outside of strings, so that nothing deep is ever made. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++)
    switch (text.charCodeAt(at)) {
      case marks.quote:
        at = endOfString(text, at);
        break;
      case marks.openBracket:
      case marks.openBrace:
        if (++depth > deepest) return true;
        break;
      case marks.closeBracket:
      case marks.closeBrace:
        depth--;
    }
  return false;
}

/** The characters that JSON is made of. */
export const marks = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  backslash: 0x5c,
} as const;

/** Where the string that begins here ends. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1))
    if (!isEscaped(text, end)) return end;
  return text.length;
}

/** Whether a quote in a string does not end it: behind an odd number of backslashes. */
export function isEscaped(text: string, quote: number): boolean {
  let before = quote;
  while (text.charCodeAt(before - 1) === marks.backslash) before--;
  return (quote - before) % 2 === 1;
}
