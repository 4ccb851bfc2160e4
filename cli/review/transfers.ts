import type { Values } from "./hidden-values";
import type { Change } from "./kind-review";
import { deletionPolicyBefore, kindOf } from "./changes";

/** Objects that pass from one resource of the program to another, for example when it is renamed. They are not deleted. */
export interface Transfers {
  /** The resource that manages the object of this one from now on. */
  newOwnerOf(change: Change): Change | undefined;
  /** The resource that adopts the object of this one, which is deleted all the same, or may be. */
  rivalOf(change: Change): Change | undefined;
  /** Whether this resource adopts the object of another one, which is deleted all the same, or may be. */
  isRival(change: Change): boolean;
  /** The resource that managed the object of this one until now. */
  previousOwnerOf(change: Change): Change | undefined;
}

export function transfersIn(changes: readonly Change[]): Transfers {
  const declaredBy = new Map<string, Change>();
  for (const change of changes.filter(({ action }) => action === "create" || action === "replace"))
    for (const object of objectsIn(change, change.after)) declaredBy.set(object, change);
  const newOwners = new Map<Change, Change>();
  const rivals = new Map<Change, Change>();
  const previousOwners = new Map<Change, Change>();
  const leaving = changes.filter(
    ({ action, isPendingReplacement }) => (action === "delete" || action === "replace") && !isPendingReplacement,
  );
  for (const change of leaving) {
    const newOwner = objectsIn(change, change.before)
      .map((object) => declaredBy.get(object))
      .find((other) => other !== undefined && other.urn !== change.urn);
    if (newOwner === undefined) continue;
    const isKept = deletionPolicyBefore(change) === "retain" || (change.isDeletedLast && isSeenBy(newOwner, change));
    if (isKept) {
      newOwners.set(change, newOwner);
      previousOwners.set(newOwner, change);
    } else rivals.set(change, newOwner);
  }
  return {
    newOwnerOf: (change) => newOwners.get(change),
    rivalOf: (change) => rivals.get(change),
    isRival: (change) => [...rivals.values()].includes(change),
    previousOwnerOf: (change) => previousOwners.get(change),
  };
}

/** Another provider is another process, which does not know what this one adopts. */
export function isSeenBy({ providerAfter }: Change, { providerBefore }: Change): boolean {
  return providerAfter === providerBefore;
}

/** The object under each name by which it can be adopted. A name with a hidden part is left out. */
function objectsIn(change: Change, values: Values): string[] {
  const { declares = [], adoptedBy } = kindOf(change).lifecycle;
  const byId = declares.filter(({ properties }) => adoptedBy !== undefined && properties.includes(adoptedBy));
  return (byId.length > 0 ? byId : declares)
    .map(({ properties }): readonly string[] => properties)
    .filter((names) => names.every((name) => typeof values[name] === "string"))
    .map((names) => JSON.stringify([change.kind, names, names.map((name) => values[name])]));
}
