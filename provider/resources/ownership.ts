import type { Deployment } from "../engine/lifecycle";
import { Refusal } from "../service/errors";

/**
 * Whether this stack found the object or made it, which decides what destroy does where the program does not say. Left
 * out of what it made; `created` is what the first states said.
 */
export type Origin = "created" | "adopted";

/** The program's choice, else `delete` for what this stack created and `retain` for what it adopted. */
export function policyOf<Policy extends string>(state: {
  origin?: Origin | undefined;
  deletionPolicy?: Policy | undefined;
}): Policy | "delete" | "retain" {
  return state.deletionPolicy ?? (state.origin === "adopted" ? "retain" : "delete");
}

/** Takes an object for one resource; a second one in the same deployment would undo what the first does. */
export function claim(deployment: Deployment, object: string, isNew = false): void {
  if (!deployment.claims.take(object, isNew)) throw managedElsewhere(object);
}

/** The same for an object that was only found: one that a resource of the program manages already is not free. */
export function claimFound(deployment: Deployment, object: string): void {
  if (deployment.claims.has(object)) throw managedElsewhere(object);
  claim(deployment, object);
}

function managedElsewhere(object: string): Refusal {
  return new Refusal(
    `The ${object} is managed by another resource of this deployment already. Declare it once; nothing was changed.`,
  );
}
