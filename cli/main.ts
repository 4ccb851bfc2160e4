#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { type Command, type CommandModule, UsageError } from "./command";

/**
 * A command is loaded when it runs, so that the others and the help stay fast: by `require`, because `import()` would
 * want the file endings of the build, which the sources do not have.
 */
/* eslint-disable @typescript-eslint/no-require-imports */
const commands: Record<string, { summary: string; load: () => Command }> = {
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

Example:
  npx workspace-apps simulator --port 4010
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined) throw new UsageError("A command is missing.");
  if (name === "--help" || name === "-h" || name === "help") return print(help);
  if (name === "--version" || name === "-v") return print(`${version()}\n`);
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) throw new UsageError(`There is no command or option ${JSON.stringify(name)}.`);
  const command = found.load();
  if (args.includes("--help") || args.includes("-h")) return print(command.help);
  return command.run(args);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Found by the package's own name, because the sources and the build lie at different depths. */
function version(): string {
  const { version } = JSON.parse(readFileSync(require.resolve("pulumi-workspace-apps/package.json"), "utf8")) as {
    version: string;
  };
  return version;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const usage = error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`workspace-apps: ${message}\n${usage ? "Try workspace-apps --help.\n" : ""}`);
    process.exitCode = usage ? 2 : 1;
  },
);
