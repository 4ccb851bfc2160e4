import { kindOfType, partsOfUrn } from "../../provider/pulumi/urn";
import { type AnyLifecycle, companions, isKindName, kinds } from "../../provider/registry";
import { configNamespace } from "../../provider/settings";
import { Hidden, known, textOf, type Values } from "./hidden-values";
import { argumentsInImportId } from "../../provider/resources/shared/importing";
import { deletionPolicyOf } from "../../provider/resources/shared/ownership";
import { unfinishedKey } from "../../provider/resources/shared/unfinished-create";
import type { Change, KindReview } from "./kind-review";
import { reviews } from "./kinds";
import { isDeletedLast, isSparedByDeletedWith, partsOfReplacement, splitRefresh } from "./engine-order";
import type { Plan, Step } from "./plan";

export interface Changes {
  readonly changes: readonly Change[];
  /** The resources that campaigns register for themselves. The report speaks of their campaigns instead. */
  readonly companions: readonly Change[];
  /** Resources of this package whose kind or step this version does not support. */
  readonly unsupported: readonly { name: string; what: string }[];
}

/** The effect of each step. Steps without a value do nothing. */
const actions: ReadonlyMap<string, Change["action"] | undefined> = new Map([
  ["create", "create"],
  ["create-replacement", "create"],
  ["import", "create"],
  ["import-replacement", "create"],
  ["update", "update"],
  ["replace", "replace"],
  ["delete", "delete"],
  ["delete-replaced", "delete"],
  ["same", "same"],
  ["refresh", "same"],
  ["remove-pending-replace", undefined],
  // The stack does not manage a resource that `get` reads.
  ["read", undefined],
  ["discard", undefined],
  ["discard-replaced", undefined],
]);

export function changesIn({ steps }: Plan): Changes {
  const changes: Change[] = [];
  const ofCompanions: Change[] = [];
  const unsupported: { name: string; what: string }[] = [];
  const refreshed = new Set(splitRefresh(steps).refresh);
  for (const [urn, ofResource] of stepsByResource(steps)) {
    const { type, name } = partsOfUrn(urn);
    const kind = kindOfType(type);
    if (kind === undefined) {
      if (type.startsWith(`${configNamespace}:`)) unsupported.push({ name, what: type });
      continue;
    }
    const isCompanion = Object.hasOwn(companions, kind);
    for (const { step, isGone, deletion, isPending, imported } of relevantSteps(ofResource, refreshed)) {
      const isSupported = isKindName(kind) || isCompanion;
      if (!isSupported || !actions.has(step.op)) unsupported.push({ name, what: isSupported ? step.op : kind });
      const action = isGone ? "gone" : actions.get(step.op);
      if (!isSupported || action === undefined || (isCompanion && isGone)) continue;
      (isCompanion ? ofCompanions : changes).push({
        ...valuesIn(step, kind, action, imported),
        name,
        urn,
        urnBefore: step.oldState?.urn ?? urn,
        kind,
        action,
        // `--replace` gives the reason `id`, which is no argument.
        reasons: (step.replaceReasons ?? []).filter((reason) => reason !== "id"),
        isImported: imported !== undefined,
        isPendingReplacement: isPending,
        isDeletedLast: deletion !== undefined && isDeletedLast(deletion),
        wasProtected: step.oldState?.protect ?? false,
        isProtected: step.newState?.protect ?? false,
        wasRetained:
          (step.oldState?.retainOnDelete ?? false) ||
          (deletion !== undefined && isSparedByDeletedWith(deletion, steps)),
        isRetained: step.newState?.retainOnDelete ?? false,
        providerBefore: step.oldState?.provider ?? undefined,
        providerAfter: step.newState?.provider ?? undefined,
      });
    }
  }
  return { changes, companions: ofCompanions, unsupported };
}

/** The lifecycle of a kind, and its part of the review. */
export function kindOf({ kind }: Change): { lifecycle: AnyLifecycle; review: KindReview } {
  if (!isKindName(kind)) throw new Error(`internal error: unknown kind ${kind}`);
  return { lifecycle: kinds[kind], review: reviews[kind] };
}

function stepsByResource(steps: readonly Step[]): Map<string, Step[]> {
  const found = new Map<string, Step[]>();
  for (const step of steps) found.set(step.urn, [...(found.get(step.urn) ?? []), step]);
  return found;
}

/** A step that shows what happens to a resource. */
interface RelevantStep {
  readonly step: Step;
  /** A refresh did not find the object. */
  readonly isGone?: boolean;
  /** Where the object is deleted. */
  readonly deletion?: Step | undefined;
  /** Where the object is imported. */
  readonly imported?: Step | undefined;
  /** The object was deleted by an earlier command, which did not get to its replacement. */
  readonly isPending: boolean;
}

