import { readProviderSettings, readSettings, type Settings, type SettingKey, settingKeys } from "../../settings";
import { unrecognizedSettings } from "../../unrecognized-settings";
import { explicitKey } from "../provider-config";
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
  const unknown = unrecognizedSettings(
    names.map((key) => `workspace-apps:${key}`),
    {},
  );
  try {
    settingsIn(configuration);
  } catch (error) {
    return [...unknown.map(({ problem, fix }) => `${problem}. ${fix}`), ...(error as Error).message.split("\n")];
  }
  return unknown.map(({ problem, fix }) => `${problem}. ${fix}`);
}

/** Throws a SettingsError. */
export function settingsIn(configuration: Properties): Settings {
  const given = (key: SettingKey): string | undefined => asText(configuration[key]);
  return configuration[explicitKey] === undefined ? readSettings(given) : readProviderSettings(given);
}

/** Other languages give numbers, flags and maps as they are. */
function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The settings in which two configurations differ. */
export function changedSettings(olds: Properties, news: Properties): SettingKey[] {
  return settingKeys.filter((key) => asText(olds[key]) !== asText(news[key]));
}
