import { withCode } from "../../service/errors";
import {
  configNamespace,
  readProviderSettings,
  readSettings,
  type SettingKey,
  settingKeys,
  type Settings,
  settingsErrorOf,
  type TextOf,
} from "../../settings";
import { misspelledOrUnknown, unrecognizedSettings } from "../../unrecognized-settings";
import { explicitKey, notKnownYet, settingText, unknownArgument } from "../provider-arguments";
import type { Properties } from "../saved";
import type { CheckFailure } from "../check-step";
import { hasUnknown } from "../unknown";
import { isDefaultProvider, partsOfUrn } from "../urn";

/* The configuration of the provider: the stack's, or the configuration of a Provider in a program. */

/** Keys that are not settings: the engine's own, and the mark of a declared Provider. */
const notSettings: readonly string[] = ["version", "pluginDownloadURL", explicitKey];

/** The configuration as the engine keeps it, marked where a program declares the Provider: `Configure` is not told. */
export function markedConfiguration(urn: string, given: Properties): Properties {
  const isExplicit = given[explicitKey] !== undefined || !isDefaultProvider(urn);
  return isExplicit ? { ...given, [explicitKey]: "true" } : given;
}

/**
 * The problems of a configuration, without those of values that are not known yet. None has a property: beside one, the
 * engine would print its value, which may be a token.
 */
export function configurationProblems(urn: string, configuration: Properties): CheckFailure[] {
  const names = Object.keys(configuration).filter((key) => !notSettings.includes(key));
  const ofNames =
    configuration[explicitKey] === undefined
      ? unknownSettings(urn, names)
      : names.flatMap((name) => unknownArgument(name) ?? []);
  const unknown = ofNames.map((problem) => withCode("WA1002", problem));
  return [...unknown, ...problemsOfValues(configuration)].map((reason) => ({ property: "", reason }));
}

/** Only the stack's provider reads the environment, and only its keys may be those of a project of the same name. */
function unknownSettings(urn: string, names: readonly string[]): string[] {
  const keys = names.map((name) => `${configNamespace}:${name}`);
  return misspelledOrUnknown(unrecognizedSettings(keys, process.env), partsOfUrn(urn).project !== configNamespace);
}

function problemsOfValues(configuration: Properties): string[] {
  const known = Object.entries(configuration).map(([key, value]) => [
    key,
    hasUnknown(value) ? notKnownYet[key] : value,
  ]);
  return settingsErrorOf(() => settingsIn(Object.fromEntries(known) as Properties))?.message.split("\n") ?? [];
}

/** Throws a SettingsError. */
export function settingsIn(configuration: Properties): Settings {
  const given: TextOf = (key) => textOf(configuration[key]);
  return configuration[explicitKey] === undefined ? readSettings(given) : readProviderSettings(given);
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : settingText(value);
}

/** The settings in which two configurations differ. */
export function changedSettings(olds: Properties, news: Properties): SettingKey[] {
  return settingKeys.filter((key) => textOf(olds[key]) !== textOf(news[key]));
}
