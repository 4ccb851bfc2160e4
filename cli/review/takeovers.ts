import type { Change } from "../../provider/resources/shared/review";
import { kindOf } from "./changes";
import type { Values } from "../../provider/resources/shared/hidden-values";

/** Which resource's object another resource of the program takes over: after a renaming, say, nothing is deleted. */
export interface Takeovers {
  /** The resource that goes on with the object of this one. */
  heirOf(change: Change): Change | undefined;
  /** The resource whose object this one goes on with. */
  formerOf(change: Change): Change | undefined;
}

export function takeoversIn(changes: readonly Change[]): Takeovers {
  const declaredBy = new Map<string, Change>();
  for (const change of changes.filter(({ action }) => action === "create" || action === "replace"))
    for (const object of objectsIn(change, change.after)) declaredBy.set(object, change);
  const heirs = new Map<Change, Change>();
  const formers = new Map<Change, Change>();
  for (const change of changes.filter(({ action }) => action === "delete" || action === "replace")) {
    const heir = objectsIn(change, change.before, nameThatKeeps(change))
      .map((object) => declaredBy.get(object))
      .find((other) => other !== undefined && other.urn !== change.urn);
    if (heir === undefined) continue;
    heirs.set(change, heir);
    formers.set(heir, change);
  }
  return { heirOf: (change) => heirs.get(change), formerOf: (change) => formers.get(change) };
}

/** What an object's name must hold, so that it outlives its own resource; undefined: any name does. */
function nameThatKeeps(change: Change): string | undefined {
  const { deleteBeforeReplace, adoptedBy } = kindOf(change).lifecycle;
  return change.action === "replace" && deleteBeforeReplace === true ? adoptedBy : undefined;
}

/** The object under each of its names; a name of which a part is hidden is none. */
function objectsIn(change: Change, values: Values, part?: string): string[] {
  return (kindOf(change).lifecycle.declares ?? [])
    .map(({ properties }): readonly string[] => properties)
    .filter((names) => part === undefined || names.includes(part))
    .filter((names) => names.every((name) => typeof values[name] === "string"))
    .map((names) => JSON.stringify([change.kind, names, names.map((name) => values[name])]));
}
