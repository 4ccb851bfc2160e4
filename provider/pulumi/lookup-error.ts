import * as pulumi from "@pulumi/pulumi";

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
