import { partsOfUrn } from "../../provider/pulumi/urn";
import { listed, type Phrase, phrase, words } from "./phrase";
import { mayBeReplacedToo, showsReplacementSteps, splitRefresh, unlistedIn } from "./engine-order";
import { isOfPackage, type StateResource } from "../stack-state";
import type { Plan, Step } from "./plan";

/* Whether a plan accounts for the resources of the stack's state. */

/** The parts that a review could not see, because something was left out. A gate cannot be judged then. */
export function unseenBy(plan: Plan, state: readonly StateResource[] | undefined): Phrase[] {
  const { refresh, rest } = splitRefresh(plan.steps);
  const unordered = [...mayBeReplacedToo(rest)].filter(isOfPackage);
  const isCut = rest.some(({ op }) => op === "replace") && !showsReplacementSteps(rest);
  return [
    ...(isCut
      ? [words("the plan was made without --show-replacement-steps, so the order of deletions is not known")]
      : []),
    ...(unordered.length > 0
      ? [
          phrase`Pulumi may also delete and replace ${namesOf(unordered)}, or not. A dependency on a resource that is deleted before it is replaced goes away, and nothing decides which of them comes first. Remove the dependency in one \`up\`, and change the other resource in the next`,
        ]
      : []),
    ...(state === undefined
      ? [words("without --state FILE (`pulumi stack export`) it is not known whether the plan lists every resource")]
      : differences(state, {
          missed: refresh.filter(isMissedIn(plan)),
          steps: rest.length > 0 ? rest : refresh,
          isRefreshed: refresh.length > 0,
          hasFailed: plan.errors.count > 0,
        })),
  ];
}

/**
 * Tells the steps of a refresh that did not find the object. Pulumi lists some of them as if it had found it. In a plan that
 * lists every unchanged resource, no other step follows for that object.
 */
function isMissedIn({ steps, unchanged }: Plan): (step: Step) => boolean {
  const isWhole = unchanged > 0 && unlistedIn(steps, unchanged) === 0;
  const left = new Set(splitRefresh(steps).rest.flatMap(({ urn, oldState }) => (oldState?.id ? [urn] : [])));
  return ({ op, urn, oldState }) => op === "delete" || (isWhole && !left.has(urn) && oldState?.delete !== true);
}

/** The steps that a plan lists. */
interface Listed {
  /** The steps of a refresh that did not find the object. */
  readonly missed: readonly Step[];
  readonly steps: readonly Step[];
  readonly isRefreshed: boolean;
  /** A failed preview leaves resources out, whatever its options. */
  readonly hasFailed: boolean;
}

/** Where the plan and the state do not have the same resources. */
function differences(state: readonly StateResource[], { missed, steps, isRefreshed, hasFailed }: Listed): Phrase[] {
  const inPlan = [...missed, ...steps].flatMap(({ urn, oldState }) =>
    oldState?.id && isOfPackage(oldState.urn ?? urn) ? [{ ...oldState, urn: oldState.urn ?? urn }] : [],
  );
  const isLeftAlone = showsReplacementSteps(steps);
  const missing = state
    // Nothing is left of the object of a pending replacement. A plan may drop it silently.
    .filter(({ pendingReplacement }) => pendingReplacement !== true)
    .filter((one) => !(one.delete === true && isLeftAlone))
    .filter((one) => !inPlan.some((other) => isSame(one, other, isRefreshed)));
  // By the time of the last change, so that an older export of the same objects is noticed too.
  const other = inPlan.filter(
    ({ urn, id, modified }) =>
      !state.some((one) => one.urn === urn && (isRefreshed || (one.id === id && one.modified === modified))),
  );
  return [
    ...(missing.length > 0
      ? [
          hasFailed
            ? phrase`the plan does not list ${namesOf(missing.map(({ urn }) => urn))} of the state, because the preview failed`
            : phrase`the plan does not list ${namesOf(missing.map(({ urn }) => urn))} of the state. Run \`pulumi preview\` with --show-sames and --show-replacement-steps, and without --target and --exclude if a deletion is pending. Export the state that it was made from`,
        ]
      : []),
    ...(other.length > 0
      ? [
          phrase`the state is not the one that the plan was made from (see ${namesOf(other.map(({ urn }) => urn))}): export it together with the preview`,
        ]
      : []),
  ];
}

/** A pending deletion may have the URN and the id of the resource that stays. A refresh may learn another id. */
function isSame(one: StateResource, other: StateResource, isRefreshed: boolean): boolean {
  const isSameCopy = one.urn === other.urn && (one.delete ?? false) === (other.delete ?? false);
  return isSameCopy && (isRefreshed || one.id === other.id);
}

function namesOf(urns: readonly string[]): Phrase {
  return listed([...new Set(urns.map((urn) => partsOfUrn(urn).name))]);
}
