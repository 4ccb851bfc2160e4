import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cli, isAtLeast, languageHost } from "./programs";
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

/** Builds both programs from source. Go verifies every module against the committed go.sum. */
export async function build({ version, folder, env, say, signal }: Making): Promise<string> {
  for (const module of [source, `${sdk}/v3`]) {
    if (committed(module) === `v${version}`) continue;
    throw new Error(
      `cli/go.mod requires ${module} ${committed(module)}, package.json pins ${version}: make them equal`,
    );
  }
  const go = (module: string, ...args: string[]): Promise<string> =>
    run("go", args, { cwd: join(__dirname, module), env: { ...env, GOWORK: "off" }, signal });
  const found = await go("cli", "env", "GOVERSION");
  if (!isAtLeast(found, goNeeded)) throw new Error(`${found.trim()} on PATH is older than ${goNeeded}`);

  const flags = ["build", "-mod=readonly", "-trimpath", "-ldflags"];
  const host = [...flags, "-s -w", "-o", join(folder, languageHost), `${sdk}/nodejs/cmd/pulumi-language-nodejs/v3`];
  await step(say, "compiling the Node language host", "a first build takes about 2 minutes on two cores", () =>
    go("language-host", ...host),
  );
  const stamp = `-s -w -X ${sdk}/v3/go/common/version.Version=v${version}`;
  await step(say, "compiling the Pulumi CLI", "a first build takes about 8 minutes on two cores", () =>
    go("cli", ...flags, stamp, "-o", join(folder, cli), `${source}/cmd/pulumi`),
  );
  return folder;
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
