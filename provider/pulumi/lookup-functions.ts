import type * as Pulumi from "@pulumi/pulumi";
import type { Lookup } from "../lookups/shared/lookup";
import { ServiceClient } from "../service/client";
import { systemClock } from "../service/clock";
import { messageOf, ReportedError } from "../service/errors";
import { configNamespace, readSettings, SettingsError } from "../settings";
import type { LookupError, LookupRun, parseArguments } from "./lookup-run";
import type { checkSettings } from "./program-settings";

/*
 * Look-ups as programs call them. They run in the program's own process, because dynamic providers have no invokes. The SDK
 * is loaded with the first call, so that tools can read the definitions of the look-ups without it.
 */
/* eslint-disable @typescript-eslint/no-require-imports */
const sdk = () => require("@pulumi/pulumi") as typeof Pulumi;
const loadLookupRun = () =>
  require("./lookup-run") as {
    LookupError: typeof LookupError;
    LookupRun: typeof LookupRun;
    parseArguments: typeof parseArguments;
  };
const loadProgramSettings = () => require("./program-settings") as { checkSettings: typeof checkSettings };
/* eslint-enable @typescript-eslint/no-require-imports */

/** The options of a look-up. */
export interface LookupOptions {
  /** The resource at which Pulumi shows the messages of this look-up. */
  parent?: Pulumi.Resource;
}

/** The options of a look-up with inputs. */
export interface LookupOutputOptions extends LookupOptions {
  /** Resources that must be created or updated before the look-up runs. While one does not exist, no request is sent. */
  dependsOn?: Pulumi.Input<Pulumi.Input<Pulumi.Resource>[]> | Pulumi.Input<Pulumi.Resource>;
}

/** The same arguments, where each value at every depth may be an output or a promise. */
export type LookupInputs<Args> = { [Key in keyof Args]: DeepInput<Args[Key]> };

/** In brackets, so that a union is not distributed: one input of `"asc" | "desc"`, not an input of each. */
type DeepInput<T> = [T] extends [string | number | boolean | undefined]
  ? Pulumi.Input<T>
  : [NonNullable<T>] extends [readonly (infer Item)[]]
    ? Pulumi.Input<DeepInput<Item>[]>
    : Pulumi.Input<LookupInputs<NonNullable<T>>>;

/**
 * Runs a look-up now. Under `pulumi.runtime.setMocks` it calls the mocks instead.
 * @internal
 */
export async function lookUp<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  options?: LookupOptions,
  run: { after?: string; isSecret?: boolean } = {},
): Promise<Result> {
  const pulumi = sdk();
  if (hasMocks(pulumi)) return askMocks(pulumi, lookup, args);
  const parent = options?.parent;
  // Keeps the program running while it waits for a response.
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
 * Runs a look-up once all inputs are known and the resources that they come from exist. In a preview without them, the
 * result is unknown and no request is sent. If an input is secret, the result is secret.
 * @internal
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
  // With `apply`, not `pulumi.output`: a secret within the result must not make all of it secret.
  return pulumi
    .all([known, after, isSecret])
    .apply<Result>(([args, created, isSecret]) =>
      lookUp(lookup, args, options, { after: [...created].sort().join(" "), isSecret }),
    );
}

/** Values of a result that are secret however the look-up was called. */
export function secretValues(values: Record<string, unknown>): Pulumi.Output<Record<string, unknown>> {
  return sdk()
    .secret(values)
    .apply((known): Record<string, unknown> => known);
}

/** Mocks are not part of the SDK's public types. */
function hasMocks(pulumi: typeof Pulumi): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

/** Checks the arguments as without mocks, so that a test finds wrong ones. */
async function askMocks<Args extends object, Result>(
  pulumi: typeof Pulumi,
  lookup: Lookup<Args, Result>,
  args: object,
): Promise<Result> {
  const { LookupError, parseArguments } = loadLookupRun();
  try {
    const token = `${configNamespace}:index:${lookup.name}`;
    const result = (await pulumi.runtime.invoke(token, parseArguments(lookup, args))) as Record<string, unknown>;
    const secrets = (lookup.secretResults ?? []).map((field) => [
      field,
      secretValues((result[field] ?? {}) as Record<string, unknown>),
    ]);
    return { ...result, ...Object.fromEntries(secrets) } as Result;
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

/** The resources that an output depends on. Not part of the SDK's public types. */
async function resourcesOf(output: Pulumi.Output<object>): Promise<Pulumi.Resource[]> {
  const { allResources } = output as unknown as { allResources?: () => Promise<Set<Pulumi.Resource>> };
  return [...((await allResources?.call(output)) ?? [])];
}

/** Unknown while one of them is. `pulumi.output` returns resources unchanged, although its type says otherwise. */
function dependencies(
  pulumi: typeof Pulumi,
  dependsOn: LookupOutputOptions["dependsOn"],
): Pulumi.Output<Pulumi.Resource[]> {
  const given = pulumi.output(dependsOn as object | undefined) as Pulumi.Output<unknown>;
  return given.apply((one) =>
    (Array.isArray(one) ? one : [one]).filter((each): each is Pulumi.Resource => pulumi.Resource.isInstance(each)),
  );
}

/** A look-up that waits for a component waits for its children too. */
function withChildren(pulumi: typeof Pulumi, resources: readonly Pulumi.Resource[]): Pulumi.Resource[] {
  const all = new Set<Pulumi.Resource>();
  const add = (resource: Pulumi.Resource): void => {
    if (all.has(resource)) return;
    all.add(resource);
    // Not part of the SDK's public types.
    const { __childResources: children } = resource as { __childResources?: Set<Pulumi.Resource> };
    if (pulumi.ComponentResource.isInstance(resource)) children?.forEach(add);
  };
  resources.forEach(add);
  return [...all];
}

/** By stack resource: every run creates one, and an Automation API process may have many runs. */
const runs = new WeakMap<object, LookupRun>();
const outsideOfAnyRun = {};

function currentRun(pulumi: typeof Pulumi, name: string): LookupRun {
  const stack = pulumi.runtime.getStackResource() ?? outsideOfAnyRun;
  let run = runs.get(stack);
  if (run === undefined) {
    run = startRun(pulumi, name);
    runs.set(stack, run);
  }
  return run;
}

function startRun(pulumi: typeof Pulumi, name: string): LookupRun {
  const { LookupError, LookupRun } = loadLookupRun();
  const config = new pulumi.Config(configNamespace);
  try {
    loadProgramSettings().checkSettings();
    // Secret settings are readable here. They stay in this process.
    const settings = readSettings((key) => config.get(key));
    // Each look-up passes its own log.
    return new LookupRun(new ServiceClient(settings, systemClock, () => undefined), systemClock);
  } catch (error) {
    const isOfSettings = error instanceof SettingsError || pulumi.RunError.isInstance(error);
    throw isOfSettings ? new LookupError(`${name}: ${messageOf(error)}`) : error;
  }
}
