import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** What `npm pack --json` tells of a tarball. */
export interface Packed {
  readonly files: readonly { readonly path: string }[];
}

const documents = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
const compiled = /^dist\/(provider|policy|simulator|cli)\/.+\.(js|d\.ts)$/;

/** Nothing but the compiled code and four documents may ship, and nothing that tells of the machine that built it. */
export async function contentFaults({ files }: Packed, checkout: string): Promise<string[]> {
  const paths = files.map(({ path }) => path);
  const personal: string[] = [];
  for (const path of paths) {
    const text = await readFile(join(checkout, path), "utf8");
    if (text.includes(`${checkout}/`) || text.includes(`${homedir()}/`)) personal.push(path);
  }
  return [
    ...documents.filter((name) => !paths.includes(name)).map((name) => `${name} is missing from the package`),
    ...paths
      .filter((path) => !documents.includes(path) && !compiled.test(path))
      .map((path) => `${path} does not belong into the package`),
    ...personal.map((path) => `${path} holds a path of this machine`),
  ];
}
