import { readFileSync } from "node:fs";
import { type Command, type CommandModule, type Output, UsageError, WrongInput } from "./command";

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
  --help     this text; after a command, that command's
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
    const usage = error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    const hint = usage && !(error instanceof WrongInput) ? ` Try ${helpFor(args)}.` : "";
    // Wrong use is one line in a log, however Node words it.
    output.err(`workspace-apps: ${usage ? message.replaceAll("\n", " ") : message}${hint}\n`);
    return usage ? 2 : 1;
  }
}

async function dispatch([name, ...args]: string[], output: Output): Promise<number> {
  if (name === undefined) throw new UsageError("A command is missing.");
  if (name === "--help" || name === "-h") return print(help, output);
  if (name === "--version") return print(`${version()}\n`, output);
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) throw new UsageError(`There is no command or option ${JSON.stringify(name)}.`);
  const command = found.load();
  if (args.includes("--help") || args.includes("-h")) return print(command.help, output);
  return command.run(args, output);
}

function helpFor([name = ""]: string[]): string {
  return Object.hasOwn(commands, name) ? `workspace-apps ${name} --help` : "workspace-apps --help";
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
