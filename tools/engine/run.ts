import { spawn } from "node:child_process";

/** Receives progress: whole lines without colour, the same in a terminal and in a CI log. */
export type Say = (line: string) => void;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

const onWindows = process.platform === "win32";

/**
 * Runs a program and returns its standard output. An error contains the last lines that it printed. The program has its
 * own process group, because ending `go` alone leaves its compilers running.
 */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { signal, ...where } = options;
  signal?.throwIfAborted();
  const child = spawn(program, args, { ...where, detached: !onWindows, stdio: ["ignore", "pipe", "pipe"] });
  const end = (): void => {
    if (onWindows || child.pid === undefined) child.kill();
    else if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGTERM");
  };
  signal?.addEventListener("abort", end);
  process.once("exit", end);
  const printed = { out: "", all: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.out += text;
    printed.all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.all += text;
  });
  try {
    // "close", not "exit": the folder is removed next, so nothing of the group may still write.
    const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    signal?.throwIfAborted();
    if (code === 0) return printed.out;
    throw new Error([...printed.all.trim().split("\n").slice(-5), `(exit code ${String(code)})`].join("\n"));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw missing ? new Error(`${program} is not on PATH`) : error;
  } finally {
    signal?.removeEventListener("abort", end);
    process.off("exit", end);
  }
}

/** Prints the start of a step, every 15 s that it still runs, and at its end how long it took. */
export async function step<T>(say: Say, what: string, expectation: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 100) / 10;
  say(`${what} ...`);
  const reminder = setInterval(() => {
    say(`still ${what}, ${String(Math.round(seconds()))} s; ${expectation}`);
  }, 15_000);
  let outcome = "failed";
  try {
    const result = await work();
    outcome = "done";
    return result;
  } finally {
    clearInterval(reminder);
    say(`${what}: ${outcome} after ${String(seconds())} s`);
  }
}

/**
 * Turns Ctrl-C into an abort, so that child processes end and `finally` blocks clean up before the process ends. A second
 * Ctrl-C ends it at once. Where the caller has its own handler (a test runner), that handler decides.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const received: NodeJS.Signals[] = [];
  const onSignal = (name: NodeJS.Signals): void => {
    received.push(name);
    interruption.abort(new Error(`interrupted by ${name}`));
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.once(name, onSignal);
  try {
    return await work(interruption.signal);
  } finally {
    for (const name of names) process.off(name, onSignal);
    const unhandled = received.find((name) => process.listenerCount(name) === 0);
    if (unhandled !== undefined) process.kill(process.pid, unhandled);
  }
}
