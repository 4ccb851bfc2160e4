import { partsOfUrn } from "./urn";

/*
 * Inputs by which the class tells the host what the engine does not. `check` removes them. Two stay in the state:
 * `__provider`, which the dynamic host adds again, and the id of a companion.
 */

/** The resource's place, `project/stack/[parent/]name`. Given only where something depends on it. */
export const placeKey = "__declaredAs";

/** What the resource gets of its companion, such as a campaign of its launch intent. */
export const companionKey = "__companion";

/**
 * The companion's id, in the packaged form. Programs in other languages declare the companion themselves, and give its id as
 * an argument. It stays among the inputs in state, which tell whether the program names the companion no longer.
 */
export const companionIdKey = "launchIntent";

/** The version of the classes and functions of the packaged form, given with every resource, Provider and look-up. */
export const classVersionKey = "__classVersion";

/** The text by which the dynamic host finds the package. */
export const storedProviderKey = "__provider";

export const hiddenInputs: readonly string[] = [
  placeKey,
  companionKey,
  companionIdKey,
  classVersionKey,
  storedProviderKey,
];

/** The place of a resource whose class does not give it. Its parents are known by their types, as in the URN. */
export function placeIn(urn: string): string {
  const { project, stack, parents, name } = partsOfUrn(urn);
  return [project, stack, ...(parents === "" ? [] : [parents]), name].join("/");
}

/** The resource's name in a place. */
export function nameIn(place: string): string {
  return place.replace(/^[^/]*\/[^/]*\//, "");
}
