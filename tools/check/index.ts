/**
 * `npm run check`: everything that a reviewer would check in the sources and the package, except the tests. Warnings are
 * errors. Only a failed step prints more than one line.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { savedPageText, sourcesOfPage } from "../captures/page-text";
import { linkExamples } from "../demo/link-examples";
import { type Generator, generatorNames, outdatedFiles } from "../generate/files";
import { githubFaults } from "./github-files";
import { installationFaults } from "./installation";
import { lockfileFaults } from "./lockfile";
import { contentFaults, linkFaults, type Packed, pathFaults } from "./package-contents";
import { wordFaults } from "./words";

const execute = promisify(execFile);
const checkout = resolve(__dirname, "..", "..");
const caches = join(checkout, ".cache", "check");
/** For the tarball and the settings of examples. */
const folder = join(caches, "work");
const folders = ["provider", "policy", "simulator", "cli", "tools", "bench", "test"];

interface Step {
  readonly name: string;
  /** Throws what to print. */
  readonly work: () => Promise<unknown>;
}

/** Lint and examples use the built package. */
const first: readonly Step[][] = [
  [{ name: "build", work: build }],
  [{ name: "types", work: () => run("tsc", "-p", ".", "--incremental", "--tsBuildInfoFile", `${caches}/types`) }],
];

/** Steps that need each other's results stand in one row. Each core takes the next row. The longest come first. */
const rows: readonly Step[][] = [
  [{ name: "lint", work: () => run("eslint", "--max-warnings", "0", "--cache", ...cachedIn("eslint"), ".") }],
  [
    { name: "examples", work: compileExamples },
    { name: "package contents", work: packAndLook },
    { name: "package by publint", work: async () => run("publint", "--strict", await tarball()) },
    { name: "package types", work: checkPackagedTypes },
  ],
  [{ name: "format", work: () => run("prettier", "--check", "--cache", ...cachedIn("prettier"), ".") }],
  ...generatorNames.map((name) => [{ name: `generated: ${name}`, work: () => checkGenerated(name) }]),
  [{ name: "unused code and dependencies", work: () => run("knip", "--treat-config-hints-as-errors") }],
  [{ name: "import cycles and directions", work: () => run("depcruise", ...folders) }],
  [{ name: "words", work: () => expectNone(wordFaults(checkout)) }],
  [{ name: "links", work: () => expectNone(repositoryLinkFaults()) }],
  [{ name: "lockfile", work: () => expectNone(lockfileFaults(checkout)) }],
  [{ name: "workflows and issue forms", work: () => expectNone(githubFaults(checkout)) }],
  [{ name: "nothing runs at installation", work: () => expectNone(installationFaults(checkout)) }],
  [{ name: "picture of the simulator's page", work: checkPagePicture }],
];

/**
 * ESLint keeps its result of a file until that file changes, although some rules depend on the types of other files. So
 * .ci/run begins without the caches.
 */
function cachedIn(name: string): string[] {
  return ["--cache-strategy", "content", "--cache-location", `${caches}/${name}`];
}

async function build(): Promise<void> {
  await run("npm", "run", "build");
  await linkExamples();
}

/** As a user sees them: through the declarations in dist/. Examples with the same settings are compiled together. */
async function compileExamples(): Promise<void> {
  const entries = await readdir(join(checkout, "examples"), { withFileTypes: true });
  const examples = entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules");
  const filesBySettings = new Map<string, string[]>();
  for (const { name } of examples) {
    const example = join(checkout, "examples", name);
    const settings = await settingsOf(example);
    if (settings === undefined) continue;
    const compilerOptions = JSON.stringify(settings.compilerOptions);
    const files = filesBySettings.get(compilerOptions) ?? [];
    filesBySettings.set(compilerOptions, [...files, ...settings.files.map((file) => join(example, file))]);
  }
  await mkdir(folder, { recursive: true });
  const project = join(folder, "examples.json");
  for (const [compilerOptions, files] of filesBySettings) {
    await writeFile(project, JSON.stringify({ compilerOptions: JSON.parse(compilerOptions) as unknown, files }));
    await run("tsc", "--noEmit", "-p", project);
  }
}

