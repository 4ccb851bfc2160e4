import * as pulumi from "@pulumi/pulumi";
import { configNamespace } from "../settings";

/** Stacks whose configuration was looked at: an Automation API process may run several. */
const lookedAt = new Set<string>();

/** The engine copies the stack's configuration into its state: a token that is not a secret there stands in the clear. */
export function warnOfPlainTokens(): void {
  const stack = `${pulumi.getProject()}/${pulumi.getStack()}`;
  if (lookedAt.has(stack)) return;
  lookedAt.add(stack);
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
