import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = path.resolve(__dirname, "../../.cache/node");

/** The versions of Node that Pulumi programs use today: the oldest that this package supports, and the two after it. */
export const nodeMajors = [20, 22, 24] as const;
export type NodeMajor = (typeof nodeMajors)[number];
/** The version that runs the tests. */
export const thisMajor = Number(process.versions.node.split(".")[0]) as NodeMajor;

/**
 * The program of a major version of Node: the running one, or the one from the npm package `node`, cached in `.cache/`.
 * It is not a dependency, because npm cannot lock packages of platforms that are missing in some registries.
 */
export async function nodeProgram(major: NodeMajor): Promise<string> {
  if (process.versions.node.startsWith(`${String(major)}.`)) return process.execPath;
  const home = path.join(folder, String(major));
  const program = path.join(home, "node_modules", packageName(), "bin", onWindows ? "node.exe" : "node");
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (!isThere) await install(major, home);
  return program;
}

const onWindows = process.platform === "win32";

/** The package with the programs of this platform, as the npm package `node` chooses it. */
function packageName(): string {
  const { platform, arch } = process;
  return `${platform === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${onWindows ? "win" : platform}-${arch}`;
}

/** Writes to a temporary place first, so that an interrupted run leaves no partial file. */
async function install(major: NodeMajor, home: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const fresh = await mkdtemp(path.join(folder, "install-"));
  const wanted = `${packageName()}@${String(major)}`;
  try {
    const flags = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"];
    await run("npm", ["install", "--prefix", fresh, ...flags, wanted], { shell: onWindows });
    await rm(home, { recursive: true, force: true });
    await rename(fresh, home);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Node ${String(major)} is needed, and npm cannot install ${wanted}: ${why}`, { cause: error });
  }
}
