/** Part of `npm ci`: lets every program under examples/ import this checkout by the package's name, and run its command. */
import { mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { bin, name } from "../../package.json";

const checkout = resolve(__dirname, "..", "..");
const examples = join(checkout, "examples");
const modules = join(examples, "node_modules");

/** Pulumi does not search: these name the plugin by its path from their own folder. */
const namingThePlugin = ["python", "yaml"];

/**
 * One link serves all others: Node searches the parent folders, and finds other packages in the checkout itself. An
 * `npm install` in an example takes half a minute, writes a lockfile, and installs a second copy of the Pulumi SDK.
 */
export async function linkExamples(): Promise<void> {
  const folders = [modules, ...namingThePlugin.map((example) => join(examples, example, "node_modules"))];
  await Promise.all(folders.map((folder) => linkPackage(join(folder, name))));
  await Promise.all(Object.entries(bin).map(([command, file]) => writeCommand(command, file)));
}

async function linkPackage(link: string): Promise<void> {
  const target = await realpath(link).catch(() => undefined);
  if (target === (await realpath(checkout))) return;
  await rm(link, { recursive: true, force: true });
  await mkdir(dirname(link), { recursive: true });
  // On Windows a junction needs no special rights. Other systems ignore the type.
  await symlink(relative(dirname(link), checkout), link, "junction");
}

/** For `npx`, which searches the parent folders too. Not a link, because the compiled file is not executable. */
async function writeCommand(command: string, file: string): Promise<void> {
  await mkdir(join(modules, ".bin"), { recursive: true });
  const required = JSON.stringify(`../${name}/${file.replace(/^\.\//, "")}`);
  await writeFile(join(modules, ".bin", command), `#!/usr/bin/env node\nrequire(${required});\n`, { mode: 0o755 });
}

if (require.main === module) void linkExamples();
