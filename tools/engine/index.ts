/**
 * `npm run engine`: finds, downloads or builds the Pulumi CLI and its Node language host, for the tests, the demo and
 * `npx pulumi`.
 *
 *   --language NAME   also the host of another language: yaml or python; may be repeated
 *
 * From every source, the programs end up in (or linked into) the folder that `npx pulumi` uses. So every way of starting
 * the engine in this repository runs the same one.
 */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Component, engine, type Language, languageNamed, languages } from "./components";
import { install, type Source } from "./install";
import { withLock } from "./lock";
import { cli, pinnedVersion, requirePrograms, versionedFolder, versionOf } from "./programs";
import { interruptible, type Say } from "./run";

export interface Engine {
  /** The folder to put first on PATH. */
  readonly bin: string;
  readonly version: string;
  /** Where it came from in this run: "home" when the versioned folder was complete already. */
  readonly found: "home" | Source;
}

export interface EngineOptions {
  /** Receives the progress lines. @default standard error */
  readonly say?: Say;
  /** Where PATH, PULUMI_HOME and Go's settings come from. @default this process's environment */
  readonly env?: NodeJS.ProcessEnv;
}

/** Returns a working engine, or throws an error that says what to install. No caller may skip its work instead. */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  return ensure(engine, options);
}

/** Like `ensureEngine`, for an engine that also runs programs in this language. */
export async function ensureLanguage(language: Language, options: EngineOptions = {}): Promise<Engine> {
  await ensureEngine(options);
  return ensure(languages[language], options);
}

async function ensure(component: Component, options: EngineOptions): Promise<Engine> {
  const { say = toStandardError, env = process.env } = options;
  const pinned = pinnedVersion();
  const bin = versionedFolder(pinned, env);
  const present = async (): Promise<Engine | undefined> => {
    try {
      await requirePrograms(bin, component.programs);
      return { bin, version: await versionOf(join(bin, cli), env), found: "home" };
    } catch {
      return undefined;
    }
  };
  const ready = await present();
  if (ready !== undefined) return ready;
  const root = dirname(bin);
  await mkdir(root, { recursive: true });
  return interruptible((signal) =>
    withLock(join(root, "engine.lock"), say, signal, async () => {
      const made = await present();
      if (made !== undefined) return made;
      const { version, source } = await install(component, bin, { version: pinned, env, say, signal });
      return { bin, version, found: source };
    }),
  );
}

function toStandardError(line: string): void {
  process.stderr.write(`engine: ${line}\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { language: { type: "string", multiple: true, default: [] } } });
  const wanted = values.language.map(languageNamed);
  const { bin, version, found } = await ensureEngine();
  toStandardError(`Pulumi ${version} is ready in ${bin} (${found})`);
  for (const language of wanted) {
    const host = await ensureLanguage(language);
    toStandardError(`the ${language} language host is ready in ${bin} (${host.found})`);
  }
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
