import type { Values } from "./hidden-values";
import type { Change } from "./kind-review";
import { isOperationId, type Operation, type OperationId, operations } from "../../provider/service/operations";
import { configNamespace } from "../../provider/settings";
import { deletionPolicyBefore, isAdopted, isUnfinishedCreate, kindOf, mayBeAdopted } from "./changes";
import type { Plan } from "./plan";
import { explicitProviderIn, providerArguments } from "./providers";
import type { Transfers } from "./transfers";

/** An operation that applying a change may call. */
export interface Call {
  readonly operation: OperationId;
  /** The URN and the id of the provider that calls it. */
  readonly provider: string | undefined;
}

/** The settings that the plan will be applied with, as far as the review knows them. */
export interface Paths {
  /** Whether the operation is called on a path that neither the specification nor the user has given. */
  isAssumed(call: Call): boolean;
}

/**
 * The stack's configuration is in the plan. Like in a deployment, it takes precedence over the environment. A provider that
 * the program constructs has neither: what it leaves out has its default.
 */
export function pathsFrom({ config, steps }: Plan, environment: NodeJS.ProcessEnv): Paths {
  const ofStack = assumedWith((key, variable) => config[`${configNamespace}:${key}`] ?? environment[variable]);
  const byDefault = assumedWith(() => undefined);
  const ofProviders = new Map(
    [...providerArguments(steps)].map(([urn, args]) => [
      urn,
      // In the dynamic form, the engine passes them under the names of the stack's configuration.
      assumedWith((key) => args[key] ?? args[`${configNamespace}:${key}`]),
    ]),
  );
  return {
    isAssumed: ({ operation, provider }) => {
      const explicit = explicitProviderIn(provider);
      return (explicit === undefined ? ofStack : (ofProviders.get(explicit) ?? byDefault))(operation);
    },
  };
}

/** Tells the operations whose path is assumed with these settings. */
function assumedWith(setting: (key: string, variable: string) => unknown): (id: OperationId) => boolean {
  const configured = operationsIn(setting("endpoints", "WORKSPACE_APPS_ENDPOINTS"));
  const documentedOnly = String(setting("documentedOnly", "WORKSPACE_APPS_DOCUMENTED_ONLY")) === "true";
  return (id) => !(operations[id] as Operation).documented && !documentedOnly && !configured.has(id);
}

/** A malformed setting has failed the preview already, so it is not reported again. */
function operationsIn(endpoints: unknown): Set<OperationId> {
  try {
    const parsed: unknown = typeof endpoints === "string" ? JSON.parse(endpoints) : endpoints;
    return new Set(Object.keys(parsed ?? {}).filter(isOperationId));
  } catch {
    return new Set();
  }
}

/** The operations that applying a change may call. */
export function callsOf(change: Change, transfers: Transfers): Call[] {
  const { lifecycle, review } = kindOf(change);
  const { calls = {} } = review;
  const { action, before, after, providerBefore, providerAfter } = change;
  const by = (provider: string | undefined, called: readonly OperationId[]): Call[] =>
    called.map((operation) => ({ operation, provider }));
  const creating = (): readonly OperationId[] => {
    const declared = isAdopted(change) ? after : withoutAdoption(change);
    return [
      ...lifecycle.requiredOperations(declared).map(({ operation }) => operation),
      ...(isAdopted(change) ? [] : (calls.create?.(after) ?? [])),
      ...(mayBeAdopted(change) ? (calls.adopt?.(after) ?? []) : []),
    ];
  };
  const deleting = (): readonly OperationId[] =>
    change.wasRetained ||
    change.isPendingReplacement ||
    isUnfinishedCreate(change) ||
    transfers.newOwnerOf(change) !== undefined
      ? []
      : (calls.delete?.(deletionPolicyBefore(change), before) ?? []);
  switch (action) {
    case "create":
      return by(providerAfter, creating());
    case "replace":
      return [...by(providerBefore, deleting()), ...by(providerAfter, creating())];
    case "update":
      return by(providerAfter, isUnfinishedCreate(change) ? creating() : (calls.update?.(before, after) ?? []));
    case "delete":
      return by(providerBefore, deleting());
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
