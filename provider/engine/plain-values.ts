import * as pulumi from "@pulumi/pulumi";
import { programError } from "./program-error";

/**
 * Refuses what Pulumi would pass on as an empty object or not at all, such as a Date or a function in a record's fields:
 * the host is given what is left of it and could not tell.
 */
export function requirePlainValues(what: string, args: object): void {
  const found = foreignIn(args, "");
  if (found !== undefined)
    throw programError(
      `${what}: ${found.path} is ${found.kind}, which Pulumi cannot pass on. Give text, a number, true, false, null, a list or a plain object${found.kind === "a Date" ? ", for a Date its toISOString()" : ""}.`,
    );
}

interface Foreign {
  path: string;
  kind: string;
}

function foreignIn(value: unknown, path: string): Foreign | undefined {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
    return { path, kind: `a ${typeof value}` };
  if (typeof value !== "object" || value === null || isKnownToPulumi(value)) return undefined;
  if (!Array.isArray(value) && !isPlain(value)) return { path, kind: `a ${value.constructor.name}` };
  for (const [key, inner] of Object.entries(value)) {
    const found = foreignIn(inner, Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Outputs and promises are looked at by nobody until they have a value; resources and assets have a form of their own. */
function isKnownToPulumi(value: object): boolean {
  return (
    pulumi.Output.isInstance(value) ||
    value instanceof Promise ||
    pulumi.Resource.isInstance(value) ||
    pulumi.asset.Asset.isInstance(value) ||
    pulumi.asset.Archive.isInstance(value)
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm, such as a test runner's sandbox, has a prototype of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
