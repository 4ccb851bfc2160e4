import * as pulumi from "@pulumi/pulumi";
import { withCode } from "../service/errors";
import {
  configNamespace,
  givenSetting,
  isSecretSetting,
  readSettings,
  settingKeys,
  settingsErrorOf,
} from "../settings";
import { misspelledOrUnknown, unrecognizedSettings } from "../unrecognized-settings";
import { notKnownYet } from "./provider-arguments";
import { currentProgramRun, programError } from "./sdk";

/** Runs whose settings were checked. */
const checkedRuns = new WeakSet<object>();

/**
 * Checks what only the program can see of the settings. The host gets the value of a key, but does not know which other
 * keys there are, or which are secret. Throws on unrecognized names: a misspelled cap would do nothing.
 */
export function checkSettings(): void {
  const run = currentProgramRun();
  if (checkedRuns.has(run)) return;
  const unrecognized = unrecognizedSettings(Object.keys(pulumi.runtime.allConfig()), process.env);
  // A project of the same name keeps keys of its own there.
  const wrong = misspelledOrUnknown(unrecognized, pulumi.getProject() !== configNamespace);
  if (wrong.length > 0) throw programError("WA1002", [...wrong, ...malformedSettings()].join("\n"));
  checkedRuns.add(run);
  for (const { place, problem, fix } of unrecognized)
    if (place === "environment") void pulumi.log.warn(withCode("WA1002", `${problem} (ignored). ${fix}`));
  warnOfPlainTokens();
}

/** The host would report them, but only once every name is right. One that is missing may be set on a Provider. */
function malformedSettings(): string[] {
  const config = new pulumi.Config(configNamespace);
  const error = settingsErrorOf(() =>
    readSettings((key) => givenSetting(key, (name) => config.get(name), process.env)?.text ?? notKnownYet[key]),
  );
  return error === undefined ? [] : [error.message];
}

/** The engine copies the stack's configuration into the state. A token that is not a secret there is plain text. */
function warnOfPlainTokens(): void {
  const config = new pulumi.Config(configNamespace);
  // Not in the SDK's types. Where it is missing, no warning is better than a wrong one.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  for (const key of settingKeys.filter(isSecretSetting)) {
    if (config.get(key) !== undefined && isConfigSecret?.(`${configNamespace}:${key}`) === false)
      void pulumi.log.warn(
        withCode(
          "WA1003",
          `${configNamespace}:${key} is plain text in the stack's configuration, and so in its state. Set it again with \`pulumi config set --secret ${configNamespace}:${key}\`.`,
        ),
      );
  }
}
