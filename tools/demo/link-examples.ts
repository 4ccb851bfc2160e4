/** Part of `npm ci`: lets every program under examples/ import this checkout by the package's name, and run its command. */
import { mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { bin, name } from "../../package.json";

const checkout = resolve(__dirname, "..", "..");
const examples = join(checkout, "examples");

/** Pulumi does not search: these name the plugin by its path from their own folder. */
const namingThePlugin = ["python", "yaml"];

/**
 * One link serves all others: Node searches the parent folders, and finds other packages in the checkout itself. An
 * `npm install` in an example takes half a minute, writes a lockfile, and installs a second copy of the Pulumi SDK.
 */
export async function linkExamples(): Promise<void> {
  await linkPackage(join(examples, "node_modules"));
  await Promise.all(namingThePlugin.map((example) => linkCheckout(join(examples, example, "node_modules", name))));
}

/** Puts this checkout into a `node_modules` folder, with its command. */
export async function linkPackage(modules: string): Promise<void> {
  await linkCheckout(join(modules, name));
  await Promise.all(Object.entries(bin).map(([command, file]) => writeCommand(modules, command, file)));
}

async function linkCheckout(link: string): Promise<void> {
  const linked = await realpath(link).catch(() => undefined);
  const target = await realpath(checkout);
  if (linked === target) return;
  await rm(link, { recursive: true, force: true });
  await mkdir(dirname(link), { recursive: true });
  // A link is followed from where its folder really is. On Windows a junction needs no special rights.
  await symlink(relative(await realpath(dirname(link)), target), link, "junction");
}

/** For `npx`, which searches the parent folders too. Not a link, because the compiled file is not executable. */
async function writeCommand(modules: string, command: string, file: string): Promise<void> {
  await mkdir(join(modules, ".bin"), { recursive: true });
  const required = JSON.stringify(`../${name}/${file.replace(/^\.\//, "")}`);
  await writeFile(join(modules, ".bin", command), `#!/usr/bin/env node\nrequire(${required});\n`, { mode: 0o755 });
}

if (require.main === module) void linkExamples();
