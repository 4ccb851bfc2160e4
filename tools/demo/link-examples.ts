/** Part of `npm ci`: lets every program under examples/ import this checkout by the package's name, and run its command. */
import { mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bin, name } from "../../package.json";

const checkout = resolve(__dirname, "..", "..");
const modules = join(checkout, "examples", "node_modules");

/**
 * One link serves all of them: Node searches the parent folders, and finds other packages in the checkout itself. An
 * `npm install` in an example takes half a minute, writes a lockfile, and installs a second copy of the Pulumi SDK.
 */
export async function linkExamples(): Promise<void> {
  await linkPackage(join(modules, name));
  await Promise.all(Object.entries(bin).map(([command, file]) => writeCommand(command, file)));
}

async function linkPackage(link: string): Promise<void> {
  const target = await realpath(link).catch(() => undefined);
  if (target === (await realpath(checkout))) return;
  await rm(link, { recursive: true, force: true });
  await mkdir(modules, { recursive: true });
  // On Windows a junction needs no special rights. Other systems ignore the type.
  await symlink(join("..", ".."), link, "junction");
}

/** For `npx`, which searches the parent folders too. Not a link, because the compiled file is not executable. */
async function writeCommand(command: string, file: string): Promise<void> {
  await mkdir(join(modules, ".bin"), { recursive: true });
  const required = JSON.stringify(`../${name}/${file.replace(/^\.\//, "")}`);
  await writeFile(join(modules, ".bin", command), `#!/usr/bin/env node\nrequire(${required});\n`, { mode: 0o755 });
}

if (require.main === module) void linkExamples();
