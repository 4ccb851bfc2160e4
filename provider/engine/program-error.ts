import * as pulumi from "@pulumi/pulumi";

/**
 * Ends the program with a message for the user alone. Its stack trace, which says nothing to the user, is left out, also
 * because the SDK takes half a minute to work one out when an exported function fails.
 */
export function programError(message: string): pulumi.RunError {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
