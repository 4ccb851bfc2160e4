import type { Step } from "./plan";

/*
 * The engine's order of deletions, where it decides what becomes of an object. A plan lists steps in the engine's order.
 * The rules come from pulumi/pkg 3.259, folder resource/deploy.
 */

/**
 * Whether a deletion comes after everything else that the command does (`GenerateDeletes`). A resource that is deleted
 * before it is replaced is deleted earlier. So is every resource that depends on it, even one that is not in the program
 * (`continueStepsFromDiff`, `calculateDependentReplacements`).
 */
export function isDeletedLast({ op, oldState }: Step): boolean {
  // The engine marks an object for deletion when its replacement was created first.
  const isMarked = oldState?.delete === true;
  return op === "delete" ? !isMarked : op === "delete-replaced" && isMarked;
}

/**
 * Whether `deletedWith` spares the object (`DeleteStep.Apply`). The engine looks for the other resource among those that it
 * deletes last. One that is deleted before it is replaced is not among them.
 */
export function isSparedByDeletedWith(step: Step, steps: readonly Step[]): boolean {
  const other = step.oldState?.deletedWith;
  if (!other || !isDeletedLast(step)) return false;
  return steps.some((deletion) => deletion.urn === other && isDeletedLast(deletion));
}

/**
 * Resources that stop depending on one that is deleted before it is replaced, and those that depend on them. Pulumi deletes
 * and replaces them too if it has not come to them yet (`calculateDependentReplacements`). Nothing decides who comes first, so
 * an `up` may do what its preview did not.
 */
export function mayBeReplacedToo(steps: readonly Step[]): ReadonlySet<string> {
  const deletedFirst = new Set(
    steps.filter((step) => step.op === "delete-replaced" && !isDeletedLast(step)).map(({ urn }) => urn),
  );
  const found = new Set<string>();
  const isNext = ({ urn, oldState, newState }: Step): boolean =>
    Boolean(newState) &&
    !deletedFirst.has(urn) &&
    !found.has(urn) &&
    Object.values(oldState?.propertyDependencies ?? {})
      .flatMap((urns) => urns ?? [])
      .some((other) => found.has(other) || (deletedFirst.has(other) && !newState?.dependencies?.includes(other)));
  for (let next = steps.filter(isNext); next.length > 0; next = steps.filter(isNext))
    for (const { urn } of next) found.add(urn);
  return found;
}

/**
 * Splits off the steps of the refresh that `--refresh` runs first. A refreshed resource is listed as `refresh`, or as the
 * `update` or `delete` that the refresh found (`ShowPreviewDigest`). Each appears once before the first step of the program.
 */
export function splitRefresh(steps: readonly Step[]): { refresh: readonly Step[]; rest: readonly Step[] } {
  if (!steps.some(({ op }) => op === "refresh")) return { refresh: [], rest: steps };
  const refreshed = new Set<string>();
  const end = steps.findIndex(({ op, urn }) => {
    if (!["refresh", "update", "delete"].includes(op) || (op !== "refresh" && refreshed.has(urn))) return true;
    if (op === "refresh") refreshed.add(urn);
    return false;
  });
  return end === -1 ? { refresh: steps, rest: [] } : { refresh: steps.slice(0, end), rest: steps.slice(end) };
}

/**
 * The number of unchanged resources that a plan does not list, as without `--show-sames`. `unchanged`: how many there are. A
 * plan that only refreshes lists every resource, and none as `same`.
 */
export function unlistedIn(steps: readonly Step[], unchanged: number): number {
  const isRefreshOnly = steps.length > 0 && splitRefresh(steps).rest.length === 0;
  return isRefreshOnly ? 0 : Math.max(0, unchanged - steps.filter(({ op }) => op === "same").length);
}

/**
 * Whether a plan was surely made with `--show-replacement-steps` (`shouldShow`). Then it lists every pending deletion that
 * the command carries out. `--target` and `--exclude` may leave some out (`GenerateDeletes`).
 */
export function showsReplacementSteps(steps: readonly Step[]): boolean {
  return steps.some(({ op }) => ["create-replacement", "import-replacement", "delete-replaced"].includes(op));
}

/** The steps that delete and create the object of a replacement. `--show-replacement-steps` lists them. */
export interface ReplacementParts {
  /** Undefined if an earlier command has deleted it: the replacement is pending. */
  readonly deletion: Step | undefined;
  readonly creation: Step | undefined;
}

/** `ofResource`: all steps with the URN of the replacement. An interrupted replacement may have left more deletions there. */
export function partsOfReplacement({ oldState }: Step, ofResource: readonly Step[]): ReplacementParts {
  return {
    deletion: ofResource.find((step) => step.op === "delete-replaced" && step.oldState?.id === oldState?.id),
    creation: ofResource.find(({ op }) => op === "create-replacement" || op === "import-replacement"),
  };
}
