import type { Plan, Step } from "./plan";

/*
 * A resource that is renamed with the option `aliases`, or moved from the dynamic to the packaged form, has two URNs in one
 * plan. The steps of the program have the new one. Deletions and the refresh that `--refresh` runs first have the one in
 * the state (`DeleteStep.URN` and `RefreshStep.URN` of pulumi/pkg 3.259).
 */

/** The plan with one URN for each resource, the new one. `oldState.urn` stays, to find the resource in the state. */
export function withNewUrns(plan: Plan): Plan {
  const renamed = new Map(
    plan.steps.flatMap(({ urn, oldState, newState }): [string, string][] =>
      newState && oldState?.urn !== undefined && oldState.urn !== urn ? [[oldState.urn, urn]] : [],
    ),
  );
  if (renamed.size === 0) return plan;
  const newUrn = (urn: string): string => renamed.get(urn) ?? urn;
  return { ...plan, steps: plan.steps.map((step) => withNewUrnsIn(step, newUrn)) };
}

function withNewUrnsIn(step: Step, newUrn: (urn: string) => string): Step {
  const { urn, oldState } = step;
  if (!oldState) return step;
  const { deletedWith, propertyDependencies } = oldState;
  return {
    ...step,
    // Another resource of the program may have this URN now.
    urn: oldState.urn === urn ? newUrn(urn) : urn,
    oldState: {
      ...oldState,
      deletedWith: deletedWith && newUrn(deletedWith),
      propertyDependencies:
        propertyDependencies &&
        Object.fromEntries(
          Object.entries(propertyDependencies).map(([name, urns]) => [name, urns?.map(newUrn) ?? null]),
        ),
    },
  };
}
