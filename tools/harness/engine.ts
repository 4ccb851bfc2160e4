import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import assert from "node:assert/strict";
import { kindOfType, partsOfUrn } from "../../provider/pulumi/urn";
import { companions } from "../../provider/registry";
import { type Form, testedForm, testedProgram, testedSettings } from "./form";
import { engineFolder, projectFolder, workFolder } from "./installation";
import { secretsProvider } from "./vault";

/** A program that declares one resource and exports all its outputs. */
export function programOf(kind: string, args: object, options: object = {}): string {
  return `
    const apps = require("pulumi-workspace-apps");
    const made = new apps.${kind}("tested", ${JSON.stringify(args)}, ${JSON.stringify(options)});
    exports.made = made;
  `;
}

/** A running `pulumi` command. */
export interface Command {
  /** The process of the CLI. */
  pid: number;
  /** Resolves when the CLI and everything that writes to its output have ended. */
  ended: Promise<Run>;
}

/** One finished `pulumi` command. */
export interface Run {
  code: number | null;
  /** Everything that it printed, for messages and for scans. */
  output: string;
  /** The text that a pipe would receive. */
  stdout: string;
  /** The number of resources for each kind of step, without the stack, its provider and companions: `{ create: 2 }`. */
  changes: Record<string, number>;
}

export interface StoredResource {
  urn: string;
  type: string;
  id?: string;
  protect?: boolean;
  parent?: string;
  provider?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  initErrors?: string[];
}

interface Resources {
  resources?: StoredResource[];
}

export interface ProgramOptions {
  /** The program; CommonJS unless the file name says otherwise. */
  program: string;
  /** `Main.yaml` for a YAML program, `__main__.py` for a Python program. @default "index.js" */
  file?: string;
  baseUrl: string;
  linked?: boolean;
  environment?: Record<string, string>;
  config?: Record<string, string>;
  /** Where the state is kept. @default a folder of the project's own */
  backend?: string;
  /** @default the form that the tests run in */
  form?: Form;
}

/** Saves the processes that the engine starts a third of their time. */
const compiledSdk = path.join(__dirname, "compiled-sdk.js");

/** The folder of a project's file backend. */
const stateFolder = "state";
const stackFile = "Pulumi.dev.yaml";
let newStack: Promise<string> | undefined;

/** A separate Pulumi project, run with the real CLI. */
export class PulumiProject {
  private constructor(
    readonly folder: string,
    private readonly file: string,
    readonly environment: NodeJS.ProcessEnv,
    private readonly backend: string | undefined,
    readonly form: Form = testedForm,
  ) {}

