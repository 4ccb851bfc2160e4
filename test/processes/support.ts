import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";

export const root = join(__dirname, "../..");
export const command = join(root, "cli/main.ts");
export const withTypeScript = ["--require", "ts-node/register"];

/** Runs `workspace-apps` in a separate process. */
export function start(...args: string[]) {
  return startIn(process.env, ...args);
}

/** The same, in this environment. */
export function startIn(env: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, [...withTypeScript, command, ...args], { cwd: root, env });
  const seen = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (seen.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (seen.stderr += text));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...seen }));
  return { child, seen, ended };
}

/** The output of a script that runs in a separate process. */
export async function printedBy(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...withTypeScript, "--eval", script], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** The files that an expression loads. It may be a promise. */
export async function filesLoadedBy(expression: string): Promise<string[]> {
  const list = "process.stdout.write(JSON.stringify(Object.keys(require.cache)))";
  return JSON.parse(await printedBy(`Promise.resolve(${expression}).then(() => ${list})`)) as string[];
}
