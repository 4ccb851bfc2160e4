import {
  configNamespace,
  readProviderSettings,
  readSettings,
  type Settings,
  type SettingKey,
  settingKeys,
} from "../../settings";
import { unrecognizedSettings } from "../../unrecognized-settings";
import { explicitKey, settingText } from "../provider-config";
import type { Properties } from "../steps";
import { hasUnknown } from "../unknown";
import { partsOfUrn } from "../urn";

/* The configuration of the provider: the stack's, or that of a Provider which a program declares. */

/** What the engine gives besides settings. */
const ofEngine: readonly string[] = ["version", "pluginDownloadURL", explicitKey];

/**
 * The configuration as the engine keeps it, marked where a program declares the Provider: `Configure` is not told. The
 * engine's own providers are named `default` or `default_1_2_3`.
 */
export function markedConfiguration(urn: string, given: Properties): Properties {
  const isExplicit = given[explicitKey] !== undefined || !/^default(_|$)/.test(partsOfUrn(urn).name);
  return isExplicit ? { ...given, [explicitKey]: "true" } : given;
}

/** What is wrong with a configuration, a line for each problem. What is not known yet is not checked. */
export function configurationProblems(configuration: Properties): string[] {
  if (hasUnknown(configuration)) return [];
  const names = Object.keys(configuration).filter((key) => !ofEngine.includes(key));
  const keys = names.map((key) => `${configNamespace}:${key}`);
  const unknown = unrecognizedSettings(keys, {}).map(({ problem, fix }) => `${problem}. ${fix}`);
  try {
    settingsIn(configuration);
    return unknown;
  } catch (error) {
    return [...unknown, ...(error as Error).message.split("\n")];
  }
}

/** Throws a SettingsError. */
export function settingsIn(configuration: Properties): Settings {
  const given = (key: SettingKey): string | undefined => textOf(configuration[key]);
  return configuration[explicitKey] === undefined ? readSettings(given) : readProviderSettings(given);
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : settingText(value);
}

/** The settings in which two configurations differ. */
export function changedSettings(olds: Properties, news: Properties): SettingKey[] {
  return settingKeys.filter((key) => textOf(olds[key]) !== textOf(news[key]));
}
