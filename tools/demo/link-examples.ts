/** Part of `npm ci`: lets every program under examples/ import this checkout by the package's name. */
import { mkdir, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

const checkout = resolve(__dirname, "..", "..");
const link = join(checkout, "examples", "node_modules", "pulumi-workspace-apps");

/**
 * One link does for all of them: Node looks for a package upwards, and finds the others in the checkout itself. An
 * `npm install` in an example takes half a minute, writes a lockfile, and brings a second copy of the Pulumi SDK.
 */
export async function linkExamples(): Promise<void> {
  const target = await realpath(link).catch(() => undefined);
  if (target === (await realpath(checkout))) return;
  await rm(link, { recursive: true, force: true });
  await mkdir(dirname(link), { recursive: true });
  // Windows makes a junction without asking for rights; elsewhere the type means nothing.
  await symlink(join("..", ".."), link, "junction");
}

if (require.main === module) void linkExamples();