  static async create(options: ProgramOptions): Promise<PulumiProject> {
    const folder = await projectFolder(options.linked);
    const file = options.file ?? "index.js";
    await mkdir(path.join(folder, stateFolder));
    const manifest = {
      name: "tested",
      version: "1.0.0",
      main: file,
      ...(file.endsWith(".mjs") ? { type: "module" } : {}),
    };
    await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
    const environment = {
      ...process.env,
      PATH: `${engineFolder()}${path.delimiter}${process.env["PATH"] ?? ""}`,
      PULUMI_HOME: path.join(workFolder(), "pulumi-home"),
      PULUMI_CONFIG_PASSPHRASE: "tests",
      PULUMI_SKIP_UPDATE_CHECK: "1",
      PULUMI_STACK: "dev",
      NODE_OPTIONS: `--require ${JSON.stringify(compiledSdk)}`,
      WORKSPACE_APPS_BASE_URL: options.baseUrl,
      WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token",
      ...options.environment,
    };
    const project = new PulumiProject(folder, file, environment, options.backend, options.form);
    await project.writeSettings(`name: tested\n${runtimeOf(file)}`);
    await project.write(options.program);
    const config = Object.entries(options.config ?? {}).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`);
    if (options.backend === undefined) await project.useNewStack();
    else await project.initStack();
    if (config.length > 0) {
      const file = path.join(folder, stackFile);
      await writeFile(file, `${await readFile(file, "utf8")}config:\n${config.join("")}`);
    }
    return project;
  }

  private async initStack(): Promise<void> {
    const init = await this.pulumi("stack", "init", "dev", "--secrets-provider", secretsProvider);
    if (init.code !== 0) throw new Error(init.output);
  }

  /** An empty stack, copied from one that is made once: `stack init` takes a second. */
  private async useNewStack(): Promise<void> {
    newStack ??= (async () => {
      const folder = await mkdtemp(path.join(workFolder(), "stack-"));
      const template = new PulumiProject(folder, this.file, this.environment, undefined, this.form);
      await mkdir(path.join(folder, stateFolder));
      await cp(path.join(this.folder, "Pulumi.yaml"), path.join(folder, "Pulumi.yaml"));
      await template.initStack();
      return folder;
    })();
    const folder = await newStack;
    await cp(path.join(folder, stateFolder), path.join(this.folder, stateFolder), { recursive: true });
    await cp(path.join(folder, stackFile), path.join(this.folder, stackFile));
  }

  /** A copy of this project and its state. State that is kept elsewhere is shared. */
  async copy({ form = this.form }: { form?: Form } = {}): Promise<PulumiProject> {
    const folder = await mkdtemp(path.join(workFolder(), "project-"));
    await cp(this.folder, folder, { recursive: true, verbatimSymlinks: true });
    return new PulumiProject(folder, this.file, { ...this.environment }, this.backend, form);
  }

  /** Replaces the program. */
  async write(program: string): Promise<void> {
    await writeFile(path.join(this.folder, this.file), testedProgram(program, this.form));
  }

  /** Replaces `Pulumi.yaml`. */
  async writeSettings(settings: string): Promise<void> {
    await writeFile(path.join(this.folder, "Pulumi.yaml"), testedSettings(settings, this.form));
  }

  /** Replaces the program and applies it. */
  async apply(program: string): Promise<Run> {
    await this.write(program);
    return this.up();
  }

  up(...more: string[]): Promise<Run> {
    return this.start("up", ...more).ended;
  }

  /**
   * As people run it. The JSON events of an `up` contain the SDK's debug messages, with the outputs of every resource in
   * plain text. A scan for secrets would report them as leaks.
   */
  upAsText(): Promise<Run> {
    return this.pulumi("up", "--yes", "--skip-preview", "--non-interactive", "--diff");
  }

  preview(...more: string[]): Promise<Run> {
    return this.pulumi("preview", "--json", "--non-interactive", ...more);
  }

  /** The plan that `workspace-apps review` asks for. */
  plan(...more: string[]): Promise<Run> {
    return this.preview("--show-sames", "--show-replacement-steps", ...more);
  }

  /** The state as a pipeline passes it to `workspace-apps review --state`. */
  async exportState(): Promise<string> {
    const { code, stdout, output } = await this.pulumi("stack", "export");
    if (code !== 0) throw new Error(output);
    return stdout;
  }

  refresh(...more: string[]): Promise<Run> {
    return this.start("refresh", ...more).ended;
  }

  destroy(...more: string[]): Promise<Run> {
    return this.start("destroy", ...more).ended;
  }

  /** Starts a command as a pipeline does. */
  start(command: "up" | "refresh" | "destroy", ...more: string[]): Command {
    return this.spawn([command, "--yes", "--skip-preview", "--json", "--non-interactive", ...more]);
  }

  /** The resources of this package in the stack's state, or those of one kind. Secrets stay encrypted. */
  async stored(kind = ""): Promise<StoredResource[]> {
    const text = await this.rawState();
    const { checkpoint, deployment } = JSON.parse(text) as {
      checkpoint?: { latest?: Resources };
      deployment?: Resources;
    };
    const { resources = [] } = checkpoint?.latest ?? deployment ?? {};
    return resources.filter(({ type }) => {
      const own = kindOfType(type);
      return kind === "" ? own !== undefined : own === kind;
    });
  }

  /** The state as the backend keeps it. The CLI takes a second to start, so a file backend is read without it. */
  async rawState(): Promise<string> {
    if (this.backend !== undefined) return (await this.pulumi("stack", "export")).output;
    const settings = await readFile(path.join(this.folder, "Pulumi.yaml"), "utf8");
    const [, name = ""] = /^name: (.*)$/m.exec(settings) ?? [];
    return readFile(path.join(this.folder, stateFolder, ".pulumi", "stacks", name, "dev.json"), "utf8");
  }

  /** The outputs of the one resource of `programOf`. */
  async outputs(): Promise<Record<string, unknown>> {
    const run = await this.pulumi("stack", "output", "--json", "--show-secrets");
    return (JSON.parse(run.output) as { made: Record<string, unknown> }).made;
  }

  pulumi(...args: string[]): Promise<Run> {
    return this.spawn(args).ended;
  }

  private spawn(args: string[]): Command {
    const child = spawn("pulumi", args, {
      cwd: this.folder,
      env: {
        ...this.environment,
        PULUMI_BACKEND_URL: this.backend ?? `file://${path.join(this.folder, stateFolder)}`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [output, stdout] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<Run>((resolve, reject) =>
      child.on("error", reject).on("close", (code) => {
        resolve({ code, output, stdout, changes: changesIn(output, (kind) => !isCompanion(kind)) });
      }),
    );
    return { pid: child.pid ?? 0, ended };
  }
}

