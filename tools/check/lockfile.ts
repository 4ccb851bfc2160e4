import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}

/** Entries that would make `npm ci` fail on another machine, or use the registry of this one. */
export async function lockfileFaults(checkout: string): Promise<string[]> {
  const text = await readFile(join(checkout, "package-lock.json"), "utf8");
  if (/^(<<<<<<<|>>>>>>>) /m.test(text)) return ["package-lock.json has a merge conflict"];
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
  const places = Object.keys(packages);
  const installed = Object.entries(packages).filter(([place, { link }]) => place !== "" && link !== true);
  const faults = installed.flatMap(([place, { version, integrity, resolved, optionalDependencies = {} }]) => [
    ...(resolved === undefined ? [] : [`${place} names a registry: ${resolved}`]),
    ...(version === undefined || integrity === undefined ? [`${place} has no version or no checksum`] : []),
    // npm leaves out packages that its registry does not have. `npm ci` then refuses the file.
    ...Object.keys(optionalDependencies)
      .filter((name) => !places.some((other) => other.endsWith(`node_modules/${name}`)))
      .map((name) => `${place} needs ${name} on other platforms, and it is missing`),
  ]);
  return faults.map((fault) => `package-lock.json: ${fault}`);
}
