import { parseExactly } from "./long-numbers";

/** A body as text and, if it is usable JSON, as a value, with LongNumbers. An empty body has the value undefined. */
export type Body = { readonly text: string } & ({ readonly json: unknown } | { readonly problem: string });

/** Far above any real body. A deeper one could overflow the stack after a create, when its object must be saved. */
const maxDepth = 200;

export function readJson(text: string): Body {
  if (text === "") return { text, json: undefined };
  try {
    const json: unknown = JSON.parse(text);
    if (hasInfinity(json)) return { text, problem: "a number that is too large" };
    return { text, json: parseExactly(text, json) };
  } catch (error) {
    return { text, problem: error instanceof RangeError ? "nested too deeply" : "not JSON" };
  }
}

/** JSON.parse turns a number like 1e999 into Infinity, which could neither be sent nor stored again. */
function hasInfinity(json: unknown, depth = 0): boolean {
  if (depth > maxDepth) throw new RangeError("nested too deeply");
  if (typeof json !== "object" || json === null) return json === Infinity || json === -Infinity;
  return Object.entries(json).some(([, inner]) => hasInfinity(inner, depth + 1));
}