/** A refresh counts only if there is no other step. The parts of a replacement are shown as one step. */
function relevantSteps(ofResource: readonly Step[], refreshed: ReadonlySet<Step>): readonly RelevantStep[] {
  const refresh = ofResource.filter((step) => refreshed.has(step));
  const rest = ofResource.filter((step) => !refreshed.has(step));
  const gone = refresh.filter(({ op }) => op === "delete").map((step) => ({ step, isGone: true, isPending: false }));
  const replacement = rest.find(({ op }) => op === "replace");
  const { deletion, creation } = replacement === undefined ? {} : partsOfReplacement(replacement, rest);
  const found = rest
    .filter((step) => step !== deletion && step !== creation && exists(step))
    .map((step) => ({
      step,
      deletion: step === replacement ? deletion : step,
      imported: [step === replacement ? creation : step].find((one) => one !== undefined && isImport(one)),
      isPending: step === replacement && creation !== undefined && deletion === undefined,
    }));
  if (gone.length + rest.length > 0) return [...gone, ...found];
  return refresh.slice(0, 1).map((step) => ({ step, isPending: false }));
}

function isImport({ op }: Step): boolean {
  return op === "import" || op === "import-replacement";
}

/** With `--target`, a new resource that is not a target is listed as unchanged, without an id. */
function exists({ op, oldState }: Step): boolean {
  return op !== "same" || Boolean(oldState?.id);
}

/**
 * The values before and after. The outputs in the state are what was last true in the service. If the last command did not
 * finish, arguments that change in place may have another value there.
 */
function valuesIn({ oldState, newState }: Step, kind: string, action: Change["action"], imported: Step | undefined) {
  const { inputs = {}, outputs = {}, initErrors } = oldState ?? {};
  const before = Object.keys(outputs).length > 0 ? outputs : inputs;
  const after = { ...idArguments(kind, imported), ...newState?.inputs };
  const isUnfinished = action === "update" && (initErrors ?? []).length > 0;
  if (!isUnfinished || !isKindName(kind)) return { before, after };
  const { inputs: schema, replacedBy } = kinds[kind];
  const inPlace = Object.keys(schema.shape)
    .filter((name) => name in before && name in after)
    // The policy is only remembered.
    .filter((name) => name !== "deletionPolicy" && !replacedBy.includes(name));
  return {
    before: { ...before, ...Object.fromEntries(inPlace.map((name) => [name, new Hidden("not known yet")])) },
    after,
  };
}

/** The arguments in the id of an imported object. They tell which one it is, and a program leaves them out. */
function idArguments(kind: string, imported: Step | undefined): Values {
  const id = imported?.newState?.importID;
  const importing = isKindName(kind) ? kinds[kind].importing : undefined;
  return id && importing ? (argumentsInImportId(importing, id) ?? {}) : {};
}

/** Whether the state has only an uncertain create. */
export function isUnfinishedCreate({ before }: Pick<Change, "before">): boolean {
  return unfinishedKey in before;
}

/** Whether the object is surely adopted or imported instead of created. */
export function isAdopted(change: Change): boolean {
  const value = adoptingArgument(change);
  return change.isImported || value === true || typeof value === "string";
}

/** Whether the object may be adopted. An argument that is hidden may turn out to be left out, and the object is created. */
export function mayBeAdopted(change: Change): boolean {
  return isAdopted(change) || adoptingArgument(change) instanceof Hidden;
}

function adoptingArgument(change: Change): unknown {
  const { adoptedBy } = kindOf(change).lifecycle;
  return adoptedBy === undefined ? undefined : change.after[adoptedBy];
}

/** The effect of a destroy on the object, under the policy in the state. */
export function deletionPolicyBefore({ before, wasRetained }: Change): string {
  return wasRetained ? "retain" : policyIn(before, before);
}

/** The effect of a later destroy on the object, after this plan. */
export function deletionPolicyAfter({ before, after, isRetained }: Change): string {
  return isRetained ? "retain" : policyIn(after, before);
}

function policyIn(values: Values, state: Values): string {
  const policy = values["deletionPolicy"];
  // A hidden policy counts as the worst one.
  if (policy instanceof Hidden) return "delete";
  const origin = known(state["origin"]) === "adopted" ? "adopted" : undefined;
  return deletionPolicyOf({ origin, deletionPolicy: textOf(values, "deletionPolicy") });
}
