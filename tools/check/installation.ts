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

/** The scripts that npm runs when a package is installed. */
const onInstallation = ["preinstall", "install", "postinstall", "prepare"];

/** Scripts that would run when the package is installed: a script of its own or of a dependency. */
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

/** Includes the dependencies of dependencies. */
export function dependencyFaults({ dependencies = {} }: Manifest, packages: Record<string, Locked>): string[] {
  const reached = new Set(Object.keys(dependencies));
  // The loop also visits names that are added to the set while it runs.
  for (const name of reached)
    for (const further of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) reached.add(further);
  return [...reached]
    .filter((name) => packages[`node_modules/${name}`]?.hasInstallScript === true)
    .map((name) => `package-lock.json: ${name} is a run-time dependency and runs a script when it is installed`);
}
