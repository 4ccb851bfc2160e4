import type { Values } from "../../provider/review/hidden-values";
import type { Change } from "../../provider/review/kind-review";
import { kindOf } from "./changes";

/** Objects that pass from one resource of the program to another, for example when it is renamed. They are not deleted. */
export interface Transfers {
  /** The resource that manages the object of this one from now on. */
  newOwnerOf(change: Change): Change | undefined;
  /** The resource that managed the object of this one until now. */
  previousOwnerOf(change: Change): Change | undefined;
}

export function transfersIn(changes: readonly Change[]): Transfers {
  const declaredBy = new Map<string, Change>();
  for (const change of changes.filter(({ action }) => action === "create" || action === "replace"))
    for (const object of objectsIn(change, change.after)) declaredBy.set(object, change);
  const newOwners = new Map<Change, Change>();
  const previousOwners = new Map<Change, Change>();
  for (const change of changes.filter(({ action }) => action === "delete" || action === "replace")) {
    const newOwner = objectsIn(change, change.before, survivingName(change))
      .map((object) => declaredBy.get(object))
      .find((other) => other !== undefined && other.urn !== change.urn);
    if (newOwner === undefined) continue;
    newOwners.set(change, newOwner);
    previousOwners.set(newOwner, change);
  }
  return {
    newOwnerOf: (change) => newOwners.get(change),
    previousOwnerOf: (change) => previousOwners.get(change),
  };
}

/**
 * The argument by which another resource must name the object, so that this one does not delete it first. Undefined: any
 * of its names is enough.
 */
function survivingName(change: Change): string | undefined {
  const { deleteBeforeReplace, adoptedBy } = kindOf(change).lifecycle;
  return change.action === "replace" && deleteBeforeReplace === true ? adoptedBy : undefined;
}

/** The object under each of its names. A name with a hidden part is left out. `required`: an argument of the name. */
function objectsIn(change: Change, values: Values, required?: string): string[] {
  return (kindOf(change).lifecycle.declares ?? [])
    .map(({ properties }): readonly string[] => properties)
    .filter((names) => required === undefined || names.includes(required))
    .filter((names) => names.every((name) => typeof values[name] === "string"))
    .map((names) => JSON.stringify([change.kind, names, names.map((name) => values[name])]));
}
