import { didYouMean } from "../did-you-mean";
import { type SettingKey, settingKeys } from "../settings";

/** Marks the configuration of a Provider that a program declares: the stack's and the environment's values do not count. */
export const explicitKey = "isExplicitProvider";

/** What is wrong with the name of a Provider's argument. */
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
