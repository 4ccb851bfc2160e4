import * as pulumi from "@pulumi/pulumi";

/** Ends the program with a message for the user, without a stack trace. The SDK can take half a minute to make one. */
export function programError(message: string): pulumi.RunError {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
