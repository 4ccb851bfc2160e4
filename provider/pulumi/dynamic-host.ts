import type { dynamic } from "@pulumi/pulumi";
import { describeProblem, type Problem } from "../argument-problems";
import { canonicalJson } from "../resources/shared/compare";
import type { Deployment } from "../resources/shared/deployment";
import { argumentsIn, type Lifecycle, PartialFailure } from "../resources/shared/lifecycle";
import {
  deletionPolicyOf,
  ifManagedUnseen,
  managedTwice,
  type Origin,
  requireNoHeir,
} from "../resources/shared/ownership";
import { ProviderError, ReportedError } from "../service/errors";
import { SettingsError } from "../settings";
import {
  adoptionProblems,
  creationProblems,
  declarationProblems,
  declaredObjects,
  problemsOf,
  takeCompanion,
  warningsOf,
  withDefaults,
} from "./check";
import { configure, currentDeployment as deploymentOfThisProcess } from "./current-deployment";
import { changedArguments } from "./diff";
import { companionKey, nameIn, placeKey } from "./hidden-inputs";
import { withoutUndefined } from "./serializable";
import { hasUnknown, withoutUnknown } from "./unknown";

type Properties = Record<string, unknown>;

/** A lifecycle as Pulumi's dynamic host calls it. The only place that knows that host's calling conventions. */
export function dynamicProvider<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  currentDeployment: () => Deployment = deploymentOfThisProcess,
): dynamic.ResourceProvider<Properties, Properties> {
  /** The inputs of a step that acts: `check` has accepted them, and nothing is unknown any more. */
  const parse = (properties: Properties): Inputs => lifecycle.inputs.parse(visible(properties));
  /** The inputs that passed `check` in this process. A refresh calls `diff` without `check`, and is never refused. */
  const checked = new Set<string>();

  return {
    // Synchronous, because the host may call other methods while it waits for this one.
    configure(request) {
      configure((key) => request.config.get(key));
      return Promise.resolve();
    },

    check: (olds: Properties, news: Properties) =>
      withoutTrace(() => {
        const { [placeKey]: place = "", [companionKey]: companion } = news as {
          [placeKey]?: string;
          [companionKey]?: unknown;
        };
        const earlier = visible(olds) as Partial<Inputs>;
        const inputs = withDefaults(lifecycle, visible(news) as Inputs, place, earlier);
        checked.add(canonicalJson(withoutUndefined(inputs)));
        const isNew = Object.keys(olds).length === 0;
        const failures = withDeployment(currentDeployment, (deployment) => {
          const declaredBefore = isNew ? undefined : earlier;
          const problems = problemsOf(lifecycle, inputs, deployment?.settings, declaredBefore);
          if (problems.length > 0 || deployment === undefined) return problems;
          const name = nameIn(place);
          for (const warning of warningsOf(lifecycle, inputs, deployment.settings, declaredBefore))
            deployment.logOnce(`${lifecycle.kind} "${name}": ${describeProblem(warning)}.`);
          return [
            ...(isNew ? creationProblems(lifecycle, inputs, deployment) : []),
            ...(isNew ? adoptionProblems(lifecycle, inputs, deployment) : []),
            ...declarationProblems(lifecycle, inputs, deployment, name),
            ...takeCompanion(lifecycle, companion, inputs, deployment, isNew),
          ];
        });
        return { inputs: withoutUndefined(inputs), failures: failures.map(withoutValue) };
      }),

    diff: (_id: string, olds: Properties, news: Properties) =>
      withoutTrace(() => {
        const state = olds as State;
        const inputs = visible(news) as Inputs;
        const changed = changedArguments(lifecycle, state, inputs);
        const isUnfinished = lifecycle.isUnfinished?.(state) ?? false;
        // An id that is not known yet may turn out to be left out.
        const known = withoutUnknown(inputs);
        const mayBeIdentified = lifecycle.identifiesUnfinished?.(state, inputs) ?? false;
        const isIdentified = lifecycle.identifiesUnfinished?.(state, known) ?? false;
        const replaces = changed
          .filter((key) => lifecycle.replacedBy.includes(key) && !isIdentified)
          .filter((key) => key !== lifecycle.adoptedBy || !mayBeIdentified);
        const isRefresh = !checked.has(canonicalJson(inputs));
        if (isRefresh) return { changes: changed.length > 0 || isUnfinished, replaces };
        const deployment = currentDeployment();
        const isReplaced = replaces.length > 0;
        const note = lifecycle.previewNote?.(state, known, isReplaced, deployment);
        if (note !== undefined) deployment.logOnce(note);
        const object = lifecycle.objectName(state);
        const isCertain = !mayBeIdentified && replaces.some((key) => !hasUnknown(inputs[key]));
        const refusal = isCertain ? lifecycle.replacementRefusal?.(state, inputs) : undefined;
        // An object that is about to be replaced is free: another resource may adopt it.
        if (!isReplaced || refusal !== undefined) restoreClaim(olds, inputs, deployment);
        if (refusal !== undefined)
          throw new ProviderError({
            ...refusal,
            what: `The program and the ${object} differ in ${replaces.join(", ")}, and that would replace it. ${refusal.what}`,
          });
        if (isReplaced) lifecycle.beforeReplace?.(state, inputs, deployment);
        else lifecycle.beforeKeep?.(state, inputs, deployment);
        const hasOtherCompanion = lifecycle.hasOtherCompanion?.(state, inputs, deployment) ?? false;
        return { changes: changed.length > 0 || isUnfinished || hasOtherCompanion, replaces };
      }),

    create: (properties: Properties) =>
      savingPartialFailure(properties, newLease, async () => {
        const deployment = currentDeployment();
        const state = await lifecycle.create(parse(properties), deployment);
        if ((state as { origin?: Origin }).origin === "adopted") deployment.logOnce(ifManagedUnseen);
        return { id: lifecycle.idOf(state), outs: withoutUndefined({ ...state, [leaseKey]: newLease(state) }) };
      }),

    read: (_id: string, properties: Properties = {}) =>
      withoutTrace(async () => {
        const state = await lifecycle.read(visible(properties) as State, currentDeployment());
        if (state === undefined) return {};
        const props = withoutUndefined({ ...state, [leaseKey]: leaseIn(properties) });
        return { id: lifecycle.idOf(state), props, inputs: withoutUndefined(argumentsIn(lifecycle, state)) };
      }),

    update: (_id: string, olds: Properties, news: Properties) => {
      const lease = (): string | undefined => leaseIn(olds);
      return savingPartialFailure(news, lease, async () => {
        const state = await lifecycle.update(visible(olds) as State, parse(news), currentDeployment());
        return { outs: withoutUndefined({ ...state, [leaseKey]: lease() }) };
      });
    },

    delete: (_id: string, properties: Properties) =>
      withoutTrace(async () => {
        const state = visible(properties) as State;
        const deployment = currentDeployment();
        const object = lifecycle.objectName(state);
        // After a rename, or when a list of resources shifts, the object lives on under another resource.
        const isManagedElsewhere = (claimed: string): boolean => {
          const isOthers = deployment.claims.isOthers(claimed, leaseIn(properties));
          if (isOthers)
            deployment.log(
              `The ${claimed} is not deleted: another resource of this stack, or the replacement of this one, manages it.`,
            );
          return isOthers;
        };
        deployment.claims.markKnown(object);
        if (!isManagedElsewhere(object)) {
          if (mayDelete(state))
            requireNoHeir({ kind: lifecycle.kind, object, idArgument: idArgumentIn(state) }, deployment);
          await lifecycle.delete(state, deployment, isManagedElsewhere);
          // Unless another resource adopted it in the meantime.
          if (!deployment.claims.isOthers(object, leaseIn(properties))) deployment.claims.release(object);
        }
        lifecycle.afterDelete?.(state, deployment);
      }),
  };

  /** Claims the object of a resource that stays. A second one that manages it, or declares it by its id, is refused. */
  function restoreClaim(olds: Properties, inputs: Inputs, { claims, declarations }: Deployment): void {
    const object = lifecycle.objectName(olds as State);
    const isOwn = declaredObjects(lifecycle, inputs).some((declared) => declared.object === object);
    const hasId = idArgumentIn(olds as State) !== undefined;
    const isDeclaredElsewhere = hasId && !isOwn && declarations.has(lifecycle.kind, object);
    const companion = lifecycle.companionOf?.(olds as State);
    if (!claims.restore(object, leaseIn(olds), companion) || isDeclaredElsewhere) throw managedTwice(object);
  }

  /** Whether destroy may delete or change the object. A kind that adopts nothing only leaves the stack. */
  function mayDelete(state: State): boolean {
    return lifecycle.adoptedBy !== undefined && deletionPolicyOf(state) !== "retain";
  }

  /** The argument that adopts the object by its id. */
  function idArgumentIn(state: State): string | undefined {
    const { adoptedBy } = lifecycle;
    return adoptedBy !== undefined && typeof (state as Properties)[adoptedBy] === "string" ? adoptedBy : undefined;
  }

  function newLease(state: State): string | undefined {
    return currentDeployment().claims.leaseOf(lifecycle.objectName(state));
  }

  /** Keeps what exists when a step fails halfway: the host saves an error that carries id and properties. */
  async function savingPartialFailure<T>(
    properties: Properties,
    leaseOf: (state: State) => string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      currentDeployment().failure.isSeen = true;
      if (!(error instanceof PartialFailure)) throw error;
      const state = error.state as State;
      throw Object.assign(new Error(error.message), {
        id: lifecycle.idOf(state),
        // Without the stored provider, refresh and delete of this resource could not run.
        properties: withoutUndefined({
          ...state,
          [leaseKey]: leaseOf(state),
          [storedProviderKey]: properties[storedProviderKey],
        }),
        reasons: [error.message],
      });
    }
  }
}

