import { z } from "zod";
import { signatureKey } from "./serializable";
import { segmentProblem } from "./service/endpoints";
import { maxUserBytes } from "./service/operations";
import { parsePlainUrl, plainUrlHint } from "./service/urls";

/** A text. A missing one is reported as missing. */
export function text() {
  return z.string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") });
}

/** An id of the service, which becomes one segment of a path. */
export function identifier() {
  return text().superRefine((value, context) => {
    const problem = segmentProblem(value);
    if (problem !== undefined) context.addIssue(problem);
  });
}

export function flag() {
  return z.boolean({
    error: ({ input }) => (typeof input === "string" ? "must be true or false, not a string" : "must be true or false"),
  });
}

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  const bounds = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z.int(bounds).min(min, bounds).max(max, bounds);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.map((value) => `"${value}"`).join(", ")}`);
}

/** An object with any JSON values. Refuses values that JSON would change. */
export function jsonObject(what: string) {
  return z
    .custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
      error: (issue) => (issue.input === undefined ? "is required" : `must be an object: ${what}`),
      params: { ofType: true },
    })
    .superRefine((value, context) => {
      const excess = excessOf(value);
      if (excess !== undefined) {
        context.addIssue({ code: "custom", message: excess });
        return;
      }
      for (const { path, message } of notJson(value, [])) context.addIssue({ code: "custom", path, message });
    });
}

/** Leaves room for the fields that the service adds, so that the object can be read back. */
const max = { depth: 160, values: 40_000, bytes: maxUserBytes * 0.8 };

function excessOf(value: object): string | undefined {
  let open: object[] = [value];
  let values = 0;
  for (let depth = 1; open.length > 0; depth++) {
    if (depth > max.depth) return `must not be nested deeper than ${String(max.depth)} levels`;
    const inner: object[] = [];
    for (const container of open) {
      const items = Object.values(container) as unknown[];
      values += items.length;
      if (values > max.values) return `must not hold more than ${String(max.values)} values`;
      for (const item of items) if (typeof item === "object" && item !== null) inner.push(item);
    }
    open = inner;
  }
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > max.bytes ? `must not be larger than ${String(Math.floor(max.bytes / 1024))} KiB as JSON` : undefined;
}

function notJson(value: unknown, path: PropertyKey[]): { path: PropertyKey[]; message: string }[] {
  if (typeof value === "number" && !Number.isFinite(value)) return [{ path, message: "must be a finite number" }];
  if (typeof value !== "object" || value === null) return [];
  if (Object.hasOwn(value, signatureKey)) return [{ path, message: "must be JSON, not an asset or archive" }];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "__proto__"
      ? [{ path: [...path, key], message: "cannot be the name of a field" }]
      : notJson(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** A text with a minimum and maximum number of characters, counted as Unicode code points. */
export function sized(min: number, max: number) {
  const bounds = `must have ${String(min)} to ${String(max)} characters`;
  return text().refine((value) => {
    const { length } = Array.from(value);
    return length >= min && length <= max;
  }, bounds);
}

/** An absolute http or https URL. */
export function webUrl() {
  return text().refine((value) => {
    const protocol = parsePlainUrl(value)?.protocol;
    return protocol === "https:" || protocol === "http:";
  }, `must be an absolute URL that begins with https:// or http://, ${plainUrlHint}`);
}
