import * as pulumi from "@pulumi/pulumi";
import type { Lookup, Plain } from "../lookups/shared/lookup";
import type { LookupOptions, LookupOutputOptions } from "../lookups/shared/options";
import { ServiceClient } from "../service/client";
import { systemClock } from "../service/clock";
import { messageOf, ReportedError, withCode } from "../service/errors";
import { configNamespace, inWordsOfProvider, readSettings, SettingsError } from "../settings";
import { type Form, typeOf } from "./urn";
import { currentProgramRun, hasMocks, isOfOtherForm, LookupError } from "./sdk";
import {
  awaitedKey,
  LookupFailure,
  LookupRun,
  parseArguments,
  type RunOptions,
  secretArgumentsKey,
} from "./lookup-run";
import { checkSettings } from "./program-settings";
import { type Provider, requireKnown, settingsOf } from "./provider";
import { requirePlugin } from "./require-plugin";

/*
 * Calls of look-ups by a program. In the dynamic form they run in the program's own process, because dynamic providers have
 * no invokes. In the packaged form the plugin runs them. Under `pulumi.runtime.setMocks` both forms ask the mocks instead.
 */

/** Runs a look-up now. */
export async function callLookup<Args extends object, Result>(
  form: Form,
  lookup: Lookup<Args, Result>,
  args: object,
  options: LookupOptions = {},
  run: RunOptions = { after: "" },
): Promise<Result> {
  const provider = providerOf(form, lookup.name, options);
  try {
    const result =
      form === "packaged" || hasMocks()
        ? await byInvoke(lookup, args, options, provider, run)
        : await inProgram(lookup, args, options, provider, run);
    return withSecrets<Result>(result, lookup.secretResults);
  } catch (error) {
    if (error instanceof LookupFailure) throw new LookupError(error.message);
    const isForUser =
      error instanceof ReportedError || error instanceof SettingsError || pulumi.RunError.isInstance(error);
    throw isForUser ? new LookupError(`${lookup.name}: ${messageOf(error)}`) : error;
  }
}

/**
 * Runs a look-up once all inputs are known and the resources that they come from exist. In a preview without them, the
 * result is unknown and no request is sent. If an input is secret, the result is secret.
 */
export function callLookupOutput<Args extends object, Result>(
  form: Form,
  lookup: Lookup<Args, Result>,
  args: object,
  { dependsOn, ...options }: LookupOutputOptions = {},
): pulumi.Output<Result> {
  const known = pulumi.output(args);
  const after = pulumi
    .all([dependencies(dependsOn), pulumi.output(resourcesOf(known))])
    .apply(([declared, behind]) => pulumi.all(withChildren([...declared, ...behind]).map(whenCreated)));
  const isSecret = pulumi.output(pulumi.isSecret(known));
  // Only waits until they are known: they do not make the result secret.
  const settings = pulumi.unsecret(pulumi.output(providerOf(form, lookup.name, options)?.config));
  // With `apply`, not `pulumi.output`: a secret within the result must not make all of it secret.
  const result = pulumi
    .all([known, after, isSecret, settings])
    .apply(([args, created, isSecret]) =>
      callLookup(form, lookup, args, options, { after: [...created].sort().join(" "), isSecret }),
    );
  return result;
}

/** In this process. */
async function inProgram<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  { parent }: LookupOptions,
  provider: Provider | undefined,
  run: RunOptions,
): Promise<Plain<Result>> {
  const inWords = (message: string): string => (provider === undefined ? message : inWordsOfProvider(message));
  const log = {
    info: (line: string) => void pulumi.log.info(inWords(line), parent),
    warn: (line: string) => void pulumi.log.warn(inWords(line), parent),
  };
  // Keeps the program running while it waits for a response.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const current = await currentRun(provider);
    return await current.run(lookup, args, log, { ...run, isOutput });
  } catch (error) {
    throw error instanceof LookupFailure ? new LookupFailure(inWords(error.message)) : error;
  } finally {
    done();
  }
}

/** By the plugin or the mocks. Checks the arguments before the call, so that a test with mocks finds wrong ones too. */
async function byInvoke<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  options: LookupOptions,
  provider: Provider | undefined,
  run: RunOptions,
): Promise<Plain<Result>> {
  const { name } = lookup;
  const checked = parseArguments(lookup, args, isOutput);
  const hidden = hasMocks() ? {} : await hiddenArguments(provider, run);
  try {
    const result: unknown = await pulumi.runtime.invoke(typeOf("packaged", name), { ...checked, ...hidden }, options);
    return result as Plain<Result>;
  } catch (error) {
    const failure = failureOfInvoke(name, messageOf(error));
    throw failure === undefined ? error : new LookupFailure(failure);
  }
}

