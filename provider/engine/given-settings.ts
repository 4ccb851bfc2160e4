import * as pulumi from "@pulumi/pulumi";
import { configNamespace } from "../settings";
import { unknownSettings } from "../unknown-settings";
import { programError } from "./program-error";

/** Runs whose settings are right, by the stack resource, of which each has its own: no need to look again. */
const isRight = new WeakSet<object>();
/** Stacks whose configuration was warned of: an Automation API process may run several. */
const warnedOf = new Set<string>();

/**
 * What only the program can see of the settings: the host is told the value of a key, but neither which others there are
 * nor which are secret. Throws where a name is none of a setting, or a cap that somebody misspelled would cap nothing.
 */
export function lookAtSettings(): void {
  const run = pulumi.runtime.getStackResource();
  if (run !== undefined && isRight.has(run)) return;
  const unknown = unknownSettings(Object.keys(pulumi.runtime.allConfig()), process.env);
  // A project of the same name keeps keys of its own there, as others may use variables that begin alike.
  const isOurs = pulumi.getProject() !== configNamespace;
  const wrong = unknown.filter(({ place, isSlip }) => isSlip || (place === "stack" && isOurs));
  if (wrong.length > 0) throw programError(wrong.map(({ problem, fix }) => `${problem}. ${fix}`).join("\n"));
  if (run !== undefined) isRight.add(run);
  const stack = `${pulumi.getProject()}/${pulumi.getStack()}`;
  if (warnedOf.has(stack)) return;
  warnedOf.add(stack);
  for (const { place, problem, fix } of unknown)
    if (place === "environment") void pulumi.log.warn(`${problem}. ${fix}`);
  warnOfPlainTokens();
}

/** The engine copies the stack's configuration into its state: a token that is not a secret there stands in the clear. */
function warnOfPlainTokens(): void {
  const config = new pulumi.Config(configNamespace);
  // Not in the SDK's types; where it is missing, no warning is better than a wrong one.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  for (const key of ["accessToken", "apiKey"]) {
    if (config.get(key) !== undefined && isConfigSecret?.(`${configNamespace}:${key}`) === false)
      void pulumi.log.warn(
        `${configNamespace}:${key} is in the stack's configuration in plain text, and so in its state: set it again with \`pulumi config set --secret ${configNamespace}:${key}\`.`,
      );
  }
}
