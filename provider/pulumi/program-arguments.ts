import * as pulumi from "@pulumi/pulumi";
import { programError } from "./program-error";
import { unpassableNames } from "./serializable";

/* What only the program can see of a resource's arguments: the host is given plain values. */

/**
 * Refuses what Pulumi would pass on as an empty object or not at all, such as a Date or a function in a record's fields.
 * The host could not tell what is missing.
 */
export function requireSerializable(what: string, args: object): void {
  const found = unserializableIn(args, "", []);
  if (found !== undefined) throw programError(`${what}: ${found}`);
}

/** Where the first value is that Pulumi cannot pass on, and what to give instead. */
function unserializableIn(value: unknown, path: string, around: readonly object[]): string | undefined {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
    return wrongType(path, `a ${typeof value}`);
  if (typeof value !== "object" || value === null || isKnownToPulumi(value)) return undefined;
  if (!Array.isArray(value) && !isPlainObject(value)) return wrongType(path, `a ${value.constructor.name}`);
  if (around.includes(value)) return wrongType(path, "a part of itself");
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    if (unpassableNames.includes(key))
      return `${innerPath} has a name that Pulumi cannot pass on. Use another name, or leave it out.`;
    const found = unserializableIn(inner, innerPath, [...around, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrongType(path: string, type: string): string {
  const hint = type === "a Date" ? ", for a Date its toISOString()" : "";
  return `${path} is ${type}, which Pulumi cannot pass on. Give a string, a number, true, false, null, a list or a plain object${hint}.`;
}

/** Outputs and promises have no value yet; Pulumi serializes resources and assets itself. */
function isKnownToPulumi(value: object): boolean {
  return (
    pulumi.Output.isInstance(value) ||
    value instanceof Promise ||
    pulumi.Resource.isInstance(value) ||
    pulumi.asset.Asset.isInstance(value) ||
    pulumi.asset.Archive.isInstance(value)
  );
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm, such as a test runner's sandbox, has a prototype of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
