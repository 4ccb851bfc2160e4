import { readFileSync } from "node:fs";
import { didYouMean } from "../provider/did-you-mean";
import { type Command, type CommandModule, type Output, UsageError, WrongInput } from "./command";
import { wordingOf } from "./wrong-use";

/**
 * A command is loaded when it runs, so that the others and the help stay fast: by `require`, because `import()` would
 * want the file endings of the build, which the sources do not have.
 */
/* eslint-disable @typescript-eslint/no-require-imports */
const commands: Record<string, { summary: string; load: () => Command }> = {
  doctor: {
    summary: "check settings, credentials and the service, changing nothing",
    load: () => (require("./doctor") as CommandModule).command,
  },
  review: {
    summary: "say what is risky in a plan, for a pull request",
    load: () => (require("./review") as CommandModule).command,
  },
  simulator: {
    summary: "run the service in memory, to try a program offline",
    load: () => (require("./simulator") as CommandModule).command,
  },
};
/* eslint-enable @typescript-eslint/no-require-imports */

const help = `Usage: workspace-apps <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(11)}${summary}`)
  .join("\n")}

Options:
  --help     this text; after a command, that command's, as \`help <command>\` prints
  --version  the version of the package

Examples:
  pulumi preview --json --show-sames | npx --no -- workspace-apps review
  npx --no -- workspace-apps simulator --port 4010

Exit codes: 0 done, 2 wrong use, 1 any other failure; a command's help has its own. Errors are printed on standard error.
`;

/** Runs the command that the arguments name and gives the exit code: 2 for wrong usage, 1 for any other failure. */
export async function workspaceApps(args: string[], output: Output): Promise<number> {
  try {
    return await dispatch(args, output);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof UsageError)) {
      output.err(`workspace-apps: ${message}\n`);
      return 1;
    }
    const { name, text } = helpFor(args);
    const hint = error instanceof WrongInput ? "" : ` Try ${name}.`;
    output.err(`workspace-apps: ${wordingOf(message, text)}${hint}\n`);
    return 2;
  }
}

async function dispatch([name, ...args]: string[], output: Output): Promise<number> {
  if (name === undefined) throw new UsageError("A command is missing.");
  if (name === "--help" || name === "-h") return print(help, output);
  if (name === "--version") return print(`${version()}\n`, output);
  if (name === "help") return print(args[0] === undefined ? help : commandOf(args[0]).help, output);
  const command = commandOf(name);
  if (args.includes("--help") || args.includes("-h")) return print(command.help, output);
  return command.run(args, output);
}

function commandOf(name: string): Command {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found !== undefined) return found.load();
  const instead = didYouMean(name, Object.keys(commands));
  const hint = instead === undefined ? "" : ` Did you mean ${instead}?`;
  throw new UsageError(`There is no command or option ${JSON.stringify(name)}.${hint}`);
}

function helpFor([name = ""]: string[]): { name: string; text: string } {
  return Object.hasOwn(commands, name)
    ? { name: `workspace-apps ${name} --help`, text: commandOf(name).help }
    : { name: "workspace-apps --help", text: help };
}

function print(text: string, { out }: Output): number {
  out(text);
  return 0;
}

/** Found by the package's own name, because the sources and the build lie at different depths. */
function version(): string {
  const manifest = readFileSync(require.resolve("pulumi-workspace-apps/package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
