import type { Values } from "../../provider/review/hidden-values";
import type { Change } from "../../provider/review/kind-review";
import { isOperationId, type Operation, type OperationId, operations } from "../../provider/service/operations";
import { configNamespace } from "../../provider/settings";
import { deletionPolicyBefore, isAdopted, kindOf, mayBeAdopted } from "./changes";
import type { Transfers } from "./transfers";

/** What the review knows about the settings that the plan will be applied with. */
export interface Paths {
  /** Whether the operation is called on a path that neither the specification nor the user has given. */
  isAssumed(id: OperationId): boolean;
}

/** The stack's configuration is in the plan. Like in a deployment, it takes precedence over the environment. */
export function pathsFrom(config: Values, environment: NodeJS.ProcessEnv): Paths {
  const setting = (key: string, variable: string): unknown =>
    config[`${configNamespace}:${key}`] ?? environment[variable];
  const configured = operationsIn(setting("endpoints", "WORKSPACE_APPS_ENDPOINTS"));
  const documentedOnly = setting("documentedOnly", "WORKSPACE_APPS_DOCUMENTED_ONLY") === "true";
  return {
    isAssumed: (id) => !(operations[id] as Operation).documented && !documentedOnly && !configured.has(id),
  };
}

/** A malformed setting has failed the preview already, so it is not reported again. */
function operationsIn(endpoints: unknown): Set<OperationId> {
  try {
    const parsed: unknown = typeof endpoints === "string" ? JSON.parse(endpoints) : {};
    return new Set(Object.keys(parsed as object).filter(isOperationId));
  } catch {
    return new Set();
  }
}

/** The operations that applying a change may call. */
export function callsOf(change: Change, transfers: Transfers): OperationId[] {
  const { lifecycle, review } = kindOf(change);
  const { calls = {} } = review;
  const { action, before, after } = change;
  const creating = (): readonly OperationId[] => {
    const declared = isAdopted(change) ? after : withoutAdoption(change);
    return [
      ...lifecycle.requiredOperations(declared).map(({ operation }) => operation),
      ...(isAdopted(change) ? [] : (calls.create?.(after) ?? [])),
      ...(mayBeAdopted(change) ? (calls.adopt?.(after) ?? []) : []),
    ];
  };
  const deleting = (): readonly OperationId[] =>
    change.wasRetained || change.isPendingReplacement || transfers.newOwnerOf(change) !== undefined
      ? []
      : (calls.delete?.(deletionPolicyBefore(change), before) ?? []);
  switch (action) {
    case "create":
      return [...creating()];
    case "replace":
      return [...deleting(), ...creating()];
    case "update":
      return [...(calls.update?.(before, after) ?? [])];
    case "delete":
      return [...deleting()];
    case "gone":
    case "same":
      return [];
  }
}

/** An object that may be adopted may also be created. */
function withoutAdoption(change: Change): Values {
  const { adoptedBy } = kindOf(change).lifecycle;
  return Object.fromEntries(Object.entries(change.after).filter(([name]) => name !== adoptedBy));
}
