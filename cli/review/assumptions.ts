import { isOperationId, type Operation, type OperationId, operations } from "../../provider/service/operations";
import { configNamespace } from "../../provider/settings";
import type { Change } from "../../provider/resources/shared/review";
import { endingOf, isAdopted, kindOf } from "./changes";
import type { Values } from "../../provider/resources/shared/hidden-values";
import type { Takeovers } from "./takeovers";

/** What the review knows of the settings under which the plan will be carried out. */
export interface Paths {
  /** Whether the operation is called on a path that neither the specification nor the user has given. */
  isAssumed(id: OperationId): boolean;
}

/** The stack's configuration is in the plan, and wins over the environment, as in a deployment. */
export function pathsFrom(config: Values, environment: NodeJS.ProcessEnv): Paths {
  const setting = (key: string, variable: string): unknown =>
    config[`${configNamespace}:${key}`] ?? environment[variable];
  const given = namedIn(setting("endpoints", "WORKSPACE_APPS_ENDPOINTS"));
  const documentedOnly = setting("documentedOnly", "WORKSPACE_APPS_DOCUMENTED_ONLY") === "true";
  return {
    isAssumed: (id) => !(operations[id] as Operation).documented && !documentedOnly && !given.has(id),
  };
}

/** What is malformed has failed the preview: it is not for the review to say so again. */
function namedIn(endpoints: unknown): Set<OperationId> {
  try {
    const parsed: unknown = typeof endpoints === "string" ? JSON.parse(endpoints) : {};
    return new Set(Object.keys(parsed as object).filter(isOperationId));
  } catch {
    return new Set();
  }
}

/** What carrying out a change may ask the service for. */
export function callsOf(change: Change, takeovers: Takeovers): OperationId[] {
  const { calls } = kindOf(change).review;
  const { action, before, after } = change;
  const begin = (): readonly OperationId[] => (isAdopted(change) ? (calls.adopt?.(after) ?? []) : calls.create(after));
  const end = (): readonly OperationId[] =>
    change.wasRetained || takeovers.heirOf(change) !== undefined
      ? []
      : (calls.delete?.(endingOf(change), before) ?? []);
  switch (action) {
    case "create":
      return [...begin()];
    case "replace":
      return [...end(), ...begin()];
    case "update":
      return [...(calls.update?.(before, after) ?? [])];
    case "delete":
      return [...end()];
    case "gone":
    case "same":
      return [];
  }
}
