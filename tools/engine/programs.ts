import { readFileSync } from "node:fs";
import { access, constants, copyFile, realpath, stat, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { run } from "./run";

const onWindows = process.platform === "win32";
const exe = onWindows ? ".exe" : "";

/** The first release in which `read` may return inputs. Without them drift does not show. For the SDK and the CLI. */
export const oldest = "3.216.0";
export const cli = `pulumi${exe}`;
export const nodeHost = `pulumi-language-nodejs${exe}`;
export const yamlHost = `pulumi-language-yaml${exe}`;
export const pythonHost = `pulumi-language-python${exe}`;
/** The script that the Python host runs a program with, on every system. The host looks for it beside itself. */
export const pythonExecutor = "pulumi-language-python-exec";
/** Beside a Python host that was built here, and only there: the others generate SDKs themselves. */
export const pythonSdkGenerator = `generate-python-sdk${exe}`;
/** The script that starts the dynamic host. It is part of the SDK, not of the CLI. */
export const dynamicHost = `pulumi-resource-pulumi-nodejs${onWindows ? ".cmd" : ""}`;

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

/** Throws when one of the programs is missing in a folder. */
export async function requirePrograms(folder: string, programs: readonly string[]): Promise<void> {
  for (const program of programs) {
    if (!(await isExecutable(join(folder, program)))) throw new Error(`no ${program} in ${folder}`);
  }
}

/**
 * Finds the CLI on PATH, and these programs beside it or on PATH. Links are resolved, because a link to a link could lead
 * back to the versioned folder. Files of that folder are skipped, and so is the npm package's launcher, which `npm run` puts on
 * PATH.
 */
export async function findOnPath(bin: string, programs: readonly string[], env: NodeJS.ProcessEnv): Promise<OnPath> {
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
  const files: [string, string][] = [];
  // The dynamic host comes from the SDK.
  for (const program of programs.filter((name) => name !== dynamicHost))
    files.push([program, program === cli ? pulumi : await find(program, [dirname(pulumi), ...folders])]);
  return { pulumi, files: new Map(files), version: await versionOf(pulumi, env) };
}

export interface OnPath {
  readonly pulumi: string;
  readonly version: string;
  /** The path of each program. */
  readonly files: ReadonlyMap<string, string>;
}

/** Links follow an upgrade of the installed CLI, and broken ones are made again. Windows may refuse links: then copies. */
export async function linkInto(folder: string, { files }: OnPath): Promise<void> {
  for (const [name, from] of files) {
    await symlink(from, join(folder, name)).catch(() => copyFile(from, join(folder, name)));
  }
}

/** Copies the script of the dynamic host to an engine that came without it. */
export async function addDynamicHost(folder: string): Promise<void> {
  const target = join(folder, dynamicHost);
  if (await isExecutable(target)) return;
  await copyFile(join(dirname(require.resolve("@pulumi/pulumi/package.json")), dynamicHost), target);
}

/** Throws when it is too old. */
export async function versionOf(pulumi: string, env: NodeJS.ProcessEnv): Promise<string> {
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
