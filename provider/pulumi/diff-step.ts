import { canonicalJson } from "../resources/shared/compare";
import type { Deployment } from "../resources/shared/deployment";
import type { Lifecycle } from "../resources/shared/lifecycle";
import { managedTwice } from "../resources/shared/ownership";
import { ProviderError } from "../service/errors";
import { declaredObjects } from "./check-step";
import { changedArguments } from "./changed-arguments";
import { differingFromImport } from "./imported";
import {
  unfinishedIn,
  givesId,
  idArgumentIn,
  importNoteIn,
  isImport,
  leaseIn,
  mayExist,
  objectIn,
  type Properties,
  requireSameBaseUrl,
  visible,
} from "./saved";
import { hasUnknown, withoutUnknown } from "./unknown";

export interface Difference {
  readonly isChanged: boolean;
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
}

/** Compares the state with the program, and refuses what must not happen. `checked`: the inputs that were checked. */
export function diffStep<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  checked: ReadonlySet<string>,
) {
  return (olds: Properties, news: Properties, currentDeployment: () => Deployment): Difference => {
    const state = olds as State;
    const inputs = visible(news) as Inputs;
    const isRefresh = !checked.has(canonicalJson(inputs));
    const deployment = isRefresh ? undefined : currentDeployment();
    const unfinished = unfinishedIn(olds);
    const hasMoreToDo = unfinished !== undefined || (lifecycle.hasMoreToDo?.(state, deployment) ?? false);
    const replacement = replacementIn(lifecycle, olds, inputs);
    const { changed, replaces } = replacement;
    const difference = { isChanged: changed.length > 0 || hasMoreToDo, changed, replaces };
    if (deployment === undefined) return difference;
    requireSameBaseUrl(lifecycle, olds, deployment);
    if (unfinished !== undefined) {
      deployment.logOnce(mayExist(objectIn(lifecycle, olds)));
      return difference;
    }
    // Refused by the update, which can save that: the engine has saved the import already.
    if (isImport(olds, deployment) && differingFromImport(lifecycle, state, inputs).length > 0)
      return { isChanged: true, changed: [], replaces: [] };
    checkPlan(lifecycle, olds, inputs, replacement, deployment);
    lifecycle.planned?.(state, inputs, replaces.length > 0, deployment);
    return { ...difference, isChanged: difference.isChanged || importNoteIn(olds)?.isRefused === true };
  };
}

interface Replacement<Key> {
  readonly changed: readonly Key[];
  /** The changed arguments that replace the object, unless a value that is not known yet turns out to be the same. */
  readonly mayReplace: readonly Key[];
  readonly replaces: readonly Key[];
  /** Whether a known value replaces it, whatever the others turn out to be. */
  readonly isCertain: boolean;
}

function replacementIn<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  olds: Properties,
  inputs: Inputs,
): Replacement<keyof Inputs & string> {
  const state = olds as State;
  const changed = changedArguments(lifecycle, state, inputs);
  const identifies = (given: Inputs): boolean =>
    unfinishedIn(olds) === undefined
      ? (lifecycle.identifiesUnfinished?.(state, given) ?? false)
      : givesId(lifecycle, given);
  const mayBeIdentified = identifies(inputs);
  // An id that is not known yet may turn out to be left out.
  const isIdentified = identifies(withoutUnknown(inputs));
  const { leftOut = [] } = importNoteIn(olds) ?? {};
  const mayReplace = changed
    .filter((key) => lifecycle.replacedBy.includes(key) && !isIdentified && !leftOut.includes(key))
    .filter((key) => key !== lifecycle.adoptedBy || !mayBeIdentified);
  const isKnown = (key: keyof Inputs): boolean => !hasUnknown(inputs[key]);
  // Pulumi deletes first what would be replaced after a dependency. Nothing is deleted for a value that is not known.
  const replaces = mayReplace.filter((key) => lifecycle.deleteBeforeReplace !== true || isKnown(key));
  return { changed, mayReplace, replaces, isCertain: !mayBeIdentified && replaces.some(isKnown) };
}

/** Says what a preview must say, and throws where the object must not be replaced or another resource manages it. */
function checkPlan<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  olds: Properties,
  inputs: Inputs,
  { mayReplace, replaces, isCertain }: Replacement<keyof Inputs & string>,
  deployment: Deployment,
): void {
  const state = olds as State;
  const object = lifecycle.objectName(state);
  const isReplaced = replaces.length > 0;
  const message = lifecycle.previewMessage?.(state, withoutUnknown(inputs), isReplaced, deployment);
  if (message !== undefined) deployment.logOnce(message);
  if (mayReplace.length > 0 && !isReplaced)
    deployment.logOnce(
      `The ${object} may be replaced, which deletes it: this preview does not know ${mayReplace.join(", ")}. If the value stays the same, the object stays.`,
    );
  const refusal = isCertain ? lifecycle.replacementRefusal?.(state, inputs, deployment) : undefined;
  // An object that is about to be replaced is free: another resource may adopt it.
  if (!isReplaced || refusal !== undefined) reclaim(lifecycle, olds, inputs, deployment);
  if (refusal !== undefined)
    throw new ProviderError({
      ...refusal,
      what: `The program and the ${object} differ in ${replaces.join(", ")}, and that would replace it. ${refusal.what}`,
    });
}

/** Claims the object of a resource that stays. A second one that manages it, or declares it by its id, is refused. */
function reclaim<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  olds: Properties,
  inputs: Inputs,
  { ledger }: Deployment,
): void {
  const object = lifecycle.objectName(olds as State);
  const isOwn = declaredObjects(lifecycle, inputs).some((declared) => declared.object === object);
  const hasId = idArgumentIn(lifecycle, olds as State) !== undefined;
  const isDeclaredElsewhere = hasId && !isOwn && ledger.declaredBy(object) !== undefined;
  if (!ledger.reclaim(object, leaseIn(olds)) || isDeclaredElsewhere) throw managedTwice(object);
}
