import { spawn } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { run } from "../engine/run";

export interface StackOptions {
  /** The checkout, with the project's `Pulumi.yaml`. */
  readonly project: string;
  /** An empty folder for everything that the CLI writes: state, configuration, its home and temporary files. */
  readonly folder: string;
  /** The folder of the engine's programs. */
  readonly bin: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Receives each line of the CLI's output. */
  readonly show: (line: string) => void;
  readonly colour: boolean;
  readonly signal: AbortSignal;
}

const name = "demo";

/** A command takes seconds. A hanging one must not block a pipeline. */
const limit = 120_000;
/** How long an interrupted CLI may take to stop its child processes before it is killed. */
const grace = 10_000;

/** A stack of the project that leaves no trace in it. */
export class ThrowAwayStack {
  private constructor(
    private readonly options: StackOptions,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async create(options: StackOptions): Promise<ThrowAwayStack> {
    const { project, folder, signal } = options;
    for (const sub of ["state", "home", "tmp"]) await mkdir(join(folder, sub));
    const stack = new ThrowAwayStack(options, environmentFor(options));
    // `stack init` has no --config-file and writes next to Pulumi.yaml, so it runs next to a copy.
    await copyFile(join(project, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
    const init = ["stack", "init", name, "--non-interactive"];
    await run("pulumi", init, { cwd: folder, env: stack.environment, signal });
    return stack;
  }

  /** Runs a command and returns its output, without colour. */
  async pulumi(...args: string[]): Promise<string> {
    const { project, folder, show, colour, signal } = this.options;
    signal.throwIfAborted();
    const where = ["--stack", name, "--config-file", join(folder, `Pulumi.${name}.yaml`)];
    const how = ["--non-interactive", "--suppress-progress", "--color", colour ? "always" : "never"];
    // In its own session: Ctrl-C reaches the CLI once, from here, and not its children directly.
    const child = spawn("pulumi", [...args, ...where, ...how], {
      cwd: project,
      env: this.environment,
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
    let killing: NodeJS.Timeout | undefined;
    const end = (): void => {
      child.kill("SIGINT");
      killing = setTimeout(() => child.kill("SIGKILL"), grace);
    };
    stop.addEventListener("abort", end);
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on("line", (line) => {
        lines.push(stripVTControlCharacters(line));
        show(line);
      });
    }
    try {
      const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
      signal.throwIfAborted();
      if (stop.aborted) throw new Error(`pulumi ${args.join(" ")} had not ended after ${String(limit / 1000)} s`);
      if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with exit code ${String(code)}`);
      return lines.join("\n");
    } finally {
      clearTimeout(killing);
      stop.removeEventListener("abort", end);
    }
  }
}

/** Without the user's own Pulumi and service settings: a demo must not reach a real backend or workspace. */
function environmentFor({ bin, folder, environment }: StackOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(PULUMI|WORKSPACE_APPS)_/i.test(key));
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
    ...environment,
  };
}
