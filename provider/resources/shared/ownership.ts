import { ProviderError } from "../../service/errors";
import type { Deployment } from "./deployment";
import { PartialFailure } from "./partial-failure";
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
  if (!deployment.ledger.claim(object, isNew)) throw managedElsewhere(object);
}

/** Claims an object that is being adopted. If nothing is saved, nothing is claimed: another resource may still manage it. */
export async function claimWhile<T>({ ledger }: Deployment, object: string, adopt: () => Promise<T>): Promise<T> {
  const giveBack = ledger.claimForNow(object);
  if (giveBack === undefined) throw managedElsewhere(object);
  try {
    return await adopt();
  } catch (error) {
    if (!(error instanceof PartialFailure)) giveBack();
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
    code: "WA1311",
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
    code: "WA1311",
    what: `The ${object} is already managed by another resource of this deployment. Nothing was changed.`,
    next: ["Declare it once."],
  });
}

/** Refuses to delete an object that another resource was about to adopt, by the argument that takes its id. */
export function requireNoHeir(object: string, idArgument: string | undefined, { ledger }: Deployment): void {
  const fate = ledger.fateOf(object);
  // A campaign that is replaced is ended before anything else can fail to adopt it.
  if (idArgument === undefined || fate === "replaced" || fate === "ended") return;
  const heir = ledger.declaredBy(object);
  if (heir !== undefined)
    throw new ProviderError({
      code: "WA1312",
      what: `The ${object} was not deleted: "${heir}" declares it by its ${idArgument}, and has not adopted it.`,
      next: [`Fix the error of "${heir}", or of what it depends on, and run \`pulumi up\` again.`],
    });
}
