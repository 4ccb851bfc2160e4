import { type ChildProcess, spawn } from "node:child_process";
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { LoggedRequest } from "../../simulator";
import { run, type Say } from "../engine/run";
import { kill, processTree } from "../harness/crash";
import { type Command, typed } from "./command";
import { linkPackage } from "./link-examples";

export interface ProjectOptions {
  /** An empty folder for the program and everything that the CLI writes: state, configuration, temporary files. */
  readonly folder: string;
  /** The folder of the engine's programs. */
  readonly bin: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly colour: boolean;
  readonly signal: AbortSignal;
}

/** The options of a command. */
export interface Watch {
  /** Receives each line that it prints. */
  readonly show: Say;
  /** The requests that the service has received so far. */
  readonly received: () => readonly LoggedRequest[];
}

const checkout = resolve(__dirname, "..", "..");
const stack = "demo";
const settings = `name: shop
runtime:
  name: nodejs
  options:
    tsconfig: tsconfig.run.json
`;
/** A TypeScript program needs these beside this package. */
const packages = ["@pulumi", "@types", "ts-node", "typescript"];

/** A command takes seconds. A hanging one must not block a pipeline. */
const limit = 120_000;
/** How long an interrupted command may take to stop its child processes before it is killed. */
const grace = 10_000;

/** A project of its own with one stack. It leaves no trace in the checkout. */
export class ThrowAwayProject {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly programFile: string;

  private constructor(private readonly options: ProjectOptions) {
    this.environment = environmentFor(options);
    this.programFile = join(options.folder, "index.ts");
  }

  static async create(options: ProjectOptions): Promise<ThrowAwayProject> {
    const { folder, signal } = options;
    for (const sub of ["state", "home", "tmp", "node_modules"]) await mkdir(join(folder, sub));
    const project = new ThrowAwayProject(options);
    for (const file of ["package.json", "tsconfig.json", "tsconfig.run.json"])
      await copyFile(join(checkout, "examples", "quickstart", file), join(folder, file));
    await writeFile(join(folder, "Pulumi.yaml"), settings);
    await writeFile(project.programFile, "");
    await linkPackage(join(folder, "node_modules"));
    for (const name of packages)
      await symlink(join(checkout, "node_modules", name), join(folder, "node_modules", name), "junction");
    const init = ["stack", "init", stack, "--non-interactive"];
    await run("pulumi", init, { cwd: folder, env: project.environment, signal });
    return project;
  }

  /** Replaces the program, and returns the old one. */
  async changeProgram(program: string): Promise<string> {
    const old = await readFile(this.programFile, "utf8");
    await writeFile(this.programFile, program);
    return old;
  }

  /** Runs a command and returns what it printed, without colour. Throws if it ends in another way than it should. */
  async run(command: Command, { show, received }: Watch): Promise<string> {
    const { folder, colour, signal } = this.options;
    const { into, killedAt, exitCode = 0 } = command;
    signal.throwIfAborted();
    const [program, ...args] = command.words;
    // In its own session: Ctrl-C reaches the CLI once, from here, and not its children directly.
    const child = spawn(program, [...args, ...displayOptions(command, colour)], {
      cwd: folder,
      env: this.environment,
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: string[] = [];
    const print = (input: Readable): void => {
      createInterface({ input }).on("line", (line) => {
        lines.push(stripVTControlCharacters(line));
        show(line);
      });
    };
    print(child.stderr);
    const saved = into === undefined ? undefined : text(child.stdout);
    if (saved === undefined) print(child.stdout);
    const isReached = (): boolean => received().some(({ operation }) => operation === killedAt);
    const [code] = await Promise.all([
      ending(child, typed(command), signal),
      killedAt === undefined ? undefined : killWhen(child, isReached),
    ]);
    if (killedAt !== undefined && code !== null) throw new Error(`${typed(command)} ended before it could be killed`);
    if (killedAt === undefined && code !== exitCode)
      throw new Error(`${typed(command)} ended with exit code ${String(code)}, not ${String(exitCode)}`);
    if (into !== undefined) await writeFile(join(folder, into), (await saved) ?? "");
    return lines.join("\n");
  }
}

/** Resolves with the exit code when the command and everything that writes to its output have ended; null: it was killed. */
async function ending(child: ChildProcess, name: string, signal: AbortSignal): Promise<number | null> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
  let killing: NodeJS.Timeout | undefined;
  const end = (): void => {
    child.kill("SIGINT");
    killing = setTimeout(() => child.kill("SIGKILL"), grace);
  };
  stop.addEventListener("abort", end);
  try {
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once("error", reject).once("close", resolve),
    );
    signal.throwIfAborted();
    if (stop.aborted) throw new Error(`${name} had not ended after ${String(limit / 1000)} s`);
    return code;
  } finally {
    clearTimeout(killing);
    stop.removeEventListener("abort", end);
  }
}

/** Kills a command and everything that it started, as the end of a machine does, unless it ends before. */
async function killWhen(child: ChildProcess, isTime: () => boolean): Promise<void> {
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded() && !isTime()) await delay(10);
  if (hasEnded() || child.pid === undefined) return;
  kill(processTree(child.pid));
}

/** The commands that show progress. */
const operations = ["preview", "up", "refresh", "destroy"];

/** For output that is the same in a terminal and in a log. These options are not shown. */
function displayOptions({ words: [program, name = ""], into }: Command, colour: boolean): string[] {
  if (program !== "pulumi") return [];
  const how = ["--non-interactive", "--color", colour && into === undefined ? "always" : "never"];
  return operations.includes(name) ? [...how, "--suppress-progress"] : how;
}

/**
 * Without the user's own Pulumi and service settings: a demo must not reach a real backend or workspace. And without those
 * of `npm run`, which tell npx to search the checkout instead of the project.
 */
function environmentFor({ bin, folder, environment }: ProjectOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(PULUMI|WORKSPACE_APPS|npm)_/i.test(key));
  const temporary = join(folder, "tmp");
  return {
    ...Object.fromEntries(inherited),
    PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_STACK: stack,
    ...environment,
  };
}
