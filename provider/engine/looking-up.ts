import * as pulumi from "@pulumi/pulumi";
import { systemClock } from "../service/clock";
import { Service } from "../service/client";
import { configNamespace, readSettings, SettingsError } from "../settings";
import { type Lookup, LookupError, ProgramRun } from "./lookup";
import { warnOfPlainTokens } from "./plain-tokens";

/* Look-ups as programs call them. They run in the program's own process: the dynamic host answers none. */

/** The options of a look-up. */
export interface LookupOptions {
  /** The resource beside which messages of this look-up are shown. */
  parent?: pulumi.Resource;
}

/** The options of a look-up with inputs. */
export interface LookupOutputOptions extends LookupOptions {
  /** Resources that must be made or changed before the service is asked. While one does not exist, nothing is. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** The same arguments, each of them at every depth also as an output or a promise. */
export type LookupInputs<Args> = { [Key in keyof Args]: DeepInput<Args[Key]> };

/** In brackets, so that a union stays one: an input of "asc" or "desc", and not an input of either. */
type DeepInput<T> = [T] extends [string | number | boolean | undefined]
  ? pulumi.Input<T>
  : [NonNullable<T>] extends [readonly (infer Item)[]]
    ? pulumi.Input<DeepInput<Item>[]>
    : pulumi.Input<LookupInputs<NonNullable<T>>>;

/** Asks the service now. */
export async function lookUp<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  { parent }: LookupOptions = {},
  after?: string,
): Promise<Result> {
  // The program must not end while it waits for an answer.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const voice = {
      say: (line: string) => void pulumi.log.info(line, parent),
      warn: (line: string) => void pulumi.log.warn(line, parent),
    };
    return await currentRun(lookup.name).ask(lookup, args, voice, after);
  } finally {
    done();
  }
}

/**
 * Asks once all inputs are known and the resources they come from exist; at a preview where they do not, the result is
 * unknown and nothing is asked. The result is secret where an input is.
 */
export function lookUpOutput<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  { parent, dependsOn }: LookupOutputOptions = {},
): pulumi.Output<Result> {
  const known = pulumi.output<object>(args);
  const after = pulumi.output(resourcesBehind(known, dependsOn).then((resources) => resources.map(madeAs)));
  // Applied and not passed through `pulumi.output`: a secret in the result does not make the whole of it secret.
  return pulumi
    .all([known, after])
    .apply<Result>(([args, made]) =>
      lookUp(lookup, args, parent === undefined ? {} : { parent }, made.sort().join(" ")),
    );
}

/** Known once the resource exists. */
function madeAs(resource: pulumi.Resource): pulumi.Output<string> {
  return pulumi.CustomResource.isInstance(resource)
    ? pulumi.all([resource.urn, resource.id]).apply(([urn]) => urn)
    : resource.urn;
}

async function resourcesBehind(
  args: pulumi.Output<object>,
  dependsOn: LookupOutputOptions["dependsOn"],
): Promise<pulumi.Resource[]> {
  const declared = await dependencies(dependsOn);
  const all = new Set<pulumi.Resource>();
  const add = (resource: pulumi.Resource): void => {
    if (all.has(resource)) return;
    all.add(resource);
    // Not in the SDK's types. Who waits for a component waits for what it consists of.
    const { __childResources: children } = resource as { __childResources?: Set<pulumi.Resource> };
    if (pulumi.ComponentResource.isInstance(resource)) children?.forEach(add);
  };
  // Not in the SDK's types either: the resources that an output's values come from.
  const { allResources } = args as unknown as { allResources?: () => Promise<Set<pulumi.Resource>> };
  [...declared, ...((await allResources?.()) ?? [])].forEach(add);
  return [...all];
}

async function dependencies(dependsOn: LookupOutputOptions["dependsOn"]): Promise<pulumi.Resource[]> {
  if (dependsOn === undefined) return [];
  const given = await settled(dependsOn);
  return Promise.all((Array.isArray(given) ? given : [given]).map(settled));
}

/** The value of an input. A resource is taken as it is, where `pulumi.output` would take it apart. */
function settled<T>(input: pulumi.Input<T>): Promise<T> {
  return pulumi.Output.isInstance(input)
    ? (input as unknown as { promise: () => Promise<T> }).promise()
    : Promise.resolve(input);
}

/** By the stack resource, of which every run makes its own: a process of the Automation API may see many runs. */
const runs = new WeakMap<object, ProgramRun>();
const outsideOfAnyRun = {};

function currentRun(name: string): ProgramRun {
  const stack = pulumi.runtime.getStackResource() ?? outsideOfAnyRun;
  let run = runs.get(stack);
  if (run === undefined) {
    run = startRun(name);
    runs.set(stack, run);
  }
  return run;
}

function startRun(name: string): ProgramRun {
  warnOfPlainTokens();
  const config = new pulumi.Config(configNamespace);
  try {
    // Secret values come in plain here, and stay in this process.
    const settings = readSettings((key) => config.get(key));
    // Every look-up speaks for itself, so nothing is left to say for the service as a whole.
    return new ProgramRun(new Service(settings, systemClock, () => undefined), systemClock);
  } catch (error) {
    throw error instanceof SettingsError ? new LookupError(`${name}: ${error.message}`) : error;
  }
}
