import type { Command } from "./command";

/* Loaded only when needed, so that the other commands start fast. */
/* eslint-disable @typescript-eslint/no-require-imports */

/** @public `workspace-apps.ts` requires it. */
export const command: Command = {
  get help() {
    return (require("./simulator/help") as Pick<Command, "help">).help;
  },
  run(args, output) {
    return (require("./simulator/run") as Pick<Command, "run">).run(args, output);
  },
};
