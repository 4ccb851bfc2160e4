import { readFileSync } from "node:fs";
import { didYouMean } from "../provider/did-you-mean";
import type * as Errors from "../provider/service/errors";
import { type Command, InputError, type Output, UsageError } from "./command";
import { usageMessage } from "./usage-message";

interface HelpModule {
  readonly help: string;
}

type RunModule = Pick<Command, "run">;

/**
 * The help and the code of a command are loaded when needed, so that the others start fast. By `require`, because
 * `import()` would need the file extensions of the build, which the sources do not have.
 */
/* eslint-disable @typescript-eslint/no-require-imports */
const commands: Record<string, Command> = {
  adopt: {
    summary: "write a program that declares what is in a workspace",
    help: () => (require("./adopt/help") as HelpModule).help,
    run: (args, output) => (require("./adopt/run") as RunModule).run(args, output),
  },
  doctor: {
    summary: "check settings, credentials and the service, without changing anything",
    help: () => (require("./doctor/help") as HelpModule).help,
    run: (args, output) => (require("./doctor/run") as RunModule).run(args, output),
  },
  review: {
    summary: "report what is risky in a plan, for a pull request",
    help: () => (require("./review/help") as HelpModule).help,
    run: (args, output) => (require("./review/run") as RunModule).run(args, output),
  },
  simulator: {
    summary: "run the service in memory, to try a program offline",
    help: () => (require("./simulator/help") as HelpModule).help,
    run: (args, output) => (require("./simulator/run") as RunModule).run(args, output),
  },
};
/** Only a failure needs it. */
const errors = () => require("../provider/service/errors") as typeof Errors;
/* eslint-enable @typescript-eslint/no-require-imports */

const help = `Usage: workspace-apps <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(11)}${summary}`)
  .join("\n")}

Options:
  --help     print this text; after a command, print the help of that command, like \`help <command>\`
  --version  print the version of the package

Examples:
  pulumi preview --json --show-sames --show-replacement-steps | npx --no -- workspace-apps review
  npx --no -- workspace-apps simulator --port 4010

Exit codes: 0 success, 2 wrong usage, 1 any other failure. The help of a command lists its own. Errors go to standard
error.
`;

/** Runs the command that the arguments name. Resolves to the exit code: 2 for wrong usage, 1 for any other failure. */
export async function workspaceApps(args: string[], output: Output): Promise<number> {
  try {
    return await dispatch(args, output);
  } catch (error) {
    const { messageOf, ReportedError, withCode } = errors();
    const message = messageOf(error);
    if (!(error instanceof UsageError)) {
      output.err(`workspace-apps: ${error instanceof ReportedError ? message : withCode("WA2003", message)}\n`);
      return 1;
    }
    const { name, text } = helpFor(args);
    const hint = error instanceof InputError ? "" : ` Try ${name}.`;
    output.err(`workspace-apps: ${withCode(error.code, `${usageMessage(message, text)}${hint}`)}\n`);
    return 2;
  }
}

async function dispatch([name, ...args]: string[], output: Output): Promise<number> {
  if (name === undefined) throw new UsageError("A command is missing.");
  if (name === "--help" || name === "-h") return print(help, output);
  if (name === "--version") return print(`${version()}\n`, output);
  if (name === "help") return print(args[0] === undefined ? help : commandNamed(args[0]).help(), output);
  const command = commandNamed(name);
  if (args.includes("--help") || args.includes("-h")) return print(command.help(), output);
  return command.run(args, output);
}

function commandNamed(name: string): Command {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found !== undefined) return found;
  const nearest = didYouMean(name, Object.keys(commands));
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw new UsageError(`Unknown command or option ${JSON.stringify(name)}.${hint}`);
}

function helpFor([name = ""]: string[]): { name: string; text: string } {
  return Object.hasOwn(commands, name)
    ? { name: `workspace-apps ${name} --help`, text: commandNamed(name).help() }
    : { name: "workspace-apps --help", text: help };
}

function print(text: string, { out }: Output): number {
  out(text);
  return 0;
}

/** Found by the package's own name, because the sources and the build are at different depths. */
function version(): string {
  const manifest = readFileSync(require.resolve("pulumi-workspace-apps/package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
