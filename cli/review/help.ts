import { categoryNames } from "./risk-categories";
import { wrapText } from "../wrap-text";

const indent = " ".repeat(26);

/** @public `workspace-apps.ts` requires it. */
export const help = `Usage: workspace-apps review [FILE] [options]

Reads the plan that \`pulumi preview --json\` prints, from FILE or standard input. Prints a Markdown report for a pull
request: daily spend, launches, permanent deletions, and everything else that a reviewer should know. It calls neither
Pulumi nor the service. It never prints secrets.

Options:
  --state FILE            \`pulumi stack export\` of the state that the plan was made from; gates need it
  --format FORMAT         markdown (default) or json
  --fail-on LIST          exit with code 3 if the plan has one of these categories, separated by commas; any: all of them
${wrapText(categoryNames.join(", "), 92)
  .map((line) => indent + line)
  .join("\n")}
  --max-daily-spend LIMIT exit with code 4 if the campaigns may spend more a day after the plan, or if the plan does
                          not show what they may spend: 50 for each currency separately, or USD=50,JPY=8000
  --help                  print this text

Examples:
  pulumi preview --json --show-sames --show-replacement-steps | npx --no -- workspace-apps review
  pulumi stack export > state.json
  npx --no -- workspace-apps review plan.json --state state.json --fail-on permanent-delete --max-daily-spend 100

Without --show-sames and --show-replacement-steps a plan leaves out unchanged campaigns and pending deletions.

Exit codes:
  0  reviewed; no gate failed
  1  the plan is incomplete: the preview failed, or it has something that this version does not support;
     or a gate is not judged: --state or --show-replacement-steps is missing, the plan does not list every resource of
     the state, or the state is not the one that the plan was made from
  2  wrong usage, or the input is not a plan
  3  --fail-on: the plan has one of the categories
  4  --max-daily-spend: exceeded, or the plan does not show that it is kept
  If several apply, 1 comes before 4, and 4 before 3. The report is printed in all cases except 2.
`;