/** The hidden inputs for the plugin. Throws if the engine could not call it. */
async function hiddenArguments(provider: Provider | undefined, { after, isSecret = false }: RunOptions) {
  checkSettings();
  requirePlugin();
  // The engine would answer with nothing at all.
  if (provider !== undefined) await requireKnown(provider);
  return { [awaitedKey]: after, [secretArgumentsKey]: isSecret };
}

/** The plugin's own message, which begins with the name of the look-up. */
function failureOfInvoke(name: string, message: string): string | undefined {
  const start = message.indexOf(`failed: ${name}: `);
  return start === -1 ? undefined : message.slice(start + "failed: ".length).replace(/ \(\)$/, "");
}

function isOutput(value: unknown): boolean {
  return pulumi.Output.isInstance(value);
}

/** A result whose secret fields are secret outputs, however the look-up was called. */
function withSecrets<Result>(result: Plain<Result>, names: readonly string[] = []): Result {
  const plain = result as Record<string, unknown>;
  const secrets = names.map((name) => [name, pulumi.secret(plain[name] ?? {})]);
  return { ...plain, ...Object.fromEntries(secrets) } as Result;
}

/** Known once the resource exists. */
function whenCreated(resource: pulumi.Resource): pulumi.Output<string> {
  return pulumi.CustomResource.isInstance(resource)
    ? pulumi.all([resource.urn, resource.id]).apply(([urn]) => urn)
    : resource.urn;
}

/** The resources that an output depends on. Not part of the SDK's public types. */
async function resourcesOf(output: pulumi.Output<object>): Promise<pulumi.Resource[]> {
  const { allResources } = output as unknown as { allResources?: () => Promise<Set<pulumi.Resource>> };
  return [...((await allResources?.call(output)) ?? [])];
}

/** Unknown while one of them is. `pulumi.output` returns resources unchanged, although its type says otherwise. */
function dependencies(dependsOn: LookupOutputOptions["dependsOn"]): pulumi.Output<pulumi.Resource[]> {
  const given = pulumi.output(dependsOn as object | undefined) as pulumi.Output<unknown>;
  return given.apply((one) =>
    (Array.isArray(one) ? one : [one]).filter((each): each is pulumi.Resource => pulumi.Resource.isInstance(each)),
  );
}

/** A look-up that waits for a component waits for its children too. */
function withChildren(resources: readonly pulumi.Resource[]): pulumi.Resource[] {
  const all = new Set<pulumi.Resource>();
  const add = (resource: pulumi.Resource): void => {
    if (all.has(resource)) return;
    all.add(resource);
    // Not part of the SDK's public types.
    const { __childResources: children } = resource as { __childResources?: Set<pulumi.Resource> };
    if (pulumi.ComponentResource.isInstance(resource)) children?.forEach(add);
  };
  resources.forEach(add);
  return [...all];
}

/** The provider that an invoke would use: the option, else the provider of the parent. */
function providerOf(form: Form, name: string, { parent, provider }: LookupOptions): Provider | undefined {
  if (isOfOtherForm(form, provider))
    throw new LookupError(
      withCode(
        "WA1602",
        `${name}: the option provider is not a Provider of the ${form} form. Import Provider and ${name} from the same module.`,
      ),
    );
  return provider ?? (parent?.getProvider(typeOf(form, "")) as Provider | undefined);
}

/** By Provider, or by run of the program: an Automation API process may have many. */
const runs = new WeakMap<object, Promise<LookupRun>>();

function currentRun(provider: Provider | undefined): Promise<LookupRun> {
  const key = provider ?? currentProgramRun();
  let run = runs.get(key);
  if (run === undefined) {
    run = startRun(provider);
    runs.set(key, run);
    run.catch(() => runs.delete(key));
  }
  return run;
}

async function startRun(provider: Provider | undefined): Promise<LookupRun> {
  checkSettings();
  const config = new pulumi.Config(configNamespace);
  // Secret settings are readable here. They stay in this process.
  const settings = provider === undefined ? readSettings((key) => config.get(key)) : await settingsOf(provider);
  // Each look-up passes its own log.
  return new LookupRun(new ServiceClient(settings, systemClock, () => undefined), systemClock);
}
