import { isDeepStrictEqual } from "node:util";
import { signatureKey, unknownValue } from "../../provider/serializable";

/* Secrets and unknown values are removed when a plan is read, so that no later code can print them. */

/** Takes the place of a value that must not or cannot be shown. */
export class Hidden {
  constructor(readonly why: "secret" | "not known yet") {}
}

const secret = new Hidden("secret");
const unknown = new Hidden("not known yet");

/** The properties of a resource. Some values may be Hidden. */
export type Values = Readonly<Record<string, unknown>>;

/** The text that a preview prints for a secret, at any depth. */
const secretText = "[secret]";

/** Deeper than any value that a person declares; protects the recursion below. */
const maxDepth = 200;

/** Replaces secrets and unknown values by Hidden. */
export function hideValues(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return unknown;
  if (typeof value === "string") {
    if (value === secretText) return secret;
    return value.includes(unknownValue) ? unknown : value;
  }
  if (Array.isArray(value)) return value.map((inner) => hideValues(inner, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, signatureKey)) return secret;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hideValues(inner, depth + 1)]));
}

/** The value if it can be compared and shown, otherwise undefined. */
export function known(value: unknown): unknown {
  return value instanceof Hidden || value === null ? undefined : value;
}

/** Whether a flag is set, or may be: its value is hidden. */
export function mayBeSet(value: unknown): boolean {
  return value === true || value instanceof Hidden;
}

/** Whether a value can be compared: nothing in it is hidden. */
export function isShown(value: unknown): boolean {
  if (value instanceof Hidden) return false;
  return typeof value !== "object" || value === null || Object.values(value).every(isShown);
}

/** Whether a value changes, or may: one that is hidden before or after may be another. */
export function mayDiffer(before: unknown, after: unknown): boolean {
  return !isShown(before) || !isShown(after) || !isDeepStrictEqual(before, after);
}

export function textOf(values: Values, key: string): string | undefined {
  const value = values[key];
  return typeof value === "string" ? value : undefined;
}
