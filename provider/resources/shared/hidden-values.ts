/* What of a plan must not or cannot be shown is taken out where the plan is read, so that nothing behind can print it. */

/** Stands in the place of a value. */
export class Hidden {
  constructor(readonly why: "secret" | "not known yet") {}
}

const secret = new Hidden("secret");
const unknown = new Hidden("not known yet");

/** The properties of a resource, with Hidden where a value was. */
export type Values = Readonly<Record<string, unknown>>;

/** What previews write for a secret, at any depth. */
const secretText = "[secret]";
/** The key by which states and plans mark an object that stands for something else: a secret, an asset, a reference. */
const wrapperKey = "4dabf18193072939515e22adb298388d";
/** As `runtime.unknownValue` of the SDK, which takes too long to load for a command. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Deeper than any value that a person declares, and than any that could be worked through. */
const deepest = 200;

export function withoutHidden(value: unknown, depth = 0): unknown {
  if (depth > deepest) return unknown;
  if (typeof value === "string") {
    if (value === secretText) return secret;
    return value.includes(unknownText) ? unknown : value;
  }
  if (Array.isArray(value)) return value.map((inner) => withoutHidden(inner, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, wrapperKey)) return secret;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutHidden(inner, depth + 1)]));
}

/** A value that can be compared and shown, or nothing. */
export function known(value: unknown): unknown {
  return value instanceof Hidden || value === null ? undefined : value;
}

export function textOf(values: Values, key: string): string | undefined {
  const value = values[key];
  return typeof value === "string" ? value : undefined;
}
