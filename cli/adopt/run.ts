import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { ServiceClient } from "../../provider/service/client";
import { type Clock, systemClock } from "../../provider/service/clock";
import { withCode } from "../../provider/service/errors";
import { hiding, withoutControlCharacters } from "../../provider/service/redaction";
import { environmentName, readSettings, type Settings, SettingsError } from "../../provider/settings";
import { InputError, type Output } from "../command";
import { NotAState, stateFrom, type StateResource } from "../stack-state";
import { type Declaration, declare, type Declared } from "./declarations";
import { type Excluded, excludedBy } from "./excluded";
import { importFileOf } from "./import-file";
import { takeInventory } from "./inventory";
import { type Options, optionsFrom } from "./options";
import { programOf } from "./program";

/** `workspace-apps.ts` adds 2 for wrong usage. */
const exitCodes = { complete: 0, incomplete: 1 } as const;

/** Tests pass their own. */
export interface Dependencies {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Whether a person watches standard error. */
  readonly isTerminal: boolean;
}

/** @public `workspace-apps.ts` requires it. */
export function run(args: string[], output: Output): Promise<number> {
  return adopt(args, output, {
    environment: process.env,
    clock: systemClock,
    isTerminal: process.stderr.isTTY,
  });
}

export async function adopt(args: string[], { out, err }: Output, dependencies: Dependencies): Promise<number> {
  const options = optionsFrom(args);
  const settings = settingsFrom(dependencies.environment);
  const excluded = options.exclude.length === 0 ? undefined : await readExcluded(options.exclude);
  // Fail before minutes of reading.
  if (options.out !== undefined) requireNewFile(options.out);
  const hide = hiding([settings.accessToken, settings.apiKey]);
  const say = (line: string): void => {
    err(`workspace-apps adopt: ${hide(withoutControlCharacters(line))}\n`);
  };
  const service = new ServiceClient(settings, dependencies.clock, say);
  try {
    const { found, unread } = await takeInventory(options, service, dependencies.isTerminal ? say : () => undefined);
    const deployment = createDeployment(service, settings, dependencies.clock, say);
    const declared = declare(found, deployment, options.format, excluded);
    await write(declared, options, out);
    for (const problem of unread) say(problem);
    for (const problem of declared.incomplete) say(withCode("WA2020", problem));
    for (const line of whatToDo(declared, unread.length, options)) say(line);
    return unread.length + declared.incomplete.length > 0 ? exitCodes.incomplete : exitCodes.complete;
  } finally {
    await service.close();
  }
}

/** The settings of the environment. The stack's configuration is not read. */
function settingsFrom(environment: NodeJS.ProcessEnv): Settings {
  try {
    return readSettings(() => undefined, environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.problems.map(({ key, problem }) => `${environmentName(key)} ${problem}.`);
    const lines = problems.length > 0 ? problems : [error.message];
    throw new InputError([...lines, "adopt reads the environment, not the configuration of a stack."].join("\n"));
  }
}

async function readExcluded(files: readonly string[]): Promise<Excluded> {
  const states = await Promise.all(files.map(readState));
  return excludedBy(states.flat());
}

async function readState(file: string): Promise<readonly StateResource[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InputError(
      `--exclude: cannot read ${file}: ${code}. Write it with \`pulumi stack export > state.json\`, and give its path.`,
    );
  });
  try {
    return stateFrom(text);
  } catch (error) {
    if (!(error instanceof NotAState)) throw error;
    throw new InputError(`--exclude: ${file} ${error.message}`);
  }
}

/** To a new file, never over a program that somebody may have edited. */
async function write({ sections }: Declared, { out: file, format }: Options, out: Output["out"]): Promise<void> {
  if (sections.length === 0) return;
  const text = format === "import" ? importFileOf(sections) : programOf(sections);
  if (file === undefined) {
    out(text);
    return;
  }
  try {
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw code === "EEXIST" ? alreadyExists(file) : new InputError(`--out: cannot write ${file}: ${code}.`);
  }
}

function requireNewFile(file: string): void {
  if (existsSync(file)) throw alreadyExists(file);
  if (!existsSync(dirname(file))) throw new InputError(`--out: there is no folder ${dirname(file)}.`);
}

function alreadyExists(file: string): InputError {
  return new InputError(`--out: ${file} exists already. Choose another name, or delete it.`);
}

/** The next step of the user. */
function whatToDo({ sections, incomplete }: Declared, unread: number, options: Options): string[] {
  const declarations = sections.flatMap((section) => section.declarations);
  const isComplete = incomplete.length + unread === 0;
  if (declarations.length === 0) return [nothingDeclared(isComplete, options)];
  return [
    ...(incomplete.length > 0 ? ["Fix these problems and run this again, or leave these objects unmanaged."] : []),
    `${counted(declarations.length, "object")} declared.${isComplete ? "" : " See above for the rest."}`,
    ...(options.format === "import" ? howToImport(declarations, options) : howToAdopt(declarations, options)),
  ];
}

function howToImport(declarations: readonly Declaration[], { out }: Options): string[] {
  const holders = declarations.filter(({ secrets }) => secrets.length > 0);
  return [
    ...(out === undefined ? ["Save the output as a file, such as import.json."] : []),
    ...(holders.length > 0
      ? [
          `These objects may hold keys, and the code that Pulumi prints for them shows their values: ${holders.map(({ name }) => name).join(", ")}. Move those to the configuration: \`pulumi config set --secret\`.`,
        ]
      : []),
    `Run \`pulumi import --file ${out ?? "import.json"}\` in a stack of the packaged form. It sends no change, and prints the code for your program.`,
  ];
}

function howToAdopt(declarations: readonly Declaration[], { out }: Options): string[] {
  const secrets = declarations.flatMap(({ secrets }) => secrets);
  return [
    out === undefined ? "Save the output as your program." : `Import ${out} in your program, unless it is the program.`,
    ...(secrets.length > 0
      ? [
          "These values may hold keys, so the program reads them from the configuration, and fails without them. Copy them from the service:",
          ...secrets.map(({ key }) => `  pulumi config set --secret ${key}`),
        ]
      : []),
    "Run `pulumi preview`, then `pulumi up`. It adopts the objects and sends no change.",
  ];
}

function nothingDeclared(isComplete: boolean, { exclude, format }: Options): string {
  const text = format === "import" ? "file" : "program";
  const isNew = exclude.length === 0;
  if (!isComplete) {
    const why = isNew ? "nothing could be declared" : "nothing is left to declare";
    return `No ${text} is written: ${why}. The problems are listed above.`;
  }
  return isNew
    ? `Nothing was found, so no ${text} is written.`
    : `The stack manages everything that was found, so no ${text} is written.`;
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
