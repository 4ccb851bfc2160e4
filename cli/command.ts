import type { MessageCode } from "../provider/service/message-codes";

/** Where a command writes. */
export interface Output {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** One command of `workspace-apps`. */
export interface Command {
  /** One line for `workspace-apps --help`. */
  readonly summary: string;
  /** Printed by `workspace-apps <command> --help`. */
  readonly help: () => string;
  /** Resolves to the exit code when the command has finished. */
  readonly run: (args: string[], output: Output) => Promise<number>;
}

/** Wrong usage: exit code 2, a hint to the help, and no stack trace. */
export class UsageError extends Error {
  readonly code: MessageCode = "WA2001";
  override readonly name: string = "UsageError";
}

/** Valid usage, bad input: exit code 2 without a hint to the help. */
export class InputError extends UsageError {
  override readonly code = "WA2002";
  override readonly name = "InputError";
}
