/**
 * `npm run check`: everything that a reviewer would check in the sources and the package, except the tests. Warnings are
 * errors. Only a failed step prints more than one line.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { savedPageText, sourcesOfPage } from "../captures/page-text";
import { linkExamples } from "../demo/link-examples";
import { type Generator, generatorNames, outdatedFiles } from "../generate/files";
import { githubFaults } from "./github-files";
import { installationFaults } from "./installation";
import { lockfileFaults } from "./lockfile";
import { contentFaults, type Packed } from "./package-contents";
import { wordFaults } from "./words";

const execute = promisify(execFile);
const checkout = resolve(__dirname, "..", "..");
const folder = join(checkout, ".cache", "check");
const folders = ["provider", "policy", "simulator", "cli", "tools", "bench", "test"];

interface Step {
  readonly name: string;
  /** Throws what to print. */
  readonly work: () => Promise<unknown>;
}

/** Two lanes for two cores. A failed step does not stop the ones after it. */
const lanes: Step[][] = [
  [
    { name: "format", work: () => run("prettier", "--check", ".") },
    { name: "types", work: () => run("tsc", "-p", "tsconfig.json") },
    { name: "unused code and dependencies", work: () => run("knip", "--treat-config-hints-as-errors") },
    { name: "import cycles and directions", work: () => run("depcruise", ...folders) },
    { name: "words", work: checkWords },
    { name: "lockfile", work: checkLockfile },
    { name: "workflows and issue forms", work: checkGithubFiles },
    { name: "nothing runs at installation", work: checkInstallation },
    ...generatorNames.map((name) => ({ name: `generated: ${name}`, work: () => checkGenerated(name) })),
    { name: "picture of the simulator's page", work: checkPagePicture },
  ],
  [
    { name: "build", work: () => run("npm", "run", "build") },
    { name: "examples", work: compileExamples },
    { name: "lint", work: () => run("eslint", "--max-warnings", "0", ".") },
    { name: "package contents", work: packAndLook },
    { name: "package by publint", work: async () => run("publint", "--strict", await tarball()) },
    { name: "package types", work: checkPackagedTypes },
  ],
];

/** As a user sees them: through the declarations in dist/. */
async function compileExamples(): Promise<void> {
  await linkExamples();
  const entries = await readdir(join(checkout, "examples"), { withFileTypes: true });
  const examples = entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules");
  for (const { name } of examples) {
    const settings = await settingsOf(join("examples", name));
    if (settings !== undefined) await run("tsc", "--noEmit", "-p", settings);
  }
}

/** Plain JavaScript is checked too, with the settings of its editor. Programs in other languages have none. */
async function settingsOf(example: string): Promise<string | undefined> {
  const files = await readdir(join(checkout, example));
  const settings = ["jsconfig.json", "tsconfig.json"].find((file) => files.includes(file));
  if (settings === undefined && files.some((file) => /\.[jt]s$/.test(file)))
    throw new Error(`${example} has neither tsconfig.json nor jsconfig.json`);
  return settings && join(example, settings);
}

async function checkWords(): Promise<void> {
  expectNone(await wordFaults(checkout));
}

async function checkLockfile(): Promise<void> {
  expectNone(await lockfileFaults(checkout));
}

async function checkGithubFiles(): Promise<void> {
  expectNone(await githubFaults(checkout));
}

async function checkInstallation(): Promise<void> {
  expectNone(await installationFaults(checkout));
}

/** The reference also requires a doc comment on everything that a program can import. */
async function checkGenerated(generator: Generator): Promise<void> {
  const files = [...(await outdatedFiles(generator)).keys()];
  if (files.length > 0) throw new Error(`Outdated: ${files.join(", ")}. Run: npm run ${generator}`);
}

/** The heavy tests compare what the page shows. This only knows whether its files have changed. */
async function checkPagePicture(): Promise<void> {
  if ((await savedPageText()).sources !== (await sourcesOfPage()))
    throw new Error("simulator/page/ has changed since docs/images/simulator-page.png was made. Run: npm run captures");
}

async function packAndLook(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const printed = await run("npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [packed] = JSON.parse(printed) as [Packed];
  expectNone(await contentFaults(packed, checkout));
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

function expectNone(faults: readonly string[]): void {
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
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane) await take(step);
    }),
  );
  const outcome = failed.length === 0 ? "All checks passed" : `To fix: ${failed.join(", ")}`;
  process.stdout.write(`${outcome} (${since(begun)}).\n`);
  if (failed.length > 0) process.exitCode = 1;
}

void main();
