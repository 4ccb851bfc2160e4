import * as pulumi from "@pulumi/pulumi";

/** Whether a program gives the value as an output or a promise, so that it is not known yet. */
export function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}
