import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import type { Command, Run } from "../../tools/harness/engine";
import { workFolder } from "../../tools/harness/installation";

const execute = promisify(execFile);

/** The example whose pipelines are tested. */
export const example = path.resolve(__dirname, "../../examples/gitops");
export const workflowFile = ".github/workflows/stack.yml";
const gitlabFile = ".gitlab-ci.yml";

/** The test has done this installation already. */
const installation = "npm ci --ignore-scripts";

/** The commands of one job: one script for each shell that the runner starts. */
export interface Script {
  commands: string;
  environment: Record<string, string>;
  id?: string | undefined;
  /** The script that must have run, with any result. Without it, all earlier ones must have succeeded. */
  after?: string | undefined;
}

/** Returns the scripts of a job, with the values of the platform filled in. */
export type Pipeline = (job: string, given: Given) => Promise<Script[]>;

interface Given {
  /** The values of expressions and of the project's variables, by name. */
  values: Record<string, string>;
  /** The pipeline is started by hand, to remove a lock. */
  unlock?: boolean;
  /** The registry does not answer. */
  cannotInstall?: boolean;
}

interface Step {
  id?: string;
  if?: string;
  run?: string;
  env?: Record<string, string>;
}

interface Workflow {
  env: Record<string, string>;
  jobs: Record<string, { env?: Record<string, string>; steps: Step[] }>;
}

export const githubActions: Pipeline = async (name, { values, unlock = false, cannotInstall = false }) => {
  const workflow = parse(await readFile(path.join(example, workflowFile), "utf8")) as Workflow;
  const job = workflow.jobs[name];
  assert.ok(job !== undefined, `${workflowFile} has no job ${name}`);
  const isTaken = ({ if: condition = "" }: Step): boolean => condition !== "inputs.unlock" || unlock;
  const filledIn = (text: string): string =>
    text.replace(/\$\{\{ *([^ }]+) *\}\}/g, (_, expression: string) => {
      const [context = "", ...property] = expression.split(".");
      const value = values[["vars", "secrets"].includes(context) ? property.join(".") : expression];
      assert.ok(value !== undefined, `no value for ${expression}`);
      return value;
    });
  return job.steps.filter(isTaken).flatMap(({ id, run, env, if: condition }): Script[] => {
    if (run === undefined || (run === installation && !cannotInstall)) return [];
    if (run === installation) return [{ commands: "false", environment: {} }];
    const declared = Object.entries({ ...workflow.env, ...job.env, ...env });
    const environment = Object.fromEntries(declared.map(([key, value]) => [key, filledIn(value)]));
    // The platform would fill expressions into commands too, and a value could end a quotation there.
    assert.ok(!run.includes("${{"), `an expression in a command: ${run}`);
    return [{ commands: run, environment, id, after: ranBefore(condition) }];
  });
};

/** The step that a condition requires. A condition that this code does not know fails the test. */
function ranBefore(condition: string | undefined): string | undefined {
  if (condition === undefined || condition === "inputs.unlock") return undefined;
  const [, id] = /^\$\{\{ !cancelled\(\) && steps\.(\w+)\.outcome != 'skipped' \}\}$/.exec(condition) ?? [];
  assert.ok(id !== undefined, `unknown condition: ${condition}`);
  return id;
}

interface GitlabPipeline {
  variables: Record<string, string>;
  [job: string]: { variables?: Record<string, string>; before_script?: string[]; script?: string[] };
}

/** The file with all its parts merged. Made once, because the tool takes seconds. */
let wholeGitlabPipeline: Promise<string> | undefined;

export const gitlab: Pipeline = async (name, { values, unlock = false, cannotInstall = false }) => {
  wholeGitlabPipeline ??= gitlabCiLocal("main", ["--preview"]);
  const pipeline = parse(await wholeGitlabPipeline) as GitlabPipeline;
  const job = pipeline[name];
  assert.ok(job?.script !== undefined, `${gitlabFile} has no job ${name}`);
  // Variables of the project override those of the file.
  const variables = { ...pipeline.variables, ...job.variables, ...values, UNLOCK: String(unlock) };
  const filledIn = (value: string) => value.replace(/\$(\w+)/g, (_, other: string) => values[other] ?? "");
  const environment = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, filledIn(value)]));
  const commands = [...(job.before_script ?? []), ...job.script].flatMap((line) => {
    if (line !== installation) return [line];
    return cannotInstall ? ["false"] : [];
  });
  return [{ commands: commands.join("\n"), environment }];
};

/** Runs the tool in a new repository with the example's pipeline, on this branch. */
export async function gitlabCiLocal(branch: string, args: string[], edit = (text: string) => text): Promise<string> {
  const folder = await mkdtemp(path.join(workFolder(), "gitlab-"));
  await writeFile(path.join(folder, gitlabFile), edit(await readFile(path.join(example, gitlabFile), "utf8")));
  const git = (...words: string[]) => execute("git", words, { cwd: folder });
  await git("init", "--quiet", `--initial-branch=${branch}`);
  await git("remote", "add", "origin", "https://gitlab.example.com/team/stack.git");
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  await git(...author, "commit", "--quiet", "--allow-empty", "-m", "x");
  const program = path.join(path.dirname(require.resolve("gitlab-ci-local/package.json")), "dist/index.js");
  const { stdout } = await execute(process.execPath, [program, "--home", folder, ...args], { cwd: folder });
  return stdout;
}

/** Runs the scripts of a job as a runner does: the first failure ends it, except for scripts that say otherwise. */
export async function runJob(scripts: Script[], folder: string, environment: NodeJS.ProcessEnv): Promise<Run> {
  let code: number | null = 0;
  let [output, stdout] = ["", ""];
  const ran = new Set<string>();
  for (const script of scripts) {
    if (script.after === undefined ? code !== 0 : !ran.has(script.after)) continue;
    if (script.id !== undefined) ran.add(script.id);
    const run = await startScript(script, folder, environment).ended;
    output += run.output;
    stdout += run.stdout;
    if (run.code !== 0) code = run.code;
  }
  return { code, output, stdout, changes: {} };
}

export function startScript({ commands, environment }: Script, folder: string, base: NodeJS.ProcessEnv): Command {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", commands], {
    cwd: folder,
    env: { ...base, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, stdout] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<Run>((resolve, reject) =>
    child.on("error", reject).on("close", (code) => {
      resolve({ code, output, stdout, changes: {} });
    }),
  );
  return { pid: child.pid ?? 0, ended };
}
