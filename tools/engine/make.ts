import { readFileSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { cli, isAtLeast, nodeHost, pythonExecutor, pythonHost, pythonSdkGenerator, yamlHost } from "./programs";
import { run, type Say, step } from "./run";

export interface Making {
  readonly version: string;
  /** An empty folder on the same disk as the target. It is always removed afterwards. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: Say;
  readonly signal: AbortSignal;
}

const sdk = "github.com/pulumi/pulumi/sdk";
const source = "github.com/pulumi/pulumi/pkg/v3";

/** The version of Go that the committed modules require. */
export const goNeeded: string = committed("go");

/** Downloads with the npm package's launcher, into this folder: its own download is not atomic. */
export async function download({ version, folder, env, say, signal }: Making): Promise<string> {
  const elsewhere = { ...env, PULUMI_HOME: folder, PULUMI_VERSION: version, PULUMI_SKIP_UPDATE_CHECK: "true" };
  await step(say, `downloading Pulumi ${version} with its own installer`, "it is over 100 MB", () =>
    run(process.execPath, [require.resolve("pulumi/run.js"), "version"], { env: elsewhere, signal }),
  );
  return join(folder, "versions", version, "bin");
}

/** Builds the CLI and the Node language host. */
export async function buildEngine(making: Making): Promise<void> {
  const { version } = making;
  for (const module of [source, `${sdk}/v3`]) {
    if (committed(module) === `v${version}`) continue;
    throw new Error(
      `cli/go.mod requires ${module} ${committed(module)}, package.json pins ${version}: make them equal`,
    );
  }
  await compile(making, {
    title: "the Node language host",
    minutes: 2,
    module: "language-host",
    path: `${sdk}/nodejs/cmd/pulumi-language-nodejs/v3`,
    program: nodeHost,
  });
  await compile(making, {
    title: "the Pulumi CLI",
    minutes: 8,
    module: "cli",
    path: `${source}/cmd/pulumi`,
    program: cli,
    stamp: ` -X ${sdk}/v3/go/common/version.Version=v${version}`,
  });
}

export async function buildYamlHost(making: Making): Promise<void> {
  await compile(making, {
    title: "the YAML language host",
    minutes: 4,
    module: "yaml-host",
    path: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    program: yamlHost,
  });
}

/**
 * Builds the Python language host, and a program that generates SDKs. The host is of the last release whose source is in
 * the Go module proxy. It runs programs, but it does not generate, and it does not know the option `virtualenv`.
 */
export async function buildPythonHost(making: Making): Promise<void> {
  await compile(making, {
    title: "the Python language host",
    minutes: 1,
    module: "python-host",
    path: `${sdk}/v3/python/cmd/pulumi-language-python`,
    program: pythonHost,
  });
  const sources = await go(making, "python-host", "list", "-m", "-f", "{{.Dir}}", `${sdk}/v3`);
  const executor = join(making.folder, pythonExecutor);
  await copyFile(join(sources.trim(), "python", "cmd", pythonExecutor), executor);
  await chmod(executor, 0o755); // Go's module cache is read-only.
  await compile(making, {
    title: "the generator of Python SDKs",
    minutes: 2,
    module: "cli",
    path: "./python-sdk",
    program: pythonSdkGenerator,
  });
}

interface Compilation {
  readonly title: string;
  /** How long a first build takes on two cores. */
  readonly minutes: number;
  /** The folder of the Go module. */
  readonly module: string;
  readonly path: string;
  readonly program: string;
  /** More flags for the linker. @default "" */
  readonly stamp?: string;
}

/** Go verifies every module against the committed go.sum. */
async function compile(making: Making, compilation: Compilation): Promise<void> {
  const { title, minutes, module, path, program, stamp = "" } = compilation;
  const found = await go(making, module, "env", "GOVERSION");
  if (!isAtLeast(found, goNeeded)) throw new Error(`${found.trim()} on PATH is older than ${goNeeded}`);
  const flags = ["-mod=readonly", "-trimpath", "-ldflags", `-s -w${stamp}`, "-o", join(making.folder, program)];
  const time = `${String(minutes)} minute${minutes === 1 ? "" : "s"}`;
  await step(making.say, `compiling ${title}`, `a first build takes about ${time} on two cores`, () =>
    go(making, module, "build", ...flags, path),
  );
}

function go({ env, signal }: Making, module: string, ...args: string[]): Promise<string> {
  return run("go", args, { cwd: join(__dirname, module), env: { ...env, GOWORK: "off" }, signal });
}

/** The version of a module, or of Go, that the CLI's go.mod requires. */
function committed(name: string): string {
  const lines = readFileSync(join(__dirname, "cli", "go.mod"), "utf8").split("\n");
  const words = lines.map((line) =>
    line
      .trim()
      .replace(/^require /, "")
      .split(" "),
  );
  return words.find(([first]) => first === name)?.[1] ?? "nothing";
}
