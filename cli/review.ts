import type { Command } from "./command";

const help = `Usage: workspace-apps review [FILE] [options]

Reads the plan that \`pulumi preview --json\` prints, from FILE or standard input, and prints a Markdown report for a
pull request: daily spend, launches, what is deleted for good, and all else that a reviewer must know. It asks neither
Pulumi nor the service. Values of secrets are never shown.

Options:
  --format FORMAT         markdown (default) or json
  --fail-on LIST          exit code 3 when the plan has one of these, separated by commas; any: all of them
                          permanent-delete, launch, spend, unremovable, hidden-finding, webhook-target,
                          secret-rotation, webhook-switch, later-delete, gone, adoption, left-behind, record-write,
                          unmanaged-field, assumed-path
  --max-daily-spend LIMIT exit code 4 when the campaigns may spend more a day after the plan, or nothing shows that
                          they may not: 50 for each currency alike, or USD=50,JPY=8000
  --help                  this text

Examples:
  pulumi preview --json --show-sames | npx --no -- workspace-apps review
  npx --no -- workspace-apps review plan.json --fail-on permanent-delete,spend --max-daily-spend USD=100
  pulumi destroy --preview-only --json | npx --no -- workspace-apps review --format json

Without --show-sames a plan leaves out what does not change, and the sums of daily spend are of the rest alone.

Exit codes:
  0  judged, and no gate is closed
  1  the plan is incomplete: the preview failed, or holds what this version does not know
  2  wrong use, or the input is no plan
  3  --fail-on: the plan has one of these
  4  --max-daily-spend: exceeded, or not shown to be kept
  The first of 1, 4 and 3 that applies counts. The report is printed in all these cases but 2.
`;

/** @public `workspace-apps.ts` requires it. */
export const command: Command = {
  help,
  run(args, output) {
    // Loaded for a review alone: the help stays fast.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return (require("./review/run") as Pick<Command, "run">).run(args, output);
  },
};
