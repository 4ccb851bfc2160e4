/** Where a command writes. */
export interface Output {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** One command of `workspace-apps`. */
export interface Command {
  /** Printed by `workspace-apps <command> --help`. */
  readonly help: string;
  /** Ends when the command has done its work; gives the exit code. */
  run(args: string[], output: Output): Promise<number>;
}

/** What the file of a command exports. */
export interface CommandModule {
  readonly command: Command;
}

/** The command was called in a way it does not understand: exit code 2, and no stack. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The command was called rightly and given the wrong thing: the same, and its help would not help. */
export class WrongInput extends UsageError {
  override readonly name = "WrongInput";
}
