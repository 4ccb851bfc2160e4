import { createHash } from "node:crypto";
import { partsOfUrn } from "./urn";

/*
 * Inputs by which the class tells the host what the engine does not. `check` removes them. Two stay in the state:
 * `__provider`, which the dynamic host adds again, and `__identity`, which `create` needs.
 */

/** The resource's place, `project/stack/[parent/]name`. Given only where something depends on it. */
export const placeKey = "__declaredAs";

/** The resource's own name. Given only where an argument defaults to it. */
export const nameKey = "__resourceName";

/** The digits of the resource. Given only to kinds that may have to tell a repeated create from another one. */
export const resourceDigitsKey = "__identity";

/** Digits that only this resource has: a hash of its URN, and of its organization where that is known. */
export function resourceDigitsOf(urn: string, organization = ""): string {
  return createHash("sha256").update(`${organization} ${urn}`).digest("hex").slice(0, 7);
}

/** The text by which the dynamic host finds the package. */
export const locatorKey = "__provider";

/** The package's entry for the dynamic host, as named in `exports` of its package.json. */
const runtimeEntry = "pulumi-workspace-apps/runtime";

/**
 * The text that every dynamic resource stores as its provider. It only locates the installed package. Refresh and destroy
 * run the text of the last `up`, however old, so it is the same on every machine and in every version.
 */
export function locatorOf(kind: string): string {
  return `exports.handler=()=>require("${runtimeEntry}").${kind}`;
}

export const hiddenInputs: readonly string[] = [placeKey, nameKey, resourceDigitsKey, locatorKey];

/** The place of a resource whose class does not give it. Its parents are known by their types, as in the URN. */
export function placeIn(urn: string): string {
  const { project, stack, parents, name } = partsOfUrn(urn);
  return [project, stack, ...(parents === "" ? [] : [parents]), name].join("/");
}

/** The resource's name in a place. */
export function nameIn(place: string): string {
  return place.replace(/^[^/]*\/[^/]*\//, "");
}
