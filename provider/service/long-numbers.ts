import { randomUUID } from "node:crypto";

/**
 * A number of a response with more digits than JavaScript keeps: 9007199254740993 would become 9007199254740992. It equals
 * no number, and is stored and shown as text, so that it is never sent back changed.
 */
export class LongNumber {
  constructor(readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}

/** Fifteen digits are always kept. Very small numbers become 0. */
const mayLoseDigits = /\d[\d.]{15}|[eE]-\d{3}/;

/** Parses text that is known to be JSON. Numbers that would lose digits become LongNumbers. */
export function parseExactly(text: string, parsed: unknown): unknown {
  if (!mayLoseDigits.test(text)) return parsed;
  // JSON.parse shows no reviver the text of a number in Node 20. No text of the response can begin with this mark.
  const mark = `${randomUUID()} `;
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfString(text, at);
    number.lastIndex = at;
    const token = number.exec(text)?.[0];
    if (token === undefined) continue;
    if (!isKept(token)) {
      pieces.push(text.slice(copied, at), JSON.stringify(mark + token));
      copied = at + token.length;
    }
    at += token.length - 1;
  }
  if (copied === 0) return parsed;
  return JSON.parse(pieces.join("") + text.slice(copied), (_, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? new LongNumber(value.slice(mark.length)) : value,
  ) as unknown;
}

const [quote, backslash] = ['"', "\\"];

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf(quote, start + 1); end >= 0; end = text.indexOf(quote, end + 1))
    if (!isEscaped(text, end)) return end;
  return text.length;
}

/** A quote behind an odd number of backslashes does not end its string. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === backslash) before--;
  return (at - before) % 2 === 1;
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Longer than any number that JavaScript writes. */
const maxKept = 400;

function isKept(token: string): boolean {
  return token.length <= maxKept && decimalOf(token) === decimalOf(String(Number(token)));
}

/** One form for all ways to write a decimal number: its significant digits, and the power of ten of the last. */
function decimalOf(token: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === "" ? "0" : `${sign}${significant}e${String(power)}`;
}

/** A copy in which every LongNumber is its text. */
export function withLongNumbersAsText(value: unknown): unknown {
  if (value instanceof LongNumber) return value.text;
  if (Array.isArray(value)) return value.map(withLongNumbersAsText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withLongNumbersAsText(inner)]));
}

export function hasLongNumber(value: unknown): boolean {
  if (value instanceof LongNumber) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongNumber);
}