interface Settings {
  readonly compilerOptions: object;
  readonly files: readonly string[];
}

/** Plain JavaScript is checked too, with the settings of its editor. Programs in other languages have none. */
async function settingsOf(example: string): Promise<Settings | undefined> {
  const names = await readdir(example);
  const settings = ["jsconfig.json", "tsconfig.json"].find((name) => names.includes(name));
  if (settings !== undefined) return JSON.parse(await readFile(join(example, settings), "utf8")) as Settings;
  if (!names.some((name) => /\.[jt]s$/.test(name))) return undefined;
  throw new Error(`${example} has neither tsconfig.json nor jsconfig.json`);
}

async function checkGenerated(generator: Generator): Promise<void> {
  const files = [...(await outdatedFiles(generator)).keys()];
  if (files.length > 0) throw new Error(`Outdated: ${files.join(", ")}. Run: npm run ${generator}`);
}

/** The nightly tests compare what the page shows. This only knows whether its files have changed. */
async function checkPagePicture(): Promise<void> {
  if ((await savedPageText()).sources !== (await sourcesOfPage()))
    throw new Error("simulator/page/ has changed since docs/images/simulator-page.png was made. Run: npm run captures");
}

/** Reads all pages, also those that do not ship. */
async function repositoryLinkFaults(): Promise<string[]> {
  const paths = (await run("git", "ls-files", "-z")).split("\0").filter((path) => path !== "");
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, path.endsWith(".md") ? await readFile(join(checkout, path), "utf8") : "");
  return [...linkFaults(texts), ...pathFaults(texts, checkout)];
}

async function packAndLook(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const printed = await run("npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [packed] = JSON.parse(printed) as [Packed];
  await expectNone(contentFaults(packed, checkout));
}

/**
 * TypeScript's old "node" resolution is still common in Pulumi programs, and does not know the subpaths of "exports".
 * So the package itself is checked with every resolution, and the subpaths only with the newer ones.
 */
async function checkPackagedTypes(): Promise<void> {
  const attw = ["attw", await tarball(), "--no-definitely-typed"] as const;
  await run(...attw, "--profile", "strict", "--entrypoints", ".");
  await run(...attw, "--profile", "node16");
}

async function tarball(): Promise<string> {
  const file = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (file === undefined) throw new Error("the package was not packed");
  return join(folder, file);
}

async function run(program: string, ...args: string[]): Promise<string> {
  try {
    const options = { cwd: checkout, maxBuffer: 64 * 2 ** 20, env: { ...process.env, NO_COLOR: "1" } };
    return (await execute(program, args, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(stdout + stderr === "" ? message : stdout + stderr, { cause: error });
  }
}

async function expectNone(search: Promise<readonly string[]>): Promise<void> {
  const faults = await search;
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

async function main(): Promise<void> {
  const failed: string[] = [];
  const begun = performance.now();
  const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const take = async ({ name, work }: Step): Promise<void> => {
    const start = performance.now();
    try {
      await work();
      process.stdout.write(`ok      ${name} (${since(start)})\n`);
    } catch (error) {
      failed.push(name);
      process.stdout.write(`FAILED  ${name} (${since(start)})\n${(error as Error).message.trim()}\n\n`);
    }
  };
  const takeAll = async (rows: readonly Step[][]): Promise<void> => {
    const waiting = [...rows];
    const worker = async (): Promise<void> => {
      // A failed step does not stop the ones after it.
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift())
        for (const step of row) await take(step);
    };
    await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  };
  await takeAll(first);
  await takeAll(rows);
  const outcome = failed.length === 0 ? "All checks passed" : `To fix: ${failed.join(", ")}`;
  process.stdout.write(`${outcome} (${since(begun)}).\n`);
  if (failed.length > 0) process.exitCode = 1;
}

void main();
