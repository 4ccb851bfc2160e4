import { readFileSync } from "node:fs";
import { access, constants, copyFile, mkdir, readdir, realpath, rename, stat, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { run } from "./run";

const onWindows = process.platform === "win32";
const exe = onWindows ? ".exe" : "";

/** The release with which `read` may return inputs, without which drift does not show: the SDK's and the CLI's floor. */
export const oldest = "3.216.0";
export const cli = `pulumi${exe}`;
export const languageHost = `pulumi-language-nodejs${exe}`;
/** The script that starts the dynamic resources' host; it is part of the SDK, not of the CLI's own build. */
const dynamicHost = `pulumi-resource-pulumi-nodejs${onWindows ? ".cmd" : ""}`;

/** The one place that names the engine's version is the exact devDependency `pulumi`: what `npx pulumi` runs. */
export function pinnedVersion(): string {
  const file = join(__dirname, "..", "..", "package.json");
  const { devDependencies } = JSON.parse(readFileSync(file, "utf8")) as { devDependencies?: Record<string, string> };
  const version = devDependencies?.["pulumi"];
  if (version !== undefined && /^\d+\.\d+\.\d+$/.test(version)) return version;
  throw new Error(`${file} must pin the devDependency "pulumi" to one exact version, not ${version ?? "leave it out"}`);
}

/** The folder where `npx pulumi` and the Automation API look before they download anything. */
export function versionedFolder(version: string, env: NodeJS.ProcessEnv): string {
  const { PULUMI_HOME: home = "" } = env;
  return resolve(home === "" ? join(homedir(), ".pulumi") : home, "versions", version, "bin");
}

/** Compares number by number: 3.1000.0 is newer than 3.216.0. What holds no version is older than anything. */
export function isAtLeast(version: string, minimum: string): boolean {
  const numbers = (text: string): number[] => (/\d+(\.\d+)+/.exec(text)?.[0] ?? "").split(".").map(Number);
  const have = numbers(version);
  const difference = numbers(minimum).map((part, index) => (have[index] ?? 0) - part);
  return (difference.find((part) => part !== 0) ?? 0) >= 0;
}

/** Gives the version of the engine in a folder, having run it; throws when anything that a deployment needs is missing. */
export async function inspect(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  for (const program of [cli, languageHost, dynamicHost]) {
    if (!(await isExecutable(join(folder, program)))) throw new Error(`no ${program} in ${folder}`);
  }
  return versionOf(join(folder, cli), env);
}

/**
 * The CLI and language host that a shell would start, as the files behind any links: a link to a link could come back
 * to the versioned folder and end nowhere. Not taken are that folder's own files and the npm package's launcher, which
 * `npm run` puts on PATH.
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
    throw new Error(`there is no ${program}`);
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

/** Links, which an upgrade of the installed CLI carries along or breaks; broken ones are made again. Windows may refuse them. */
export async function linkInto(folder: string, { pulumi, languageHost: host }: OnPath): Promise<void> {
  for (const [from, name] of [
    [pulumi, cli],
    [host, languageHost],
  ] as const) {
    await symlink(from, join(folder, name)).catch(() => copyFile(from, join(folder, name)));
  }
}

/** Completes, tries and then moves what was made. The CLI goes last: once it is there, everything else is too. */
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
