import { ProviderError } from "../../service/errors";
import type { Deployment } from "./deployment";
import { PartialFailure } from "./lifecycle";

/**
 * Whether this stack found the object or created it, which decides what destroy does where the program does not say.
 * Left out for objects that it created; the first states said `created`.
 */
export type Origin = "created" | "adopted";

/** The program's choice, else `delete` for what this stack created and `retain` for what it adopted. */
export function deletionPolicyOf<Policy extends string>(state: {
  origin?: Origin | undefined;
  deletionPolicy?: Policy | undefined;
}): Policy | "delete" | "retain" {
  return state.deletionPolicy ?? (state.origin === "adopted" ? "retain" : "delete");
}

/** Claims an object for one resource. A second one in the same deployment would undo what the first does. */
export function claim(deployment: Deployment, object: string, isNew = false): void {
  if (!deployment.claims.take(object, isNew)) throw managedElsewhere(object);
}

/** Claims an object that is being adopted. If that fails, nothing is claimed: another resource may still manage it. */
export async function claimWhile<T>(deployment: Deployment, object: string, adopt: () => Promise<T>): Promise<T> {
  const { claims } = deployment;
  const [lease, wasManaged] = [claims.leaseOf(object), claims.has(object)];
  claim(deployment, object);
  try {
    return await adopt();
  } catch (error) {
    if (!(error instanceof PartialFailure)) claims.giveBack(object, lease, wasManaged);
    throw error;
  }
}

/** Claims an object that was only found: it must not be one that another resource manages already. */
export function claimFound(deployment: Deployment, object: string): void {
  if (deployment.claims.has(object)) throw managedElsewhere(object);
  claim(deployment, object);
}

function managedElsewhere(object: string): ProviderError {
  return new ProviderError({
    what: `The ${object} is already managed by another resource of this deployment. Nothing was changed.`,
    next: ["Declare it once."],
  });
}
