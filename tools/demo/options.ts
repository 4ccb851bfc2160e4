import { parseArgs } from "node:util";
import { usageMessage } from "../../cli/usage-message";

export const usage = `Usage: npm run demo -- [options]

Tells four stories with the real Pulumi CLI and a simulated service: the life of a webhook, a launch that is answered
with 409 after the campaign went live, a launch whose process is killed, and the review of a plan that would raise
spending. Each step says what to look at, and fails if what it promises does not hold.

Options:
  --keep  leave the simulator and its page open at the end, until Ctrl-C
  --help  print this text

Exit codes:
  0  every promise holds
  1  a promise does not hold, or something else failed
  2  wrong usage
`;

export interface Options {
  readonly keep: boolean;
  readonly help: boolean;
}

/** Throws an error of one line if an option does not exist. */
export function optionsIn(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { keep: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
    });
    return values;
  } catch (error) {
    throw new Error(usageMessage((error as Error).message, usage), { cause: error });
  }
}
