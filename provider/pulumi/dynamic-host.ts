import type { dynamic } from "@pulumi/pulumi";
import type { Deployment } from "../resources/shared/deployment";
import type { Lifecycle } from "../resources/shared/lifecycle";
import { ReportedError, withCode } from "../service/errors";
import { SettingsError } from "../settings";
import { type CheckFailure, withoutValue } from "./check-step";
import { configure, currentDeployment as deploymentOfThisProcess, inOwnWords } from "./current-deployment";
import { resourceDigitsKey, nameKey, placeKey, locatorKey } from "./hidden-inputs";
import { withoutUndefined } from "../serializable";
import { type Properties, SavedFailure } from "./saved";
import { stepsOf } from "./steps";

type HiddenInputs = Partial<Record<typeof placeKey | typeof nameKey | typeof resourceDigitsKey, string>>;

/** A lifecycle as Pulumi's dynamic host calls it. The only place that knows that host's calling conventions. */
export function dynamicProvider<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  currentDeployment: () => Deployment = deploymentOfThisProcess,
): dynamic.ResourceProvider<Properties, Properties> {
  const steps = stepsOf(lifecycle);

  return {
    // Synchronous, because the host may call other methods while it waits for this one.
    configure(request) {
      configure((key) => request.config.get(key));
      return Promise.resolve();
    },

    check: (olds: Properties, news: Properties) =>
      withoutTrace(() => {
        const {
          [placeKey]: place = "",
          [nameKey]: name = "",
          [resourceDigitsKey]: resourceDigits,
        } = news as HiddenInputs;
        if (isOfPackagedForm(olds, news))
          return { inputs: news, failures: [{ property: "", reason: withCode("WA1601", noWayBack) }] };
        const { deployment, problems: ofSettings } = withProblems(currentDeployment);
        const { inputs, problems } = steps.check(olds, news, { place, name, resourceDigits }, deployment);
        return { inputs, failures: [...problems.map(withoutValue), ...ofSettings].map(inWords) };
      }),

    diff: (_id: string, olds: Properties, news: Properties) =>
      withoutTrace(() => {
        const { isChanged, replaces } = steps.diff(olds, news, currentDeployment);
        return { changes: isChanged, replaces: [...replaces] };
      }),

    create: (properties: Properties) =>
      savingFailure(properties, async () => {
        const { id, outputs } = await steps.create(properties, currentDeployment());
        return { id, outs: outputs };
      }),

    read: (_id: string, properties: Properties = {}) =>
      withoutTrace(async () => {
        const read = await steps.read(properties, currentDeployment());
        return read === undefined ? {} : { id: read.id, props: read.outputs, inputs: read.inputs };
      }),

    update: (_id: string, olds: Properties, news: Properties) =>
      savingFailure(news, async () => ({
        outs: (await steps.update(olds, news, currentDeployment())).outputs,
      })),

    delete: (_id: string, properties: Properties) => withoutTrace(() => steps.delete(properties, currentDeployment())),
  };
}

/** States of the dynamic form have a locator. */
function isOfPackagedForm(olds: Properties, news: Properties): boolean {
  return Object.keys(olds).length > 0 && locatorKey in news && !(locatorKey in olds);
}

const noWayBack =
  'This resource was last declared in the packaged form. A stack cannot move back to the dynamic form. Import "pulumi-workspace-apps/packaged" again';

/** The host saves an error that carries id and properties. */
async function savingFailure<T>(inputs: Properties, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SavedFailure)) throw inOwnWordsOf(error);
    const { id, outputs } = error.saved;
    const message = inOwnWords(error.message);
    throw Object.assign(new Error(message), {
      id,
      // Without the locator, refresh and delete of this resource could not run.
      properties: withoutUndefined({ ...outputs, [locatorKey]: inputs[locatorKey] }),
      reasons: [message],
    });
  }
}

function inOwnWordsOf(error: unknown): unknown {
  if (error instanceof ReportedError) {
    error.message = inOwnWords(error.message);
    error.stack = inOwnWords(error.stack ?? "");
  }
  return error;
}

function inWords({ property, reason }: CheckFailure): CheckFailure {
  return { property, reason: inOwnWords(reason) };
}

/** Wrong settings are a problem of every resource, reported at preview. */
function withProblems(currentDeployment: () => Deployment): { deployment?: Deployment; problems: CheckFailure[] } {
  try {
    return { deployment: currentDeployment(), problems: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { problems: error.message.split("\n").map((reason) => ({ property: "", reason })) };
  }
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
    throw inOwnWordsOf(error);
  }
}