const storedProviderKey = "__provider";
/** The output that tells the resources of one object apart; see Claims. */
const leaseKey = "lease";
/** `__secretArguments` is in states of 0.1.0. */
const hiddenKeys: readonly string[] = [storedProviderKey, "__secretArguments", placeKey, companionKey, leaseKey];

/** What a lifecycle sees. A configuration file or a JavaScript program gives null for nothing. */
function visible(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([key, value]) => !hiddenKeys.includes(key) && value !== null),
  );
}

function leaseIn(properties: Properties): string | undefined {
  return properties[leaseKey] as string | undefined;
}

/**
 * The problem as one of the whole resource. Beside the problem of a property the engine prints its value: secret or not,
 * however large, and `{<nil>}` where it is nested.
 */
function withoutValue(problem: Problem): Problem {
  return { property: "", reason: describeProblem(problem) };
}

/** Wrong settings are a problem of every resource, reported at preview. A problem is a failure of the command. */
function withDeployment(
  currentDeployment: () => Deployment,
  problems: (deployment: Deployment | undefined) => Problem[],
): Problem[] {
  let deployment: Deployment;
  try {
    deployment = currentDeployment();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [...problems(undefined), ...error.message.split("\n").map((reason) => ({ property: "", reason }))];
  }
  const found = problems(deployment);
  if (found.length > 0) deployment.failure.isSeen = true;
  return found;
}

/**
 * The host prints `${error}: ${error.stack}` of what these steps throw among the messages of the stack, and the engine
 * prints the message at the resource. A message for the user appears at the resource alone.
 */
async function withoutTrace<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReportedError || error instanceof SettingsError)
      Object.assign(error, { toString: () => "workspace-apps", stack: "see the error at the resource" });
    throw error;
  }
}
