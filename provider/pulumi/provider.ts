import * as pulumi from "@pulumi/pulumi";
import {
  configNamespace,
  isSecretSetting,
  readProviderSettings,
  type SettingKey,
  SettingsError,
  settingsErrorOf,
  type Settings,
} from "../settings";
import { withCode } from "../service/errors";
import { isLater, programError } from "./sdk";
import { explicitKey, notKnownYet, type ProviderArgs, settingText, unknownArgument } from "./provider-arguments";

/**
 * The arguments of a Provider as texts.
 * @internal
 */
export type ProviderConfig = Record<string, pulumi.Output<string> | undefined>;

/**
 * Another workspace in the same program: passed as the option `provider`, its resources and look-ups use these settings
 * instead of the stack's. Omitted settings have their defaults. The tokens are secrets in the state.
 *
 * ```ts
 * const eu = new apps.Provider("eu", { baseUrl: "https://eu.example.com", accessToken: config.requireSecret("euToken") });
 * new apps.Webhook("replies", { agentId: "agent-1", targetUrl: url, events: ["message.created"] }, { provider: eu });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal */
  readonly config: ProviderConfig;

  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    const config = configOf(name, args);
    // The dynamic host reads settings by the names that they have in a stack's configuration.
    const named = Object.entries({ ...config, [explicitKey]: pulumi.output("true") });
    super(
      "pulumi-nodejs",
      name,
      Object.fromEntries(named.map(([key, value]) => [`${configNamespace}:${key}`, value])),
      options,
    );
    this.config = config;
  }
}

/**
 * The arguments as texts, the tokens as secrets. Refuses unknown names: a misspelled cap would do nothing.
 * @internal
 */
export function configOf(name: string, args: ProviderArgs): ProviderConfig {
  const given = Object.entries(args as unknown as Record<string, unknown>);
  const unknown = given.flatMap(([key]) => unknownArgument(key) ?? []);
  const problems = [...unknown, ...malformedArguments(args as unknown as Record<string, unknown>)];
  if (problems.length > 0)
    throw programError(unknown.length > 0 ? "WA1002" : "WA1001", `Provider "${name}": ${problems.join(" ")}`);
  return Object.fromEntries(
    given
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => {
        const text = pulumi.output(value as string).apply(settingText);
        return [key, isSecretSetting(key as SettingKey) ? pulumi.secret(text) : text];
      }),
  );
}

/** The problems of the values that are known already. The plugin or the host checks all of them. */
function malformedArguments(args: Readonly<Record<string, unknown>>): string[] {
  const error = settingsErrorOf(() =>
    readProviderSettings((key) => {
      const value = args[key];
      if (value === undefined || value === null) return undefined;
      return hasLater(value) ? notKnownYet[key] : settingText(value);
    }),
  );
  return error === undefined ? [] : [`${error.problems.map(({ key, problem }) => `${key} ${problem}`).join("; ")}.`];
}

/** Whether the value, or one of a map, is not known yet. */
function hasLater(value: unknown): boolean {
  if (isLater(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(isLater);
}

/**
 * Throws while an argument of the Provider is unknown: nothing can be looked up with it yet.
 * @internal
 */
export async function requireKnown({ config }: Provider): Promise<void> {
  // Not part of the SDK's public types.
  const { isKnown } = pulumi.output(config) as unknown as { isKnown: Promise<boolean> };
  if (!(await isKnown))
    throw new SettingsError(
      withCode("WA1702", "an argument of its Provider is not known yet. Use the look-up's Output function."),
    );
}

/**
 * The settings of a Provider, for look-ups in this process.
 * @internal
 */
export async function settingsOf(provider: Provider): Promise<Settings> {
  await requireKnown(provider);
  const output = pulumi.output(provider.config);
  const { promise } = output as unknown as { promise: () => Promise<Record<string, string>> };
  const known = await promise.call(output);
  return readProviderSettings((key) => known[key]);
}
