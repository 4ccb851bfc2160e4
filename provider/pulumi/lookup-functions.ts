import type * as Pulumi from "@pulumi/pulumi";
import type { Lookup } from "../lookups/shared/lookup";
import { ServiceClient } from "../service/client";
import { systemClock } from "../service/clock";
import { messageOf, ReportedError } from "../service/errors";
import { configNamespace, inWordsOfProvider, readSettings, SettingsError } from "../settings";
import type { LookupError } from "./lookup-error";
import type * as LookupRunModule from "./lookup-run";
import type { LookupRun, RunOptions } from "./lookup-run";
import type { requirePlugin } from "./require-plugin";
import type { checkSettings } from "./program-settings";
import type { Provider, requireKnown, settingsOf } from "./provider";
import { type Form, isOfOtherForm, typeOf } from "./form";
import { hasMocks } from "./mocks";

/*
 * Look-ups as programs call them. In the dynamic form they run in the program's own process, because dynamic providers have
 * no invokes. The SDK is loaded with the first call, so that tools and the plugin can read the definitions of the look-ups
 * without it.
 */
/* eslint-disable @typescript-eslint/no-require-imports */
const sdk = () => require("@pulumi/pulumi") as typeof Pulumi;
const loadLookupError = () => require("./lookup-error") as { LookupError: typeof LookupError };
const loadLookupRun = () => require("./lookup-run") as typeof LookupRunModule;
const loadProgramSettings = () => require("./program-settings") as { checkSettings: typeof checkSettings };
const loadRequirePlugin = () => require("./require-plugin") as { requirePlugin: typeof requirePlugin };
const loadProvider = () =>
  require("./provider") as { requireKnown: typeof requireKnown; settingsOf: typeof settingsOf };
/* eslint-enable @typescript-eslint/no-require-imports */

/** The options of a look-up. */
export interface LookupOptions {
  /** In the dynamic form, the resource at which Pulumi shows the messages of this look-up. */
  parent?: Pulumi.Resource;
  /** The workspace to ask, if it is not the one of the stack's configuration. Default: the provider of `parent`. */
  provider?: Provider;
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

/** Runs a look-up whose arguments are known: in this process, or by an invoke. */
type Runner = (
  lookup: AnyLookup,
  args: object,
  options: LookupOptions | undefined,
  run: RunOptions,
) => Promise<unknown>;
/** @internal */
export type AnyLookup = Lookup<Record<string, unknown>, unknown>;

/**
 * Runs a look-up now. Under `pulumi.runtime.setMocks` it calls the mocks instead.
 * @internal
 */
export async function lookUp<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  options?: LookupOptions,
): Promise<Result> {
  return (await inProgram(lookup as unknown as AnyLookup, args, options, { after: "" })) as Result;
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
  return whenKnown("dynamic", lookup as unknown as AnyLookup, args, options) as Pulumi.Output<Result>;
}

/**
 * The same two in the packaged form: the plugin runs the look-up.
 * @internal
 */
export function invoke(lookup: AnyLookup, args: object = {}, options?: LookupOptions): Promise<unknown> {
  return byInvoke(lookup, args, options, { after: "" });
}

/** @internal */
export function invokeOutput(
  lookup: AnyLookup,
  args: object = {},
  options?: LookupOutputOptions,
): Pulumi.Output<unknown> {
  return whenKnown("packaged", lookup, args, options);
}

const inProgram: Runner = async (lookup, args, options, run) => {
  const pulumi = sdk();
  if (hasMocks(pulumi)) return byInvoke(lookup, args, options, run);
  const parent = options?.parent;
  const provider = providerOf("dynamic", lookup, options);
  const inWords = (message: string): string => (provider === undefined ? message : inWordsOfProvider(message));
  // Keeps the program running while it waits for a response.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const log = {
      info: (line: string) => void pulumi.log.info(inWords(line), parent),
      warn: (line: string) => void pulumi.log.warn(inWords(line), parent),
    };
    const isOutput = (value: unknown): boolean => pulumi.Output.isInstance(value);
    const current = await currentRun(pulumi, lookup.name, provider);
    const result = await current.run(lookup, args, log, { ...run, isOutput });
    return withSecrets(lookup, result as Record<string, unknown>);
  } catch (error) {
    const { LookupFailure } = loadLookupRun();
    throw error instanceof LookupFailure ? new (loadLookupError().LookupError)(inWords(error.message)) : error;
  } finally {
    done();
  }
};

