import { readFileSync } from "node:fs";
import { access, constants, copyFile, mkdir, readdir, realpath, rename, stat, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { run } from "./run";

const onWindows = process.platform === "win32";
const exe = onWindows ? ".exe" : "";

/** The first release in which `read` may return inputs. Without them drift does not show. For the SDK and the CLI. */
export const oldest = "3.216.0";
export const cli = `pulumi${exe}`;
export const languageHost = `pulumi-language-nodejs${exe}`;
/** The script that starts the dynamic host. It is part of the SDK, not of the CLI. */
const dynamicHost = `pulumi-resource-pulumi-nodejs${onWindows ? ".cmd" : ""}`;

/** The engine's version is the exact devDependency `pulumi`, which `npx pulumi` runs. */
export function pinnedVersion(): string {
  const file = join(__dirname, "..", "..", "package.json");
  const { devDependencies } = JSON.parse(readFileSync(file, "utf8")) as { devDependencies?: Record<string, string> };
  const version = devDependencies?.["pulumi"];
  if (version !== undefined && /^\d+\.\d+\.\d+$/.test(version)) return version;
  throw new Error(`${file} must pin the devDependency "pulumi" to one exact version, not ${version ?? "leave it out"}`);
}

/** The folder that `npx pulumi` and the Automation API use before they download anything. */
export function versionedFolder(version: string, env: NodeJS.ProcessEnv): string {
  const { PULUMI_HOME: home = "" } = env;
  return resolve(home === "" ? join(homedir(), ".pulumi") : home, "versions", version, "bin");
}

/** Compares number by number: 3.1000.0 is newer than 3.216.0. Text without a version is older than any version. */
export function isAtLeast(version: string, minimum: string): boolean {
  const numbers = (text: string): number[] => (/\d+(\.\d+)+/.exec(text)?.[0] ?? "").split(".").map(Number);
  const have = numbers(version);
  const difference = numbers(minimum).map((part, index) => (have[index] ?? 0) - part);
  return (difference.find((part) => part !== 0) ?? 0) >= 0;
}

/** Runs the engine in a folder and returns its version. Throws when a program that a deployment needs is missing. */
export async function inspect(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  for (const program of [cli, languageHost, dynamicHost]) {
    if (!(await isExecutable(join(folder, program)))) throw new Error(`no ${program} in ${folder}`);
  }
  return versionOf(join(folder, cli), env);
}

/**
 * The CLI and language host on PATH, with links resolved: a link to a link could lead back to the versioned folder.
 * Files of that folder are skipped, and so is the npm package's launcher, which `npm run` puts on PATH.
 */
export async function findOnPath(bin: string, env: NodeJS.ProcessEnv): Promise<OnPath> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const own = await realpath(bin).catch(() => bin);
  const find = async (program: string, among: readonly string[]): Promise<string> => {
    for (const file of among.map((folder) => resolve(folder, program))) {
      if (!(await isExecutable(file))) continue;
      const real = await realpath(file);
      if (dirname(real) !== own && !real.includes(`${sep}node_modules${sep}`)) return real;
    }
    throw new Error(`${program} was not found`);
  };
  const pulumi = await find(cli, folders);
  const host = await find(languageHost, [dirname(pulumi), ...folders]);
  return { pulumi, languageHost: host, version: await versionOf(pulumi, env) };
}

export interface OnPath {
  readonly pulumi: string;
  readonly languageHost: string;
  readonly version: string;
}

/** Links follow an upgrade of the installed CLI, and broken ones are made again. Windows may refuse links: then copies. */
export async function linkInto(folder: string, { pulumi, languageHost: host }: OnPath): Promise<void> {
  for (const [from, name] of [
    [pulumi, cli],
    [host, languageHost],
  ] as const) {
    await symlink(from, join(folder, name)).catch(() => copyFile(from, join(folder, name)));
  }
}

/** Completes, tests and then moves the programs. The CLI is moved last: where it is, everything else is too. */
export async function publish(made: string, bin: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (!(await isExecutable(join(made, dynamicHost)))) {
    await copyFile(join(dirname(require.resolve("@pulumi/pulumi/package.json")), dynamicHost), join(made, dynamicHost));
  }
  const version = await inspect(made, env);
  await mkdir(bin, { recursive: true });
  const others = (await readdir(made)).filter((name) => name !== cli);
  for (const name of [...others, cli]) await rename(join(made, name), join(bin, name));
  return version;
}

async function versionOf(pulumi: string, env: NodeJS.ProcessEnv): Promise<string> {
  const printed = await run(pulumi, ["version"], { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" } });
  const version = printed.trim().replace(/^v/, "");
  if (isAtLeast(version, oldest)) return version;
  throw new Error(`${pulumi} is version ${version}, older than ${oldest}`);
}

async function isExecutable(file: string): Promise<boolean> {
  const allowed = access(file, constants.X_OK).then(() => stat(file));
  return allowed.then(
    (found) => found.isFile() && found.size > 0,
    () => false,
  );
}
