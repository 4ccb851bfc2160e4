/** @public `workspace-apps.ts` requires it. */
export const help = `Usage: workspace-apps adopt [options]

Reads what is in a workspace and prints a Pulumi program that brings it under management. Every object is declared with
its own id and values, so the first \`pulumi up\` adopts it and changes nothing. It only reads: it creates, changes and
deletes nothing in the service. It prints no token and no signing secret. A URL that looks as if it held a key is read
from the configuration instead. Fields of records are printed unchanged: check the program before you commit it.

Options (give at least one of the first four; all but --format and --out can be repeated):
  --agent ID          every webhook of this agent
  --app ID            every live campaign, every test and every ignored security finding of this app
  --folder ID         every app in this folder
  --entity APP/ENTITY every record of this entity
  --exclude FILE      leave out what a stack manages already: the output of \`pulumi stack export\`
  --format FORMAT     program (default), or import: the file for \`pulumi import --file\`, which needs the packaged form
  --out FILE          write to a new file; default: standard output
  --help              print this text

The settings are read only from the environment: WORKSPACE_APPS_BASE_URL, WORKSPACE_APPS_ACCESS_TOKEN and the others.
The command reports on standard error what it could not read or declare.

Examples:
  npx --no -- workspace-apps adopt --agent agent-support --app app-shop --out adopted.ts
  npx --no -- workspace-apps adopt --entity app-shop/TaxRate --exclude state.json
  npx --no -- workspace-apps adopt --agent agent-support --format import --out import.json

Exit codes:
  0  everything that was found is declared
  1  something could not be read or declared, or nothing was found of an ID; the rest is declared
  2  wrong usage, missing settings, an --exclude file that is not a stack export, or an --out file that cannot be written; nothing is written
`;
