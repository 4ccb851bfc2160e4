import { runtime } from "@pulumi/pulumi";

/** Stands for a value that is not known during preview, whatever the property's type. */
export const unknownValue: string = runtime.unknownValue;

/** Whether a value is unknown, or has an unknown value anywhere inside. */
export function hasUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}

/** Whether the value at a path, or one that contains it, is unknown. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  let current = value;
  for (const key of path) {
    if (current === unknownValue) return true;
    if (typeof current !== "object" || current === null) return false;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return hasUnknown(current);
}
