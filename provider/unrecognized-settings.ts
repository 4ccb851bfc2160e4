import { didYouMean } from "./did-you-mean";
import { configNamespace, environmentName, environmentPrefix, settingKeys } from "./settings";

/** A name that looks like a setting but is not one, so that it has no effect. */
export interface UnrecognizedSetting {
  readonly name: string;
  readonly place: "stack" | "environment";
  /** Whether it is close to the name of a setting. */
  readonly isMisspelled: boolean;
  readonly problem: string;
  readonly fix: string;
}

/** The unrecognized names among the keys of a stack's configuration and the variables of the environment. */
export function unrecognizedSettings(
  stackKeys: readonly string[],
  environment: NodeJS.ProcessEnv,
): UnrecognizedSetting[] {
  const keyOf = (key: string): string => `${configNamespace}:${key}`;
  return [
    ...unrecognizedIn("stack", stackKeys, keyOf(""), settingKeys.map(keyOf)),
    ...unrecognizedIn("environment", Object.keys(environment), environmentPrefix, settingKeys.map(environmentName)),
  ];
}

/**
 * The refused ones, a line for each: misspelled settings, and unknown keys of the stack. Unknown variables may belong to
 * another program.
 *
 * @param isOurs Whether the keys of the stack in this namespace can only be ours.
 */
export function misspelledOrUnknown(found: readonly UnrecognizedSetting[], isOurs: boolean): string[] {
  return found
    .filter(({ place, isMisspelled }) => isMisspelled || (place === "stack" && isOurs))
    .map(({ problem, fix }) => `${problem}. ${fix}`);
}

function unrecognizedIn(
  place: UnrecognizedSetting["place"],
  names: readonly string[],
  prefix: string,
  known: readonly string[],
): UnrecognizedSetting[] {
  const knownWithoutPrefix = known.map((name) => name.slice(prefix.length));
  return names
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .sort()
    .map((name) => {
      const suggestion = didYouMean(name.slice(prefix.length), knownWithoutPrefix);
      return {
        name,
        place,
        isMisspelled: suggestion !== undefined,
        problem: `Unknown setting ${name}`,
        fix:
          suggestion === undefined
            ? `Remove it, or use one of ${known.join(", ")}.`
            : `Did you mean ${prefix}${suggestion}?`,
      };
    });
}
