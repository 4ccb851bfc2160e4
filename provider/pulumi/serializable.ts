/**
 * A copy without `undefined` anywhere. One `undefined` in what leaves a handler turns a finished create into a lost one
 * and makes an initialization failure hang the command, so everything that leaves passes through here.
 */
export function withoutUndefined(value: object): Record<string, unknown> {
  return strip(value) as Record<string, unknown>;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => strip(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, strip(item)]])),
  );
}

/** Names of fields that Pulumi's SDK cannot pass on: it fails on the first with a bare TypeError, and drops the second. */
export const unpassableNames: readonly string[] = ["toString", "__proto__"];
