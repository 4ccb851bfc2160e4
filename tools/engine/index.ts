/**
 * `npm run engine`: finds, downloads or builds the Pulumi CLI and its Node language host, for the tests, the demo and
 * `npx pulumi`.
 *
 * From every source, the programs end up in (or linked into) the folder that `npx pulumi` uses, so that every way of
 * starting the engine in this repository runs the same one.
 */
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withLock } from "./lock";
import { build, download, goNeeded, type Making } from "./make";
import {
  findOnPath,
  inspect,
  linkInto,
  oldest,
  type OnPath,
  pinnedVersion,
  publish,
  versionedFolder,
} from "./programs";
import { interruptible, type Say } from "./run";

export interface Engine {
  /** The folder to put first on PATH. */
  readonly bin: string;
  readonly version: string;
  /** Where it came from in this run: "home" when the versioned folder was complete already. */
  readonly found: "home" | Source;
}

export type Source = "path" | "downloaded" | "built";

export interface EngineOptions {
  /** Receives the progress lines. @default standard error */
  readonly say?: Say;
  /** Where PATH, PULUMI_HOME and Go's settings come from. @default this process's environment */
  readonly env?: NodeJS.ProcessEnv;
}

/** Returns a working engine, or throws an error that says what to install. No caller may skip its work instead. */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const { say = toStandardError, env = process.env } = options;
  const pinned = pinnedVersion();
  const bin = versionedFolder(pinned, env);
  const present = (): Promise<Engine | undefined> =>
    inspect(bin, env).then(
      (version) => ({ bin, version, found: "home" }) as const,
      () => undefined,
    );
  const ready = await present();
  if (ready !== undefined) return ready;
  const root = dirname(bin);
  await mkdir(root, { recursive: true });
  return interruptible((signal) =>
    withLock(join(root, "engine.lock"), say, signal, async () => {
      return (await present()) ?? make({ version: pinned, env, say, signal }, bin);
    }),
  );
}

/** First an installed engine, then Pulumi's own installer, then a build, which takes minutes. */
export function sourcesInOrder(onPath: string | undefined): Source[] {
  return onPath === undefined ? ["downloaded", "built"] : ["path", "downloaded", "built"];
}

/** The error when there is no engine: what was tried, and three ways to fix it. */
export function nothingWorked(refusals: readonly string[]): string {
  return [
    "The Pulumi engine is missing and could not be installed:",
    ...refusals.map((refusal) => `  - ${refusal.replaceAll("\n", "\n    ")}`),
    "Do one of these, then run `npm run engine` again:",
    `  - install the Pulumi CLI ${oldest} or newer, with its Node language host, and have both on PATH`,
    "  - allow internet access, so that Pulumi's own installer can download them",
    `  - install Go ${goNeeded} or newer and have it on PATH, so that they are built through the Go module proxy`,
  ].join("\n");
}

async function make(making: Omit<Making, "folder">, bin: string): Promise<Engine> {
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
  const onPath = await findOnPath(bin, making.env).catch(refuse("on PATH"));
  for (const source of sourcesInOrder(onPath?.version)) {
    const folder = await mkdtemp(join(root, "making-"));
    try {
      const version = await publish(await makeFrom(source, { ...making, folder }, onPath), bin, making.env);
      return { bin, version, found: source };
    } catch (error) {
      refuse({ path: "on PATH", downloaded: "Pulumi's own installer", built: "build with Go" }[source])(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(nothingWorked(refusals));
}

async function makeFrom(source: Source, making: Making, onPath: OnPath | undefined): Promise<string> {
  if (source === "downloaded") return download(making);
  if (source === "built" || onPath === undefined) return build(making);
  making.say(`linking Pulumi ${onPath.version} from ${dirname(onPath.pulumi)}, so that npx pulumi finds it`);
  await linkInto(making.folder, onPath);
  return making.folder;
}

function toStandardError(line: string): void {
  process.stderr.write(`engine: ${line}\n`);
}

if (require.main === module) {
  ensureEngine().then(
    ({ bin, version, found }) => {
      toStandardError(`Pulumi ${version} is ready in ${bin} (${found})`);
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
