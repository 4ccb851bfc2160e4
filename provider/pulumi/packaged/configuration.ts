import {
  configNamespace,
  isSecretSetting,
  settingsFrom,
  type SettingKey,
  settingKeys,
  type SettingProblem,
  type Settings,
  type SettingsError,
} from "../../settings";
import { misspelledOrUnknown, unrecognizedSettings } from "../../unrecognized-settings";
import { explicitKey, notKnownYet, settingText } from "../provider-config";
import type { Properties } from "../steps";
import { hasUnknown } from "../unknown";
import { isDefaultProvider, partsOfUrn } from "../urn";

/* The configuration of the provider: the stack's, or that of a Provider which a program declares. */

/** Keys that are not settings: the engine's own, and the mark of a declared Provider. */
const notSettings: readonly string[] = ["version", "pluginDownloadURL", explicitKey];

/** The configuration as the engine keeps it, marked where a program declares the Provider: `Configure` is not told. */
export function markedConfiguration(urn: string, given: Properties): Properties {
  const isExplicit = given[explicitKey] !== undefined || !isDefaultProvider(urn);
  return isExplicit ? { ...given, [explicitKey]: "true" } : given;
}

/** What is wrong with a configuration. `property` is empty where the engine must not print the value beside it. */
export interface ConfigurationProblem {
  readonly property: string;
  readonly reason: string;
}

/** What is wrong with a configuration. What is not known yet is not checked. */
export function configurationProblems(urn: string, configuration: Properties): ConfigurationProblem[] {
  const isExplicit = configuration[explicitKey] !== undefined;
  const names = Object.keys(configuration).filter((key) => !notSettings.includes(key));
  const keys = names.map((key) => `${configNamespace}:${key}`);
  // Only the stack's provider reads the environment, and only its keys may be those of a project of the same name.
  const isOurs = isExplicit || partsOfUrn(urn).project !== configNamespace;
  // The value of a misspelled setting may be a token.
  const unknown = misspelledOrUnknown(unrecognizedSettings(keys, isExplicit ? {} : process.env), isOurs);
  const known = Object.entries(configuration).map(([key, value]) => [
    key,
    hasUnknown(value) ? notKnownYet[key] : value,
  ]);
  try {
    settingsIn(Object.fromEntries(known) as Properties);
    return unknown.map(ofNoProperty);
  } catch (error) {
    const { message, problems } = error as SettingsError;
    if (!isExplicit) return [...unknown, ...message.split("\n")].map(ofNoProperty);
    return [...unknown.map(ofNoProperty), ...problems.map((problem) => underProperty(problem, configuration))];
  }
}

function ofNoProperty(reason: string): ConfigurationProblem {
  return { property: "", reason };
}

function underProperty({ key, problem, fix }: SettingProblem, configuration: Properties): ConfigurationProblem {
  // A base URL may hold a password.
  const isHidden = isSecretSetting(key) || key === "baseUrl";
  if (isHidden && textOf(configuration[key]) !== undefined) return ofNoProperty(`${key} ${problem}. ${fix}`);
  return { property: key, reason: `${problem}. ${fix}` };
}

/** Throws a SettingsError. */
export function settingsIn(configuration: Properties): Settings {
  const given = (key: SettingKey): string | undefined => textOf(configuration[key]);
  return settingsFrom(given, configuration[explicitKey] !== undefined);
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : settingText(value);
}

/** The settings in which two configurations differ. */
export function changedSettings(olds: Properties, news: Properties): SettingKey[] {
  return settingKeys.filter((key) => textOf(olds[key]) !== textOf(news[key]));
}
