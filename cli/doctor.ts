import type { Command } from "./command";

const help = `Usage: workspace-apps doctor [options]

Checks the settings, whether the service is reached, which credential works for what, this machine's clock, and which
operations answer. It only reads: nothing is created, changed, deleted or generated in the service. Values of secrets
are never shown.

Options:
  --stack NAME     read this stack's configuration too, through the pulumi CLI; without it, the environment alone
  --cwd FOLDER     the folder of the Pulumi project, with --stack (default: this one)
  --id NAME=VALUE  an id with which operations are called; may be given for each of these:
                   app_id, agent_id, webhook_id, folder_id, entity_name, entity_id, flow_id, session_id,
                   integration_type
  --json           the same for programs
  --help           this text

Operations whose ids are not given are listed as not checked. webhook_id, entity_id and flow_id are taken from the
service's own lists where they are left out.

Examples:
  npx --no -- workspace-apps doctor
  npx --no -- workspace-apps doctor --stack dev --id app_id=app-shop --id agent_id=agent-support
  npx --no -- workspace-apps doctor --json | jq '.checks[] | select(.state == "fail")'

Exit codes:
  0  nothing failed; there may be warnings, and things that were not checked
  1  something failed, and its row says how to mend it
  2  wrong use
`;

/** @public `workspace-apps.ts` requires it. */
export const command: Command = {
  help,
  run(args, output) {
    // Loaded when it runs: the help stays fast.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return (require("./doctor/run") as Pick<Command, "run">).run(args, output);
  },
};
