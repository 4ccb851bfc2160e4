import { unknownValue } from "../serializable";

/* Values that are not known during preview. */

/** Whether a value is unknown, or has an unknown value anywhere inside. */
export function hasUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}

/** Whether the value at a path, one that contains it or one inside it is unknown. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  return hasUnknown(knownUpTo(value, path));
}

/** Whether nothing is known about the value at a path, not even its type. */
export function isAllUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  return knownUpTo(value, path) === unknownValue;
}

/** The value at a path, or the unknown value that contains it. */
function knownUpTo(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) break;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current === unknownValue || typeof current === "object" ? current : undefined;
}

/** The arguments that are known completely. */
export function withoutUnknown<T extends object>(inputs: T): T {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !hasUnknown(value))) as T;
}
