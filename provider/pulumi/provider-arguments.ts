import type { Input } from "@pulumi/pulumi";
import { didYouMean } from "../did-you-mean";
import { type SettingKey, settingKeys } from "../settings";

/**
 * The arguments of a {@link Provider}: the settings of one workspace. Omitted ones have their defaults. The stack's
 * configuration and the environment are not read, so that no token reaches another workspace.
 */
export interface ProviderArgs {
  /** The address of the API: https, or plain http for a loopback address. */
  baseUrl: Input<string>;
  /** The personal access token, sent as `Authorization: Bearer`. Always a secret in the state. */
  accessToken: Input<string>;
  /**
   * The personal API key, sent as `api_key` on operations on the kinds of objects for which the specification lists it.
   * Always a secret in the state.
   */
  apiKey?: Input<string>;
  /**
   * Paths of operations: an operation's id to `"METHOD /path/{parameter}"` or `"none"`.
   * @default `{}`
   */
  endpoints?: Input<Record<string, Input<string>>>;
  /**
   * Whether operations with assumed paths are never called, unless `endpoints` sets them.
   * @default false
   */
  documentedOnly?: Input<boolean>;
  /**
   * Requests per minute by operation, each a whole number of at least 1, for workspaces with other limits.
   * @default the documented limits
   */
  rateLimits?: Input<Record<string, Input<number>>>;
  /**
   * The time-out of one request, 0.1 to 86400.
   * @default 30
   */
  requestTimeoutSeconds?: Input<number>;
  /**
   * How long the campaign list is watched after an uncertain or interrupted launch, 0 to 86400.
   * @default 30
   */
  launchSettleSeconds?: Input<number>;
  /**
   * How long no new launch follows an uncertain one, 0 to 86400.
   * @default 900
   */
  launchQuarantineSeconds?: Input<number>;
  /** The highest daily budget of a campaign, a whole number above 0. A campaign above it fails at preview. */
  maxDailyBudgetMicros?: Input<number>;
  /**
   * The highest sum of the daily budgets of an app's campaigns, those that the service will enable included. A whole
   * number above 0. Checked before every launch and every resume.
   */
  maxAppDailyBudgetMicros?: Input<number>;
}

/** Marks the configuration of a Provider that a program declares: the stack's and the environment's values do not count. */
export const explicitKey = "isExplicitProvider";

/** The problem of a name that is no argument of a Provider. */
export function unknownArgument(name: string): string | undefined {
  if ((settingKeys as readonly string[]).includes(name)) return undefined;
  const suggestion = didYouMean(name, settingKeys);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  return `unknown argument "${name}".${hint}`;
}

/** An argument of a Provider as the text of a setting. Other languages give numbers, flags and maps as they are. */
export function settingText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Valid values in place of required ones that are not known yet. */
export const notKnownYet: Partial<Record<string, string>> = {
  baseUrl: "https://unknown.example",
  accessToken: "unknown",
} satisfies Partial<Record<SettingKey, string>>;
