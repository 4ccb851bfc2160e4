import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { ensureLanguage } from "../engine";
import { withLock } from "../engine/lock";
import { generatePythonSdk } from "../engine/python-sdk";
import { interruptible, run, type Say, step } from "../engine/run";

const requirements = path.join(__dirname, "python-requirements.txt");
const onWindows = process.platform === "win32";
const python = onWindows ? "python" : "python3";
const week = 7 * 24 * 60 * 60 * 1000;

export interface PythonOptions {
  /** The schema whose generated SDK is installed too. @default none */
  readonly schemaFile?: string;
  readonly say: Say;
}

/**
 * Creates a virtual environment with Pulumi's SDK, and returns the variables that activate it. It is kept under a name that
 * depends on everything it was made of, so that only the first run takes time.
 */
export async function pythonEnvironment(options: PythonOptions): Promise<Record<string, string>> {
  const { schemaFile, say } = options;
  const cache = userCache();
  const { bin, version } = await ensureLanguage("python", { say });
  const folder = path.join(cache, `python-${await keyOf(version, schemaFile)}`);
  await mkdir(cache, { recursive: true });
  await interruptible((signal) =>
    withLock(`${folder}.lock`, say, signal, async () => {
      if ((await lastUse(folder)) === undefined)
        await step(say, "installing Pulumi's Python SDK", "the first time takes about a minute", () =>
          create(folder, bin, schemaFile, signal),
        );
      await writeFile(marker(folder), "");
    }),
  );
  await removeUnused(cache);
  const programs = path.join(folder, onWindows ? "Scripts" : "bin");
  return { VIRTUAL_ENV: folder, PATH: [programs, bin, process.env["PATH"] ?? ""].join(path.delimiter) };
}

/** Everything that an environment is made of. The generator is of the CLI's version. */
async function keyOf(cliVersion: string, schemaFile: string | undefined): Promise<string> {
  const interpreter = await run(python, ["-c", "import sys; print(sys.version, sys.base_prefix)"]);
  const schema = schemaFile === undefined ? "" : await readFile(schemaFile, "utf8");
  const parts = [interpreter, cliVersion, await readFile(requirements, "utf8"), schema];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

async function create(folder: string, bin: string, schemaFile: string | undefined, signal: AbortSignal): Promise<void> {
  const install = (...what: string[]): Promise<string> => {
    const inside = path.join(folder, onWindows ? "Scripts" : "bin", "python");
    return run(inside, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...what], { signal });
  };
  await rm(folder, { recursive: true, force: true });
  await run(python, ["-m", "venv", folder], { signal });
  await install("--requirement", requirements);
  if (schemaFile === undefined) return;
  const sdk = path.join(folder, "generated-sdk");
  await generatePythonSdk(bin, schemaFile, sdk);
  // With the pinned tools, not with the newest, and without looking for anything else to install.
  await install("--no-build-isolation", "--no-deps", sdk);
}

/** An environment has 90 MB, and every change of the schema needs another one. */
async function removeUnused(cache: string): Promise<void> {
  const environments = (await readdir(cache)).filter((name) => /^python-\w+$/.test(name));
  for (const folder of environments.map((name) => path.join(cache, name))) {
    const used = await lastUse(folder);
    if (used !== undefined && Date.now() - used > week) await rm(folder, { recursive: true, force: true });
  }
}

/** A file that is written when an environment is complete, and again at every use. */
function marker(folder: string): string {
  return path.join(folder, "complete");
}

/** Undefined while an environment is not complete. */
function lastUse(folder: string): Promise<number | undefined> {
  return stat(marker(folder)).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}

function userCache(): string {
  const { XDG_CACHE_HOME: home = "" } = process.env;
  return path.join(home === "" ? path.join(homedir(), ".cache") : home, "pulumi-workspace-apps");
}
