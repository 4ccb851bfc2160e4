import { ProviderError } from "../../service/errors";
import type { Deployment } from "./deployment";
import { PartialFailure } from "./lifecycle";
import { showUrns, stateDelete } from "./state-delete";

/** Left out for objects that this stack created. It decides what destroy does where the program does not say. */
export type Origin = "adopted";

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
    if (error instanceof PartialFailure) claims.mayBeTakenAgain(object);
    else claims.giveBack(object, lease, wasManaged);
    throw error;
  }
}

const declareOnce =
  "Declare it once. If one of the two is the new name of the other, give the old name in the option aliases";

/** For the argument that adopts an object which a resource of the stack manages. */
export function isManagedAlready(object: string): string {
  return `names the ${object}, which another resource of this stack manages. ${declareOnce}`;
}

export function managedTwice(object: string): ProviderError {
  return new ProviderError({
    what: `The ${object} is managed by two resources of this stack. Nothing was changed.`,
    next: [
      `${declareOnce}, and leave out the id.`,
      `Otherwise remove one of them from the program and run \`pulumi up\` without --target and --exclude, or run ${stateDelete} for it: the object stays. ${showUrns} Do not use \`pulumi destroy --target\`: that may delete it.`,
    ],
  });
}

/** Only what the engine calls the host for is known. With --target, another resource may manage the object unseen. */
export const ifManagedUnseen = `This command adopts objects that exist already. If another resource of this stack manages one of them, do not destroy that resource: it would delete the object. If it was renamed, give its old name in the option aliases instead of the id. Otherwise run ${stateDelete} for it. ${showUrns}`;

function managedElsewhere(object: string): ProviderError {
  return new ProviderError({
    what: `The ${object} is already managed by another resource of this deployment. Nothing was changed.`,
    next: ["Declare it once."],
  });
}

/** An object that leaves the stack, and how another resource would adopt it. */
interface Leaving {
  readonly kind: string;
  readonly object: string;
  /** The argument that adopts it by its id, if there is one. */
  readonly idArgument?: string | undefined;
}

export const heirMayBeSkipped =
  "a resource failed in this command, so another one that would adopt this object may have been skipped";

/**
 * Refuses to delete an object that another resource was about to adopt, its heir. With --continue-on-error the engine
 * deletes what left the program although the heir failed or was skipped. Asked when no other resource manages the object.
 */
export function requireNoHeir(
  { kind, object, idArgument }: Leaving,
  { claims, declarations, failure }: Deployment,
): void {
  // A campaign that is replaced is ended before anything else can fail to adopt it.
  if (claims.isReplaced(object)) return;
  const heir = idArgument === undefined ? undefined : declarations.declaredBy(kind, object);
  if (idArgument !== undefined && heir !== undefined)
    throw new ProviderError({
      what: `The ${object} was not deleted: "${heir}" declares it by its ${idArgument}, and has not adopted it.`,
      next: [`Fix the error of "${heir}", or of what it depends on, and run \`pulumi up\` again.`],
    });
  if (failure.isSeen)
    throw new ProviderError({
      what: `The ${object} was not deleted: ${heirMayBeSkipped}.`,
      next: [
        "Fix the failure, and run `pulumi up` again. It deletes the object if nothing declares it.",
        `Only if no other resource should adopt it: \`pulumi destroy --target '<URN>'\` deletes it. ${showUrns}`,
      ],
    });
}
