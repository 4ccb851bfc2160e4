import type * as Pulumi from "@pulumi/pulumi";
import type { Lookup } from "../lookups/shared/lookup";
import { ServiceClient } from "../service/client";
import { systemClock } from "../service/clock";
import { messageOf, ReportedError } from "../service/errors";
import { configNamespace, readSettings, SettingsError } from "../settings";
import type * as lookupRun from "./lookup-run";
import type * as programSettings from "./program-settings";

/*
 * Look-ups as programs call them. They run in the program's own process: the dynamic host has no invokes. The SDK is loaded
 * when one is called, so that the definitions of the look-ups can be read without it.
 */
/* eslint-disable @typescript-eslint/no-require-imports */
const sdk = () => require("@pulumi/pulumi") as typeof Pulumi;
const { answering, checkingSettings } = {
  answering: () => require("./lookup-run") as typeof lookupRun,
  checkingSettings: () => require("./program-settings") as typeof programSettings,
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** The options of a look-up. */
export interface LookupOptions {
  /** Messages of this look-up are shown at this resource. */
  parent?: Pulumi.Resource;
}

/** The options of a look-up with inputs. */
export interface LookupOutputOptions extends LookupOptions {
  /** Resources that must be created or changed before the service is asked. While one does not exist, no request is sent. */
  dependsOn?: Pulumi.Input<Pulumi.Input<Pulumi.Resource>[]> | Pulumi.Input<Pulumi.Resource>;
}

/** The same arguments, each of them at every depth also as an output or a promise. */
export type LookupInputs<Args> = { [Key in keyof Args]: DeepInput<Args[Key]> };

/** In brackets, so that a union stays one: an input of "asc" or "desc", and not an input of either. */
type DeepInput<T> = [T] extends [string | number | boolean | undefined]
  ? Pulumi.Input<T>
  : [NonNullable<T>] extends [readonly (infer Item)[]]
    ? Pulumi.Input<DeepInput<Item>[]>
    : Pulumi.Input<LookupInputs<NonNullable<T>>>;

/** Asks the service now. Under `pulumi.runtime.setMocks` it asks the mocks instead. */
export async function lookUp<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  options?: LookupOptions,
  run: { after?: string; isSecret?: boolean } = {},
): Promise<Result> {
  const pulumi = sdk();
  if (hasMocks(pulumi)) return askMocks(pulumi, lookup, args);
  const parent = options?.parent;
  // The program must not end while it waits for a response.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const log = {
      info: (line: string) => void pulumi.log.info(line, parent),
      warn: (line: string) => void pulumi.log.warn(line, parent),
    };
    return await currentRun(pulumi, lookup.name).answer(lookup, args, log, run);
  } finally {
    done();
  }
}

/**
 * Asks once all inputs are known and the resources they come from exist. At a preview where they do not, the result is
 * unknown and no request is sent. The result is secret where an input is.
 */
export function lookUpOutput<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  options?: LookupOutputOptions,
): Pulumi.Output<Result> {
  const pulumi = sdk();
  const known = pulumi.output<object>(args);
  const after = pulumi
    .all([dependencies(pulumi, options?.dependsOn), pulumi.output(resourcesOf(known))])
    .apply(([declared, behind]) =>
      pulumi.all(withChildren(pulumi, [...declared, ...behind]).map((resource) => whenCreated(pulumi, resource))),
    );
  const isSecret = pulumi.output(pulumi.isSecret(known));
  // Applied and not passed through `pulumi.output`: a secret in the result does not make all of it secret.
  return pulumi
    .all([known, after, isSecret])
    .apply<Result>(([args, created, isSecret]) =>
      lookUp(lookup, args, options, { after: [...created].sort().join(" "), isSecret }),
    );
}

/** The mock monitor is not in the SDK's types. */
function hasMocks(pulumi: typeof Pulumi): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

/** The arguments are checked as they would be, so that a test finds a wrong one. */
async function askMocks<Args extends object, Result>(
  pulumi: typeof Pulumi,
  lookup: Lookup<Args, Result>,
  args: object,
): Promise<Result> {
  const { LookupError, parseArguments } = answering();
  try {
    const token = `${configNamespace}:index:${lookup.name}`;
    return (await pulumi.runtime.invoke(token, parseArguments(lookup, args))) as Result;
  } catch (error) {
    throw error instanceof ReportedError ? new LookupError(`${lookup.name}: ${messageOf(error)}`) : error;
  }
}

/** Known once the resource exists. */
function whenCreated(pulumi: typeof Pulumi, resource: Pulumi.Resource): Pulumi.Output<string> {
  return pulumi.CustomResource.isInstance(resource)
    ? pulumi.all([resource.urn, resource.id]).apply(([urn]) => urn)
    : resource.urn;
}

/** The resources that an output's values come from. Not in the SDK's types. */
async function resourcesOf(output: Pulumi.Output<object>): Promise<Pulumi.Resource[]> {
  const { allResources } = output as unknown as { allResources?: () => Promise<Set<Pulumi.Resource>> };
  return [...((await allResources?.call(output)) ?? [])];
}

/** Unknown while one of them is. `pulumi.output` takes a resource as it is, whatever its type says. */
function dependencies(
  pulumi: typeof Pulumi,
  dependsOn: LookupOutputOptions["dependsOn"],
): Pulumi.Output<Pulumi.Resource[]> {
  const given = pulumi.output(dependsOn as object | undefined) as Pulumi.Output<unknown>;
  return given.apply((one) =>
    (Array.isArray(one) ? one : [one]).filter((each): each is Pulumi.Resource => pulumi.Resource.isInstance(each)),
  );
}

/** Who waits for a component waits for its children. */
function withChildren(pulumi: typeof Pulumi, resources: readonly Pulumi.Resource[]): Pulumi.Resource[] {
  const all = new Set<Pulumi.Resource>();
  const add = (resource: Pulumi.Resource): void => {
    if (all.has(resource)) return;
    all.add(resource);
    // Not in the SDK's types either.
    const { __childResources: children } = resource as { __childResources?: Set<Pulumi.Resource> };
    if (pulumi.ComponentResource.isInstance(resource)) children?.forEach(add);
  };
  resources.forEach(add);
  return [...all];
}

/** By the stack resource, of which every run makes its own: a process of the Automation API may see many runs. */
const runs = new WeakMap<object, lookupRun.LookupRun>();
const outsideOfAnyRun = {};

function currentRun(pulumi: typeof Pulumi, name: string): lookupRun.LookupRun {
  const stack = pulumi.runtime.getStackResource() ?? outsideOfAnyRun;
  let run = runs.get(stack);
  if (run === undefined) {
    run = startRun(pulumi, name);
    runs.set(stack, run);
  }
  return run;
}

function startRun(pulumi: typeof Pulumi, name: string): lookupRun.LookupRun {
  const { LookupError, LookupRun } = answering();
  const config = new pulumi.Config(configNamespace);
  try {
    checkingSettings().checkSettings();
    // Secret values are plain here, and stay in this process.
    const settings = readSettings((key) => config.get(key));
    // Every look-up logs for itself.
    return new LookupRun(new ServiceClient(settings, systemClock, () => undefined), systemClock);
  } catch (error) {
    const isOfSettings = error instanceof SettingsError || pulumi.RunError.isInstance(error);
    throw isOfSettings ? new LookupError(`${name}: ${messageOf(error)}`) : error;
  }
}
