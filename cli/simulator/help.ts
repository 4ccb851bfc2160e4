import { controlRoutesHelp } from "../../simulator/control/help";

/** @public `workspace-apps.ts` requires it. */
export const help = `Usage: workspace-apps simulator [options]

Runs the service in memory, over HTTP, for tests and to try a program offline. It is a test tool: it listens on
127.0.0.1 alone, and everyone who reaches its port can control it. Web pages of other origins cannot: they get a 403.
All data is lost when it stops.

It prints the address of its page, /__simulator/, which shows what it holds and what it was asked, and can make it fail.

Options:
  --port NUMBER   the port; 0 uses any free port (default 4010)
  --limits JSON   requests per minute by operation, instead of the documented limits
  --token VALUE   accept this full-access token instead of "full-access-token"
  --help          print this text

Example:
  npx --no -- workspace-apps simulator --port 4010 --limits '{"webhook.update": 1000}'

Exit codes: 0 stopped by Ctrl-C or SIGTERM, 2 wrong usage, 1 any other failure, such as a port in use.

Control interface: JSON without a credential, under /__simulator/. A PUT or POST takes a body, a GET or DELETE a query:
  curl -s -X PUT http://127.0.0.1:4010/__simulator/language-model -d '{"state": "unavailable"}'
  curl -s "http://127.0.0.1:4010/__simulator/launches?appId=a"

${controlRoutesHelp()}
`;
