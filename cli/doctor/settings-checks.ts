import { isOperationId, operations } from "../../provider/service/operations";
import {
  configNamespace,
  environmentName,
  givenSetting,
  isSecretSetting,
  readSettings,
  type SettingKey,
  settingKeys,
  type Settings,
  SettingsError,
} from "../../provider/settings";
import { unrecognizedSettings } from "../../provider/unrecognized-settings";
import type { Check, CheckResult } from "./report";
import type { StackConfiguration } from "./stack-configuration";

interface SettingsChecks {
  /** Undefined if they are missing or malformed. */
  readonly settings: Settings | undefined;
  readonly checks: readonly Check[];
  /** Values that must not be printed. */
  readonly secrets: readonly string[];
  /** How to remove a setting from the place where it was given. */
  readonly removal: (key: SettingKey) => string;
}

/** Reads the settings like `pulumi up`, and reports for each where it comes from and what is wrong with it. */
export function checkSettings(stack: StackConfiguration, environment: NodeJS.ProcessEnv): SettingsChecks {
  const configured = (key: SettingKey): string | undefined => stack.get(fullName(key))?.text;
  const given = (key: SettingKey) => givenSetting(key, configured, environment);
  const [settings, error] = settingsOrError(() => readSettings(configured, environment));
  const checks = settingKeys.flatMap((key): Check[] => {
    const problems = error?.problems.filter((problem) => problem.key === key) ?? [];
    const setting = given(key);
    if (problems.length > 0)
      return problems.map(({ problem, fix }) => ({
        check: `setting ${key}`,
        state: "fail",
        cause: setting === undefined ? "missing" : "malformed",
        seen: setting === undefined ? problem : `${problem} (from ${placeOf(key, setting.place)})`,
        fix,
      }));
    if (setting === undefined) return [];
    const isHidden = isSecretSetting(key) || isSecretIn(stack, key);
    const place = placeOf(key, setting.place);
    const shadowed = setting.place === "stack" && environment[environmentName(key)]?.trim();
    const text = [
      isHidden ? `set by ${place} (value hidden)` : `${displayValue(key, setting.text)} (from ${place})`,
      ...(shadowed ? [`${environmentName(key)} is also set, but ignored`] : []),
    ].join("; ");
    const isPlain = isSecretSetting(key) && setting.place === "stack" && !isSecretIn(stack, key);
    return [{ check: `setting ${key}`, ...(isPlain ? plainTextWarning(key, text) : { state: "ok", seen: text }) }];
  });
  return {
    settings,
    checks: [...checks, ...unrecognizedNames(stack, environment), ...unsetSettings(given)],
    secrets: secretsIn(stack, environment),
    removal: (key) =>
      given(key)?.place === "stack"
        ? `run \`pulumi config rm ${fullName(key)}\`, then \`pulumi up\``
        : `unset ${environmentName(key)}`,
  };
}

function settingsOrError(read: () => Settings): [Settings, undefined] | [undefined, SettingsError] {
  try {
    return [read(), undefined];
  } catch (error) {
    if (error instanceof SettingsError) return [undefined, error];
    throw error;
  }
}

function fullName(key: SettingKey): string {
  return `${configNamespace}:${key}`;
}

function placeOf(key: SettingKey, place: "stack" | "environment"): string {
  return place === "stack" ? "the stack" : environmentName(key);
}

function isSecretIn(stack: StackConfiguration, key: SettingKey): boolean {
  return stack.get(fullName(key))?.secret === true;
}

function plainTextWarning(key: SettingKey, text: string): CheckResult {
  return {
    state: "warn",
    cause: "plain-text-secret",
    seen: `${text}; it is in plain text there, and after \`pulumi up\` also in the state`,
    fix: `Set it again with \`pulumi config set --secret ${fullName(key)}\`, run \`pulumi up\`, and replace it in the service. Or keep it in ${environmentName(key)}.`,
  };
}

/** Only for valid settings: a malformed value is not printed. */
function displayValue(key: SettingKey, text: string): string {
  if (key !== "endpoints") return text;
  const set = Object.entries(JSON.parse(text) as Record<string, string>);
  if (set.length === 0) return "empty";
  return set.map(([id, endpoint]) => `${id} ${isDefault(id, endpoint) ? "(default)" : endpoint}`).join(", ");
}

function isDefault(id: string, endpoint: string): boolean {
  return isOperationId(id) && operations[id].endpoint === endpoint;
}

function unrecognizedNames(stack: StackConfiguration, environment: NodeJS.ProcessEnv): Check[] {
  return unrecognizedSettings([...stack.keys()], environment).map(({ problem, fix }) => ({
    check: "setting names",
    state: "warn",
    cause: "unknown-setting",
    seen: problem,
    fix,
  }));
}

function unsetSettings(given: (key: SettingKey) => unknown): Check[] {
  const unset = settingKeys.filter((key) => given(key) === undefined && key !== "baseUrl" && key !== "accessToken");
  return unset.length === 0 ? [] : [{ check: "other settings", state: "ok", seen: `not set: ${unset.join(", ")}` }];
}

/** The texts as they were given, so that a malformed secret stays hidden too. */
function secretsIn(stack: StackConfiguration, environment: NodeJS.ProcessEnv): string[] {
  const hidden = settingKeys.filter((key) => isSecretSetting(key) || (key === "baseUrl" && isSecretIn(stack, key)));
  return hidden
    .flatMap((key) => [stack.get(fullName(key))?.text, environment[environmentName(key)]])
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "");
}
