import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { z } from "zod";
import { type Check } from "./finding";

const run = promisify(execFile);

/** Some backends are far away; one that does not answer must not hang doctor. */
const patience = 60_000;

/** A stack's configuration, by full key. */
export type StackConfiguration = ReadonlyMap<string, { readonly text: string; readonly secret: boolean }>;

export interface StackChoice {
  readonly name: string;
  /** The project's folder; undefined: this one. */
  readonly cwd: string | undefined;
}

export const noStack: StackConfiguration = new Map();

const printed = z.record(z.string(), z.looseObject({ value: z.string().nullish(), secret: z.boolean().nullish() }));

/** Asks the pulumi CLI, which alone knows backends, passphrases and project defaults. Gives what is wrong if it cannot. */
export async function stackConfiguration(
  { name, cwd }: StackChoice,
  environment: NodeJS.ProcessEnv,
): Promise<StackConfiguration | Check> {
  // In one word, so that no name is taken for an option.
  const args = ["config", "--json", "--show-secrets", "--non-interactive", `--stack=${name}`];
  try {
    const { stdout } = await run("pulumi", args, {
      cwd,
      timeout: patience,
      env: { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true", NO_COLOR: "1" },
    });
    return new Map(
      Object.entries(printed.parse(JSON.parse(stdout))).map(([key, { value, secret }]) => [
        key,
        { text: value ?? "", secret: secret === true },
      ]),
    );
  } catch (error) {
    return { check: "stack", state: "fail", cause: "stack-unreadable", ...problem(error, { name, cwd }) };
  }
}

function problem(error: unknown, { name, cwd }: StackChoice): { seen: string; fix: string } {
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
  // Node says the same of a program and of a folder that it does not find.
  if (code === "ENOENT" && cwd !== undefined && !existsSync(cwd))
    return { seen: `the folder ${cwd} does not exist`, fix: "Give the folder of the Pulumi project with --cwd." };
  if (code === "ENOENT")
    return {
      seen: "the pulumi CLI was not found on PATH",
      fix: "Install the Pulumi CLI, or leave --stack out to check the environment alone.",
    };
  if (killed === true)
    return {
      seen: `pulumi did not give the configuration of stack ${name} within ${String(patience / 1000)} s`,
      fix: "Check that the backend of the stack is reached: `pulumi whoami -v`.",
    };
  // What it printed on standard output is the configuration, with its secrets: it is not shown, even if it is no JSON.
  const words = (stderr ?? "").replace(/^\s*error: /, "").trim();
  return {
    seen: `the configuration of stack ${name} could not be read${words === "" ? "" : `: ${words}`}`,
    fix: "Run `pulumi config` in the folder of the project, and mend what it says: the stack's name, the log-in or the passphrase. --cwd names another folder.",
  };
}
