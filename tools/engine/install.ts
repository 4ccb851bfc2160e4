import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Component, engine } from "./components";
import { download, goNeeded, type Making } from "./make";
import { addDynamicHost, cli, findOnPath, linkInto, oldest, type OnPath, requirePrograms, versionOf } from "./programs";

export type Source = "path" | "downloaded" | "built";

export interface Installed {
  /** The version of the CLI. */
  readonly version: string;
  readonly source: Source;
}

/** First an installed engine, then Pulumi's own installer, then a build, which takes minutes. */
export function sourcesInOrder(onPath: string | undefined): Source[] {
  return onPath === undefined ? ["downloaded", "built"] : ["path", "downloaded", "built"];
}

/** The error when a component cannot be installed: what was tried, and three ways to fix it. */
export function nothingWorked({ missing, title, command }: Component, refusals: readonly string[]): string {
  return [
    `${missing} and could not be installed:`,
    ...refusals.map((refusal) => `  - ${refusal.replaceAll("\n", "\n    ")}`),
    `Do one of these, then run \`${command}\` again:`,
    `  - install the Pulumi CLI ${oldest} or newer, with ${title}, and have both on PATH`,
    "  - allow internet access, so that Pulumi's own installer can download them",
    `  - install Go ${goNeeded} or newer and have it on PATH, so that they are built through the Go module proxy`,
  ].join("\n");
}

/** Puts a component into the versioned folder, from the first source that works. The caller holds the lock. */
export async function install(component: Component, bin: string, making: Omit<Making, "folder">): Promise<Installed> {
  const root = dirname(bin);
  // This process has the lock, so folders of other processes are incomplete and unused.
  const leftovers = (await readdir(root)).filter((name) => name.startsWith("making-"));
  for (const name of leftovers) await rm(join(root, name), { recursive: true, force: true });

  const refusals: string[] = [];
  const refuse =
    (what: string) =>
    (error: unknown): undefined => {
      making.signal.throwIfAborted();
      refusals.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    };
  const onPath = await findOnPath(bin, component.programs, making.env).catch(refuse("on PATH"));
  for (const source of sourcesInOrder(onPath?.version)) {
    const folder = await mkdtemp(join(root, "making-"));
    try {
      const made = await makeFrom(source, component, { ...making, folder }, onPath);
      return { version: await publish(component, made, bin, making.env), source };
    } catch (error) {
      refuse({ path: "on PATH", downloaded: "Pulumi's own installer", built: "build with Go" }[source])(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(nothingWorked(component, refusals));
}

async function makeFrom(
  source: Source,
  component: Component,
  making: Making,
  onPath: OnPath | undefined,
): Promise<string> {
  if (source === "downloaded") return download(making);
  if (source === "built" || onPath === undefined) {
    await component.build(making);
  } else {
    making.say(`linking Pulumi ${onPath.version} from ${dirname(onPath.pulumi)}, so that npx pulumi finds it`);
    await linkInto(making.folder, onPath);
  }
  return making.folder;
}

/**
 * Completes, tests and then moves the programs. A language leaves the engine's programs as they are, though a download
 * contains them too.
 */
async function publish(component: Component, made: string, bin: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (component === engine) await addDynamicHost(made);
  await requirePrograms(made, component.programs);
  const version = await versionOf(join(component === engine ? made : bin, cli), env);
  await mkdir(bin, { recursive: true });
  const others = (await readdir(made)).filter((name) => !engine.programs.includes(name));
  for (const name of [...others, ...(component === engine ? engine.programs : [])])
    await rename(join(made, name), join(bin, name));
  return version;
}
