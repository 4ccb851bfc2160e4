/** A body as text and, where it is JSON that can be worked with, as a value. Nothing at all is the value undefined. */
export type Body = { readonly text: string } & ({ readonly json: unknown } | { readonly problem: string });

/** Deeper than anything that people write, and far from where a recursive walk ends: in a crash. */
const deepest = 200;

/** Reads a body, once for all who want to know something of it. */
export function readJson(text: string): Body {
  if (text === "") return { text, json: undefined };
  if (isDeep(text)) return { text, problem: `nested deeper than ${String(deepest)} levels` };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { text, problem: "not JSON" };
  }
  // Infinity could neither be sent nor be stored again.
  if (mayOverflow.test(text) && hasInfinity(json)) return { text, problem: "a number beyond all bounds" };
  return { text, json };
}

/** An exponent or a number of digits with which a number may be infinite. */
const mayOverflow = /[eE]\+?\d{3}|\d{300}/;

function hasInfinity(json: unknown): boolean {
  const open = [json];
  while (open.length > 0) {
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
      case quote:
        at = endOfString(text, at);
        break;
      case openBracket:
      case openBrace:
        if (++depth > deepest) return true;
        break;
      case closeBracket:
      case closeBrace:
        depth--;
    }
  return false;
}

const [quote, openBracket, closeBracket, openBrace, closeBrace, backslash] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d, 0x5c];

/** Where the string that begins here ends: at the next quote behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
