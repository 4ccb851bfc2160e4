import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Manifest {
  readonly scripts?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
}

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Record<string, string>;
}

/** What npm runs on the machine of whoever installs a package, or asks about when it comes as a file. */
const onInstallation = ["preinstall", "install", "postinstall", "prepare"];

/** What would run code when the package is installed: a script of its own, or of what it brings along. */
export async function installationFaults(checkout: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(checkout, "package.json"), "utf8")) as Manifest;
  const lockfile = JSON.parse(await readFile(join(checkout, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  return [...scriptFaults(manifest), ...dependencyFaults(manifest, lockfile.packages)];
}

export function scriptFaults({ scripts = {} }: Manifest): string[] {
  return onInstallation
    .filter((name) => scripts[name] !== undefined)
    .map((name) => `package.json: ${name} would run wherever the package is installed`);
}

/** Also of the dependencies of dependencies. */
export function dependencyFaults({ dependencies = {} }: Manifest, packages: Record<string, Locked>): string[] {
  const reached = new Set(Object.keys(dependencies));
  // A set gives out what is added to it meanwhile.
  for (const name of reached)
    for (const further of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) reached.add(further);
  return [...reached]
    .filter((name) => packages[`node_modules/${name}`]?.hasInstallScript === true)
    .map((name) => `package-lock.json: ${name} ships, and runs a script when it is installed`);
}
