import * as pulumi from "@pulumi/pulumi";
import { systemClock } from "../service/clock";
import { Service } from "../service/client";
import { configNamespace, readSettings, SettingsError } from "../settings";
import { type Lookup, LookupError, ProgramRun } from "./lookup";
import { lookAtSettings } from "./given-settings";

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
  options?: LookupOptions,
  circumstances: { after?: string; isSecret?: boolean } = {},
): Promise<Result> {
  const parent = options?.parent;
  // The program must not end while it waits for an answer.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const voice = {
      say: (line: string) => void pulumi.log.info(line, parent),
      warn: (line: string) => void pulumi.log.warn(line, parent),
    };
    return await currentRun(lookup.name).ask(lookup, args, voice, circumstances);
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
  options?: LookupOutputOptions,
): pulumi.Output<Result> {
  const known = pulumi.output<object>(args);
  const after = pulumi
    .all([dependencies(options?.dependsOn), pulumi.output(resourcesOf(known))])
    .apply(([declared, behind]) => pulumi.all(withChildren([...declared, ...behind]).map(madeAs)));
  const isSecret = pulumi.output(pulumi.isSecret(known));
  // Applied and not passed through `pulumi.output`: a secret in the result does not make the whole of it secret.
  return pulumi
    .all([known, after, isSecret])
    .apply<Result>(([args, made, isSecret]) =>
      lookUp(lookup, args, options, { after: [...made].sort().join(" "), isSecret }),
    );
}

/** Known once the resource exists. */
function madeAs(resource: pulumi.Resource): pulumi.Output<string> {
  return pulumi.CustomResource.isInstance(resource)
    ? pulumi.all([resource.urn, resource.id]).apply(([urn]) => urn)
    : resource.urn;
}

/** Not in the SDK's types: the resources that an output's values come from. */
async function resourcesOf(output: pulumi.Output<object>): Promise<pulumi.Resource[]> {
  const { allResources } = output as unknown as { allResources?: () => Promise<Set<pulumi.Resource>> };
  return [...((await allResources?.call(output)) ?? [])];
}

/** Unknown while one of them is. `pulumi.output` takes a resource as it is, whatever its type says. */
function dependencies(dependsOn: LookupOutputOptions["dependsOn"]): pulumi.Output<pulumi.Resource[]> {
  const given = pulumi.output(dependsOn as object | undefined) as pulumi.Output<unknown>;
  return given.apply((one) =>
    (Array.isArray(one) ? one : [one]).filter((each): each is pulumi.Resource => pulumi.Resource.isInstance(each)),
  );
}

/** Who waits for a component waits for what it consists of. */
function withChildren(resources: readonly pulumi.Resource[]): pulumi.Resource[] {
  const all = new Set<pulumi.Resource>();
  const add = (resource: pulumi.Resource): void => {
    if (all.has(resource)) return;
    all.add(resource);
    // Not in the SDK's types either.
    const { __childResources: children } = resource as { __childResources?: Set<pulumi.Resource> };
    if (pulumi.ComponentResource.isInstance(resource)) children?.forEach(add);
  };
  resources.forEach(add);
  return [...all];
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
  const config = new pulumi.Config(configNamespace);
  try {
    lookAtSettings();
    // Secret values come in plain here, and stay in this process.
    const settings = readSettings((key) => config.get(key));
    // Every look-up speaks for itself, so nothing is left to say for the service as a whole.
    return new ProgramRun(new Service(settings, systemClock, () => undefined), systemClock);
  } catch (error) {
    const isOfSettings = error instanceof SettingsError || pulumi.RunError.isInstance(error);
    throw isOfSettings ? new LookupError(`${name}: ${error.message}`) : error;
  }
}
