import type { dynamic } from "@pulumi/pulumi";
import { Refusal, ServiceError } from "../service/errors";
import { SettingsError } from "../settings";
import { creationProblems, declarationProblems, problemsOf } from "./checking";
import { nameIn, placeKey } from "./declarations";
import { configure, currentDeployment as ofThisProcess } from "./deployment";
import { differences } from "./differences";
import { type Deployment, type Lifecycle, Unfinished } from "./lifecycle";
import { inOrder, plain } from "./plain";
import type { Problem } from "./problems";
import { secretArgumentsKey } from "./secret-arguments";
import { hasUnknown } from "./unknown";

type Properties = Record<string, unknown>;

/** A lifecycle as Pulumi's dynamic host calls it. The only place that knows that host's calling conventions. */
export function dynamicProvider<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  currentDeployment: () => Deployment = ofThisProcess,
): dynamic.ResourceProvider<Properties, Properties> {
  /** The inputs of a step that acts: `check` has passed them, and nothing is unknown any more. */
  const parse = (properties: Properties): Inputs => lifecycle.inputs.parse(declared(properties));
  /** The inputs that this process has checked. Others in `diff` are those of a refresh, which shows and never refuses. */
  const checked = new Set<string>();

  return {
    // Synchronous, because the host may call other methods while it waits for this one.
    configure(request) {
      configure((key) => request.config.get(key));
      return Promise.resolve();
    },

    check: (olds: Properties, news: Properties) =>
      shown(() => {
        const given = declared(news) as Inputs;
        const { [placeKey]: place = "" } = news as { [placeKey]?: string };
        const inputs = { ...lifecycle.defaults?.(given, place, declared(olds) as Partial<Inputs>), ...given };
        checked.add(inOrder(plain(inputs)));
        const isNew = Object.keys(olds).length === 0;
        const failures = withDeployment(currentDeployment, (deployment) => {
          const problems = problemsOf(lifecycle, inputs, deployment?.settings);
          if (problems.length > 0 || deployment === undefined) return problems;
          return [
            ...(isNew ? creationProblems(lifecycle, inputs, deployment) : []),
            ...declarationProblems(lifecycle, inputs, deployment, nameIn(place)),
          ];
        });
        return { inputs: plain(inputs), failures: failures.map(withoutValue(news[secretArgumentsKey])) };
      }),

    diff: (_id: string, olds: Properties, news: Properties) =>
      shown(() => {
        const state = olds as State;
        const inputs = declared(news) as Inputs;
        const changed = differences(lifecycle, state, inputs);
        const identified = lifecycle.identifies?.(state, inputs) ?? false;
        const replaces = identified ? [] : changed.filter((key) => lifecycle.replacedBy.includes(key));
        const isCertain = replaces.some((key) => !hasUnknown(inputs[key]));
        const reason = isCertain ? lifecycle.mustStay?.(state, inputs) : undefined;
        const isDeclared = checked.has(inOrder(inputs));
        if (reason !== undefined && isDeclared)
          throw new Refusal(
            `A change of ${replaces.join(", ")} would replace the ${lifecycle.claimOf(state)}. ${reason}`,
          );
        // What is about to be replaced is given up: another resource may take the object over.
        if (replaces.length === 0 && isDeclared)
          currentDeployment().claims.know(lifecycle.claimOf(state), leaseIn(olds));
        return { changes: changed.length > 0 || (lifecycle.isUnfinished?.(state) ?? false), replaces };
      }),

    create: (properties: Properties) =>
      saved(properties, newLease, async () => {
        const state = await lifecycle.create(parse(properties), currentDeployment());
        return { id: lifecycle.idOf(state), outs: plain({ ...state, [leaseKey]: newLease(state) }) };
      }),

    read: (_id: string, properties: Properties = {}) =>
      shown(async () => {
        const state = await lifecycle.read(declared(properties) as State, currentDeployment());
        if (state === undefined) return {};
        const props = plain({ ...state, [leaseKey]: leaseIn(properties) });
        return { id: lifecycle.idOf(state), props, inputs: plain(lifecycle.inputsOf(state)) };
      }),

    update: (_id: string, olds: Properties, news: Properties) => {
      const lease = (): string | undefined => leaseIn(olds);
      return saved(news, lease, async () => {
        const state = await lifecycle.update(declared(olds) as State, parse(news), currentDeployment());
        return { outs: plain({ ...state, [leaseKey]: lease() }) };
      });
    },

    delete: (_id: string, properties: Properties) =>
      shown(async () => {
        const state = declared(properties) as State;
        const deployment = currentDeployment();
        const object = lifecycle.claimOf(state);
        // After a renaming, or when a list of resources shifts, the object lives on under another resource.
        const livesOn = (claimed: string): boolean => {
          const isOthers = deployment.claims.isOthers(claimed, leaseIn(properties));
          if (isOthers)
            deployment.say(
              `The ${claimed} lives on in this stack, under another resource or as the replacement of this one, so it is not deleted.`,
            );
          return isOthers;
        };
        if (livesOn(object)) return;
        await lifecycle.delete(state, deployment, livesOn);
        // Unless another resource took it over in the meantime.
        if (!deployment.claims.isOthers(object, leaseIn(properties))) deployment.claims.release(object);
      }),
  };

  function newLease(state: State): string | undefined {
    return currentDeployment().claims.leaseOf(lifecycle.claimOf(state));
  }

  /** Keeps what exists when a step fails halfway: the host saves an error that carries id and properties. */
  async function saved<T>(
    properties: Properties,
    leaseOf: (state: State) => string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error;
      const state = error.state as State;
      throw Object.assign(new Error(error.message), {
        id: lifecycle.idOf(state),
        // Without the stored shell, refresh and delete of this resource could not run.
        properties: plain({ ...state, [leaseKey]: leaseOf(state), [shellKey]: properties[shellKey] }),
        reasons: [error.message],
      });
    }
  }
}

const shellKey = "__provider";
/** The output that tells the resources of one object apart; see Claims. */
const leaseKey = "lease";
const hiddenKeys: readonly string[] = [shellKey, secretArgumentsKey, placeKey, leaseKey];

/** What a lifecycle sees. A null is what a configuration file or a JavaScript program gives for nothing. */
function declared(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([key, value]) => !hiddenKeys.includes(key) && value !== null),
  );
}

function leaseIn(properties: Properties): string | undefined {
  return properties[leaseKey] as string | undefined;
}

/** A problem of a secret argument is reported for the whole resource, or the engine would print the secret beside it. */
function withoutValue(secretArguments: unknown) {
  const secret: unknown[] = Array.isArray(secretArguments) ? secretArguments : [];
  return ({ property, reason }: Problem): Problem =>
    secret.includes(/^[^.[]*/.exec(property)?.[0])
      ? { property: "", reason: `${property} ${reason}` }
      : { property, reason };
}

/** What is wrong with the settings is a problem of every resource, said at preview. */
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
  return problems(deployment);
}

/** The host prints the stack of what these steps throw: for a message that is meant for the user it says nothing. */
async function shown<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ([ServiceError, Refusal, SettingsError, Unfinished].some((kind) => error instanceof kind))
      (error as Error).stack = "";
    throw error;
  }
}