/** The lines of Pulumi.yaml that say how a program is run. */
function runtimeOf(file: string): string {
  if (file.endsWith(".yaml")) return "runtime: yaml\n";
  if (file.endsWith(".py")) return "runtime: python\n";
  return `runtime:\n  name: nodejs\n  options:\n    typescript: ${String(file.endsWith(".ts"))}\n`;
}

/** Asserts that a command succeeded and took exactly these steps. */
export function assertDone(run: Run, changes?: Record<string, number>): void {
  assert.equal(run.code, 0, run.output);
  if (changes !== undefined) assert.deepEqual(run.changes, changes, run.output);
}

/** Asserts that a command failed with these words. */
export function assertFailed(run: Run, words: RegExp): void {
  assert.notEqual(run.code, 0, run.output);
  // The CLI's JSON escapes quotes and angle brackets.
  assert.match(run.output.replaceAll('\\"', '"'), words);
}

/** Whether resources of this kind follow others of the program. */
function isCompanion(kind: string): boolean {
  return Object.hasOwn(companions, kind);
}

/** The `changes` of the companions, such as the launch intents of campaigns. */
export function companionChanges({ output }: Run): Record<string, number> {
  return changesIn(output, isCompanion);
}

/** Counts the steps of a `--json` run: `preview` prints one document, other commands one line for each event. */
function changesIn(output: string, isCounted: (kind: string) => boolean): Record<string, number> {
  const changes: Record<string, number> = {};
  const count = (operation: string | undefined, type: string | undefined): void => {
    const kind = kindOfType(type ?? "");
    if (operation === undefined || kind === undefined || !isCounted(kind)) return;
    changes[operation] = (changes[operation] ?? 0) + 1;
  };
  for (const { resOutputsEvent } of eventsIn(output))
    count(resOutputsEvent?.metadata.op, resOutputsEvent?.metadata.type);
  const start = output.indexOf("{");
  const document = parse(output.slice(start)) as { steps?: { op: string; urn: string }[] } | undefined;
  for (const { op, urn } of document?.steps ?? []) count(op, partsOfUrn(urn).type);
  return changes;
}

interface Step {
  metadata: { op: string; type: string; urn: string };
}

/** A line that `up`, `refresh` and `destroy` print with `--json`: the fields that the tests read. */
interface EngineEvent {
  resOutputsEvent?: Step;
  resOpFailedEvent?: Step;
  diagnosticEvent?: { severity: string; message: string; urn?: string };
}

export function eventsIn(output: string): EngineEvent[] {
  return output
    .split("\n")
    .map(parse)
    .filter((event): event is EngineEvent => typeof event === "object" && event !== null);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
