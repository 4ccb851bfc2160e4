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
import type { Check } from "./finding";
import type { StackConfiguration } from "./stack";

export interface SettingsVisit {
  /** Undefined when they are missing or malformed. */
  readonly settings: Settings | undefined;
  readonly checks: readonly Check[];
  /** What must not be printed. */
  readonly secrets: readonly string[];
  /** How to take a setting away, where it was given. */
  readonly removal: (key: SettingKey) => string;
}

/** Reads the settings as `pulumi up` would, and says of each where it comes from and what is wrong with it. */
export function visitSettings(stack: StackConfiguration, environment: NodeJS.ProcessEnv): SettingsVisit {
  const configured = (key: SettingKey): string | undefined => stack.get(fullName(key))?.text;
  const given = (key: SettingKey) => givenSetting(key, configured, environment);
  const [settings, error] = attempt(() => readSettings(configured, environment));
  const checks = settingKeys.flatMap((key): Check[] => {
    const problems = error?.problems.filter((problem) => problem.key === key) ?? [];
    const setting = given(key);
    if (problems.length > 0)
      return problems.map(({ problem, fix }) => ({
        check: `setting ${key}`,
        state: "fail",
        cause: setting === undefined ? "missing" : "malformed",
        seen: setting === undefined ? problem : `${problem} (given by ${placeOf(key, setting.place)})`,
        fix,
      }));
    if (setting === undefined) return [];
    const isHidden = isSecretSetting(key) || isSecretIn(stack, key);
    const place = placeOf(key, setting.place);
    const shadowed = setting.place === "stack" && environment[environmentName(key)]?.trim();
    const seen = [
      isHidden ? `set by ${place}, not shown` : `${shownValue(key, setting.text)} (by ${place})`,
      ...(shadowed ? [`${environmentName(key)} is set too, and has no effect`] : []),
    ].join("; ");
    const isPlain = isSecretSetting(key) && setting.place === "stack" && !isSecretIn(stack, key);
    return [{ check: `setting ${key}`, ...(isPlain ? plainText(key, seen) : { state: "ok", seen }) }];
  });
  return {
    settings,
    checks: [...checks, ...unknownNames(stack, environment), ...defaults(given)],
    secrets: secretsIn(stack, environment),
    removal: (key) =>
      given(key)?.place === "stack"
        ? `run \`pulumi config rm ${fullName(key)}\`, then \`pulumi up\``
        : `unset ${environmentName(key)}`,
  };
}

function attempt(read: () => Settings): [Settings, undefined] | [undefined, SettingsError] {
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

function plainText(key: SettingKey, seen: string): Omit<Check, "check"> {
  return {
    state: "warn",
    cause: "plain-text-secret",
    seen: `${seen}; it stands there in plain text, and after an \`up\` in the state too`,
    fix: `Set it again with \`pulumi config set --secret ${fullName(key)}\`, run \`pulumi up\`, and replace it in the service. Or keep it in ${environmentName(key)}.`,
  };
}

/** Only called for values that were read: a malformed one is not repeated. */
function shownValue(key: SettingKey, text: string): string {
  if (key !== "endpoints") return text;
  const set = Object.entries(JSON.parse(text) as Record<string, string>);
  if (set.length === 0) return "nothing set";
  return set.map(([id, endpoint]) => `${id} ${isDefault(id, endpoint) ? "as by default" : endpoint}`).join(", ");
}

function isDefault(id: string, endpoint: string): boolean {
  return isOperationId(id) && operations[id].endpoint === endpoint;
}

function unknownNames(stack: StackConfiguration, environment: NodeJS.ProcessEnv): Check[] {
  return unrecognizedSettings([...stack.keys()], environment).map(({ problem, fix }) => ({
    check: "setting names",
    state: "warn",
    cause: "unknown-setting",
    seen: problem,
    fix,
  }));
}

function defaults(given: (key: SettingKey) => unknown): Check[] {
  const left = settingKeys.filter((key) => given(key) === undefined && key !== "baseUrl" && key !== "accessToken");
  return left.length === 0 ? [] : [{ check: "other settings", state: "ok", seen: `not set: ${left.join(", ")}` }];
}

/** As they were given, so that also one that is malformed stays hidden. */
function secretsIn(stack: StackConfiguration, environment: NodeJS.ProcessEnv): string[] {
  const hidden = settingKeys.filter((key) => isSecretSetting(key) || (key === "baseUrl" && isSecretIn(stack, key)));
  return hidden
    .flatMap((key) => [stack.get(fullName(key))?.text, environment[environmentName(key)]])
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "");
}
