import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { z } from "zod";
import { type Check } from "./report";

const run = promisify(execFile);

/** A backend that does not respond must not block doctor forever; some are slow. */
const timeoutMilliseconds = 60_000;

/** A stack's configuration, by full key. */
export type StackConfiguration = ReadonlyMap<string, { readonly text: string; readonly secret: boolean }>;

export interface StackChoice {
  readonly name: string;
  /** The project's folder. Undefined: the current one. */
  readonly cwd: string | undefined;
}

export const noStack: StackConfiguration = new Map();

const printedShape = z.record(
  z.string(),
  z.looseObject({ value: z.string().nullish(), secret: z.boolean().nullish() }),
);

/**
 * Reads the configuration through the pulumi CLI, because only the CLI knows backends, passphrases and project defaults.
 * Returns a failed check if that does not work.
 */
export async function readStackConfiguration(
  { name, cwd }: StackChoice,
  environment: NodeJS.ProcessEnv,
): Promise<StackConfiguration | Check> {
  // `--stack=` in one argument, so that no name can be read as an option.
  const args = ["config", "--json", "--show-secrets", "--non-interactive", `--stack=${name}`];
  try {
    const { stdout } = await run("pulumi", args, {
      cwd,
      timeout: timeoutMilliseconds,
      env: { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true", NO_COLOR: "1" },
    });
    return new Map(
      Object.entries(printedShape.parse(JSON.parse(stdout))).map(([key, { value, secret }]) => [
        key,
        { text: value ?? "", secret: secret === true },
      ]),
    );
  } catch (error) {
    return { check: "stack", state: "fail", cause: "stack-unreadable", ...explain(error, { name, cwd }) };
  }
}

function explain(error: unknown, { name, cwd }: StackChoice): { seen: string; fix: string } {
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
  // Node gives the same error for a missing program and a missing folder.
  if (code === "ENOENT" && cwd !== undefined && !existsSync(cwd))
    return { seen: `the folder ${cwd} does not exist`, fix: "Give the folder of the Pulumi project with --cwd." };
  if (code === "ENOENT")
    return {
      seen: "the pulumi CLI was not found on PATH",
      fix: "Install the Pulumi CLI, or leave out --stack to check only the environment.",
    };
  if (killed === true)
    return {
      seen: `pulumi did not return the configuration of stack ${name} within ${String(timeoutMilliseconds / 1000)} s`,
      fix: "Check that the backend of the stack is reachable: `pulumi whoami -v`.",
    };
  // Standard output is the configuration with its secrets. It is not shown, even if it is not JSON.
  const message = (stderr ?? "").replace(/^\s*error: /, "").trim();
  return {
    seen: `the configuration of stack ${name} cannot be read${message === "" ? "" : `: ${message}`}`,
    fix: "Run `pulumi config` in the folder of the project and fix the reported problem: the name of the stack, the login or the passphrase. Use --cwd for another folder.",
  };
}
