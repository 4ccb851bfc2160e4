import { partsOfUrn, typePrefix } from "../../provider/pulumi/urn";
import { companions, isKindName, type Kind, kinds } from "../../provider/registry";
import { Hidden, known, textOf, type Values } from "../../provider/review/hidden-values";
import { deletionPolicyOf } from "../../provider/resources/shared/ownership";
import type { Change } from "../../provider/review/kind-review";
import type { Plan, Step } from "./plan";

export interface Changes {
  readonly changes: readonly Change[];
  /** The resources that campaigns register for themselves. The report speaks of their campaigns instead. */
  readonly companions: readonly Change[];
  /** Resources of this package whose kind or step this version does not support. */
  readonly unsupported: readonly { name: string; what: string }[];
}

/** The parts of a `replace`. `--show-replacement-steps` lists them beside it. */
const partsOfReplace: readonly string[] = ["create-replacement", "delete-replaced"];

const actions: ReadonlyMap<string, Change["action"] | "nothing"> = new Map([
  ["create", "create"],
  ["create-replacement", "create"],
  ["update", "update"],
  ["replace", "replace"],
  ["delete", "delete"],
  // Without a `replace`: what an interrupted replacement left behind.
  ["delete-replaced", "delete"],
  ["same", "same"],
  ["refresh", "same"],
  ["remove-pending-replace", "nothing"],
]);

/** The steps that delete a resource, and with it those that are `deletedWith` it. */
const deletingSteps: readonly string[] = ["delete", "replace", "delete-replaced"];

export function changesIn({ steps }: Plan): Changes {
  const changes: Change[] = [];
  const ofCompanions: Change[] = [];
  const unsupported: { name: string; what: string }[] = [];
  const isRefreshed = steps.some(({ op }) => op === "refresh");
  const deleted = new Set(steps.filter(({ op }) => deletingSteps.includes(op)).map(({ urn }) => urn));
  for (const [urn, ofResource] of stepsByResource(steps)) {
    const { type, name } = partsOfUrn(urn);
    if (!type.startsWith(typePrefix)) continue;
    const kind = type.slice(typePrefix.length);
    const isCompanion = Object.hasOwn(companions, kind);
    for (const step of relevantSteps(ofResource, isCompanion)) {
      const action = actions.get(step.op);
      if (!isKindName(kind) && !isCompanion) unsupported.push({ name, what: kind });
      else if (action === undefined) unsupported.push({ name, what: step.op });
      else if (action !== "nothing") {
        // A refresh that does not find an object lists it as deleted and, unlike the others, not as refreshed.
        const isGone = action === "delete" && isRefreshed && ofResource.length === 1 && !isCompanion;
        (isCompanion ? ofCompanions : changes).push(changeOf(step, name, kind, isGone ? "gone" : action, deleted));
      }
    }
  }
  return { changes, companions: ofCompanions, unsupported };
}

export function kindOf({ kind }: Change): Kind {
  if (!isKindName(kind)) throw new Error(`internal error: unknown kind ${kind}`);
  return kinds[kind];
}

function stepsByResource(steps: readonly Step[]): Map<string, Step[]> {
  const found = new Map<string, Step[]>();
  for (const step of steps) found.set(step.urn, [...(found.get(step.urn) ?? []), step]);
  return found;
}

/**
 * The steps that show what happens. A refresh counts only if there is no other step. `withParts`: also the parts of a
 * replacement, among which may be those of an earlier one that was interrupted.
 */
function relevantSteps(steps: readonly Step[], withParts: boolean): readonly Step[] {
  const isReplaced = !withParts && steps.some(({ op }) => op === "replace");
  const rest = steps.filter(({ op }) => op !== "refresh" && !(isReplaced && partsOfReplace.includes(op)));
  return rest.length > 0 ? rest : steps.slice(0, 1);
}

function changeOf(
  step: Step,
  name: string,
  kind: string,
  action: Change["action"],
  deleted: ReadonlySet<string>,
): Change {
  const { oldState, newState } = step;
  return {
    name,
    urn: step.urn,
    kind,
    action,
    before: { ...oldState?.inputs, ...oldState?.outputs },
    after: newState?.inputs ?? {},
    reasons: step.replaceReasons ?? [],
    wasProtected: oldState?.protect ?? false,
    isProtected: newState?.protect ?? false,
    wasRetained: (oldState?.retainOnDelete ?? false) || deleted.has(oldState?.deletedWith ?? ""),
    isRetained: newState?.retainOnDelete ?? false,
  };
}

/** Whether the object is adopted instead of created. */
export function isAdopted(change: Change): boolean {
  const { adoptedBy } = kindOf(change).lifecycle;
  if (adoptedBy === undefined) return false;
  const value = change.after[adoptedBy];
  return value === true || typeof value === "string" || (value instanceof Hidden && adoptedBy !== "adopt");
}

/** What a destroy does with the object under the policy in the state. */
export function deletionPolicyBefore({ before, wasRetained }: Change): string {
  return wasRetained ? "retain" : policyIn(before, before);
}

/** What a later destroy does with the object, after this plan. */
export function deletionPolicyAfter({ before, after, isRetained }: Change): string {
  return isRetained ? "retain" : policyIn(after, before);
}

function policyIn(values: Values, state: Values): string {
  const policy = values["deletionPolicy"];
  // A hidden policy counts as the worst one.
  if (policy instanceof Hidden) return "delete";
  const origin = known(state["origin"]) === "adopted" ? "adopted" : "created";
  return deletionPolicyOf({ origin, deletionPolicy: textOf(values, "deletionPolicy") });
}
