import { meant } from "./meant";
import { configNamespace, environmentName, environmentPrefix, settingKeys } from "./settings";

/** A name that looks like a setting and is none: what it is meant to set is not set. */
export interface UnknownSetting {
  readonly name: string;
  readonly place: "stack" | "environment";
  /** Whether a setting is surely meant, so that the name is of use to nobody. */
  readonly isSlip: boolean;
  readonly problem: string;
  readonly fix: string;
}

/** Every such name among the keys of a stack's configuration and the variables of the environment. */
export function unknownSettings(stackKeys: readonly string[], environment: NodeJS.ProcessEnv): UnknownSetting[] {
  const keyOf = (key: string): string => `${configNamespace}:${key}`;
  return [
    ...unknownIn("stack", stackKeys, keyOf(""), settingKeys.map(keyOf)),
    ...unknownIn("environment", Object.keys(environment), environmentPrefix, settingKeys.map(environmentName)),
  ];
}

function unknownIn(
  place: UnknownSetting["place"],
  names: readonly string[],
  prefix: string,
  known: readonly string[],
): UnknownSetting[] {
  const bareNames = known.map((name) => name.slice(prefix.length));
  return names
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .sort()
    .map((name) => {
      const found = meant(name.slice(prefix.length), bareNames);
      return {
        name,
        place,
        isSlip: found !== undefined,
        problem: `${name} is no setting, and has no effect`,
        fix:
          found === undefined
            ? `Take it away, or correct it to one of ${known.join(", ")}.`
            : `${prefix}${found} is meant.`,
      };
    });
}
