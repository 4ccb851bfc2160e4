import { wrapText } from "../wrap-text";
import { idNames, listOperationFor } from "./read-operations";

const indent = " ".repeat(19);

/** @public `workspace-apps.ts` requires it. */
export const help = `Usage: workspace-apps doctor [options]

Checks the settings, the connection to the service, what each credential can do, this machine's clock, and which
operations respond. It only reads: it creates, changes, deletes and generates nothing in the service. It never prints
secrets.

Options:
  --stack NAME     also read the configuration of this stack, through the pulumi CLI; default: only the environment
  --cwd FOLDER     the folder of the Pulumi project, with --stack (default: the current folder)
  --id NAME=VALUE  an id to call operations with; can be given once for each of:
${wrapText(idNames.join(", "), 100)
  .map((line) => indent + line)
  .join("\n")}
  --json           print the report as JSON
  --help           print this text

An operation whose ids are not given is listed as not checked. If you leave out ${listedIds()}, the
first one in the service's list is used.

Examples:
  npx --no -- workspace-apps doctor
  npx --no -- workspace-apps doctor --stack dev --id app_id=app-shop --id agent_id=agent-support
  npx --no -- workspace-apps doctor --json | jq '.checks[] | select(.state == "fail")'

Exit codes:
  0  nothing failed; there may be warnings and skipped checks
  1  something failed; its row shows how to fix it
  2  wrong usage
`;

function listedIds(): string {
  const names = Object.keys(listOperationFor);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}
