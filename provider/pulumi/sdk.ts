import * as pulumi from "@pulumi/pulumi";
import { withCode } from "../service/errors";
import type { MessageCode } from "../service/message-codes";
import { configNamespace } from "../settings";
import type { Form } from "./urn";

/* Questions that the public types of the SDK do not answer, and errors that it prints as messages to the user. */

/** Whether a program gives the value as an output or a promise, so that it is not known yet. */
export function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** A test with mocks may have no run. */
const outsideOfAnyRun = {};

/** Stands for the run of the program: each run has its own stack resource. */
export function currentProgramRun(): object {
  return pulumi.runtime.getStackResource() ?? outsideOfAnyRun;
}

/** Whether a test runs the program with `pulumi.runtime.setMocks`. */
export function hasMocks(): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

/** Ends the program with a message for the user, without a stack trace. The SDK can take half a minute to make one. */
export function programError(code: MessageCode, text: string): pulumi.RunError {
  const message = withCode(code, text);
  return Object.assign(new pulumi.RunError(message), { stack: message });
}

/** The error of a failed look-up. If the program does not catch it, Pulumi shows the message without a stack trace. */
export class LookupError extends pulumi.RunError {
  /** Tells it apart where `instanceof` cannot, such as between two copies of this package. */
  override readonly name = "LookupError";
  constructor(message: string) {
    super(message);
    // Pulumi prints the stack of an error that the program does not handle.
    this.stack = message;
  }
}

/** The packages of the forms' Providers, as Pulumi compares them with the type of a resource. */
const packages: Record<Form, string> = { dynamic: "pulumi-nodejs", packaged: configNamespace };

/** Whether the option `provider` is a Provider of the other form. The engine would send it what its host does not know. */
export function isOfOtherForm(form: Form, provider: unknown): boolean {
  // Not in the SDK's public types.
  const ofProvider = (provider as { getPackage?: () => string } | undefined)?.getPackage?.();
  return ofProvider !== undefined && ofProvider !== packages[form];
}
