import type { Problem } from "../../argument-problems";
import {
  configNamespace,
  isSecretSetting,
  settingsFrom,
  type SettingKey,
  settingKeys,
  type Settings,
  SettingsError,
} from "../../settings";
import { misspelledOrUnknown, unrecognizedSettings } from "../../unrecognized-settings";
import { withoutValue } from "../check";
import { explicitKey, notKnownYet, settingText, unknownArgument } from "../provider-config";
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

/** What is wrong with a configuration. What is not known yet is not checked. */
export function configurationProblems(urn: string, configuration: Properties): Problem[] {
  const isExplicit = configuration[explicitKey] !== undefined;
  const names = Object.keys(configuration).filter((key) => !notSettings.includes(key));
  const ofNames = isExplicit ? names.flatMap((name) => unknownArgument(name) ?? []) : unknownSettings(urn, names);
  return [...ofNames.map(ofNoProperty), ...problemsOfValues(configuration, isExplicit)];
}

/** Beside a property the engine prints its value, and that of a misspelled setting may be a token. */
function ofNoProperty(reason: string): Problem {
  return { property: "", reason };
}

/** Only the stack's provider reads the environment, and only its keys may be those of a project of the same name. */
function unknownSettings(urn: string, names: readonly string[]): string[] {
  const keys = names.map((name) => `${configNamespace}:${name}`);
  return misspelledOrUnknown(unrecognizedSettings(keys, process.env), partsOfUrn(urn).project !== configNamespace);
}

function problemsOfValues(configuration: Properties, isExplicit: boolean): Problem[] {
  const known = Object.entries(configuration).map(([key, value]) => [
    key,
    hasUnknown(value) ? notKnownYet[key] : value,
  ]);
  try {
    settingsIn(Object.fromEntries(known) as Properties);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    if (!isExplicit) return error.message.split("\n").map(ofNoProperty);
    return error.problems.map(({ key, problem, fix }) => {
      const found = { property: key, reason: `${problem}. ${fix}` };
      return isShown(key, configuration[key]) ? found : withoutValue(found);
    });
  }
}

/** Whether the engine may print a value beside its problem. Any text may hold a secret, which the plugin is not told. */
function isShown(key: SettingKey, value: unknown): boolean {
  const text = textOf(value);
  return text === undefined || (!isSecretSetting(key) && /^(true|false|-?\d+(\.\d+)?)$/.test(text));
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