/** Checks the arguments before the call, so that a test with mocks finds wrong ones too. */
const byInvoke: Runner = async (lookup, args, options, { after, isSecret = false }) => {
  const pulumi = sdk();
  const { name } = lookup;
  const isMocked = hasMocks(pulumi);
  const fail = (message: string): never => {
    throw new (loadLookupError().LookupError)(message);
  };
  // Under mocks this runs the look-ups of both forms.
  const provider = isMocked ? undefined : providerOf("packaged", lookup, options);
  let checked: object;
  try {
    checked = loadLookupRun().parseArguments(lookup, args, (value) => pulumi.Output.isInstance(value));
    if (!isMocked) {
      loadProgramSettings().checkSettings();
      loadRequirePlugin().requirePlugin();
      // The engine would answer with nothing at all.
      if (provider !== undefined) await loadProvider().requireKnown(provider);
    }
  } catch (error) {
    const isForUser =
      error instanceof ReportedError || error instanceof SettingsError || pulumi.RunError.isInstance(error);
    if (isForUser) return fail(`${name}: ${messageOf(error)}`);
    throw error;
  }
  const { awaitedKey, secretArgumentsKey } = loadLookupRun();
  const hidden = isMocked ? {} : { [awaitedKey]: after, [secretArgumentsKey]: isSecret };
  const result: unknown = await pulumi.runtime
    .invoke(typeOf("packaged", name), { ...checked, ...hidden }, options)
    .catch((error: unknown) => {
      const failure = failureOfInvoke(name, messageOf(error));
      if (failure === undefined) throw error;
      return fail(failure);
    });
  return withSecrets(lookup, result as Record<string, unknown>);
};

/** The plugin's own message, which begins with the name of the look-up. */
function failureOfInvoke(name: string, message: string): string | undefined {
  const start = message.indexOf(`failed: ${name}: `);
  return start === -1 ? undefined : message.slice(start + "failed: ".length).replace(/ \(\)$/, "");
}

function whenKnown(
  form: Form,
  lookup: AnyLookup,
  args: object,
  options: LookupOutputOptions | undefined,
): Pulumi.Output<unknown> {
  const pulumi = sdk();
  const known = pulumi.output<object>(args);
  const after = pulumi
    .all([dependencies(pulumi, options?.dependsOn), pulumi.output(resourcesOf(known))])
    .apply(([declared, behind]) =>
      pulumi.all(withChildren(pulumi, [...declared, ...behind]).map((resource) => whenCreated(pulumi, resource))),
    );
  const isSecret = pulumi.output(pulumi.isSecret(known));
  // Only waits until they are known: they do not make the result secret.
  const settings = pulumi.unsecret(pulumi.output(providerOf(form, lookup, options)?.config));
  const run = form === "dynamic" ? inProgram : byInvoke;
  // With `apply`, not `pulumi.output`: a secret within the result must not make all of it secret.
  return pulumi.all([known, after, isSecret, settings]).apply(([args, created, isSecret]) => {
    const { parent, provider } = options ?? {};
    const plain = { ...(parent === undefined ? {} : { parent }), ...(provider === undefined ? {} : { provider }) };
    return run(lookup, args, plain, { after: [...created].sort().join(" "), isSecret });
  });
}

/** A result whose secret fields are secret outputs, however the look-up was called. */
function withSecrets({ secretResults = [] }: AnyLookup, result: Record<string, unknown>): Record<string, unknown> {
  const secrets = secretResults.map((field) => [field, sdk().secret(result[field] ?? {})]);
  return { ...result, ...(Object.fromEntries(secrets) as Record<string, unknown>) };
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

/** As an invoke finds its provider: the option, else that of the parent. */
function providerOf(form: Form, { name }: AnyLookup, options: LookupOptions | undefined): Provider | undefined {
  if (isOfOtherForm(form, options?.provider))
    throw new (loadLookupError().LookupError)(
      `${name}: the option provider is not a Provider of the ${form} form. Import Provider and ${name} from the same module.`,
    );
  const inherited = options?.parent?.getProvider(typeOf(form, ""));
  return options?.provider ?? (inherited as Provider | undefined);
}

/** By Provider, or by stack resource: every run creates one, and an Automation API process may have many runs. */
const runs = new WeakMap<object, Promise<LookupRun>>();
const outsideOfAnyRun = {};

function currentRun(pulumi: typeof Pulumi, name: string, provider: Provider | undefined): Promise<LookupRun> {
  const key = provider ?? pulumi.runtime.getStackResource() ?? outsideOfAnyRun;
  let run = runs.get(key);
  if (run === undefined) {
    run = startRun(pulumi, name, provider);
    runs.set(key, run);
    run.catch(() => runs.delete(key));
  }
  return run;
}

async function startRun(pulumi: typeof Pulumi, name: string, provider: Provider | undefined): Promise<LookupRun> {
  const config = new pulumi.Config(configNamespace);
  try {
    loadProgramSettings().checkSettings();
    // Secret settings are readable here. They stay in this process.
    const settings =
      provider === undefined ? readSettings((key) => config.get(key)) : await loadProvider().settingsOf(provider);
    const { LookupRun } = loadLookupRun();
    // Each look-up passes its own log.
    return new LookupRun(new ServiceClient(settings, systemClock, () => undefined), systemClock);
  } catch (error) {
    const isOfSettings = error instanceof SettingsError || pulumi.RunError.isInstance(error);
    throw isOfSettings ? new (loadLookupError().LookupError)(`${name}: ${messageOf(error)}`) : error;
  }
}
