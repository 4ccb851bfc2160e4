import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import packageJson from "../../package.json";
import { ensureEngine } from "../engine";
import { startVault, stopVault } from "./vault";

const run = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");

/** The variables that tell the test processes where the set-up put things. */
const workVariable = "TESTED_WORKSPACE_APPS_WORK";
const engineVariable = "TESTED_WORKSPACE_APPS_ENGINE";

/**
 * Runs once before all tests. It makes sure that the Pulumi engine is there, and compiles the package. It packs the
 * package as for publishing, and installs the tarball into an empty project. Anything missing fails the run.
 */
export async function install(): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const work = await mkdtemp(path.join(tmpdir(), "workspace-apps-test-"));
  process.env[workVariable] = work;
  process.env[engineVariable] = (await ensureEngine({ say })).bin;
  await startVault();
  say("Packing and installing the package for the tests.");
  await run("npm", ["run", "build"], { cwd: checkout });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", work], { cwd: checkout });
  const tarball = (await readdir(work)).find((file) => file.endsWith(".tgz")) ?? "";
  const project = installedProject();
  await mkdir(project);
  const dependencies = {
    "@pulumi/policy": packageJson.devDependencies["@pulumi/policy"],
    "@pulumi/pulumi": packageJson.devDependencies["@pulumi/pulumi"],
    "pulumi-workspace-apps": `file:../${tarball}`,
    pulumi: packageJson.devDependencies.pulumi,
    typescript: packageJson.devDependencies.typescript,
    "ts-node": packageJson.devDependencies["ts-node"],
    "@types/node": packageJson.devDependencies["@types/node"],
  };
  await writeFile(
    path.join(project, "package.json"),
    JSON.stringify({ private: true, version: "1.0.0", dependencies }),
  );
  await run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: project });
}

export async function uninstall(): Promise<void> {
  stopVault();
  await rm(workFolder(), { recursive: true, force: true });
}

/** A folder that is removed after the tests. */
export function workFolder(): string {
  return required(workVariable);
}

/** The folder with the Pulumi CLI. */
export function engineFolder(): string {
  return required(engineVariable);
}

/** An otherwise empty project into which the packed tarball was installed. */
export function installedProject(): string {
  return path.join(workFolder(), "installed");
}

/** A project folder that sees the packed tarball, or with `linked` the checkout itself, as npm would link it. */
export async function projectFolder(linked = false): Promise<string> {
  const folder = await mkdtemp(path.join(workFolder(), "project-"));
  const modules = path.join(folder, "node_modules");
  if (linked) {
    await mkdir(modules);
    await symlink(checkout, path.join(modules, "pulumi-workspace-apps"));
    await symlink(path.join(installedProject(), "node_modules/@pulumi"), path.join(modules, "@pulumi"));
  } else {
    await symlink(path.join(installedProject(), "node_modules"), modules);
  }
  return folder;
}

function required(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set: run the tests with \`npm test\`, which sets it.`);
  return value;
}
