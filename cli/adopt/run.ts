import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { ServiceClient } from "../../provider/service/client";
import { type Clock, systemClock } from "../../provider/service/clock";
import { withoutControlCharacters, withoutSecrets } from "../../provider/service/redaction";
import { environmentName, readSettings, type Settings, SettingsError } from "../../provider/settings";
import { InputError, type Output } from "../command";
import { NotAState, stateFrom, type StateResource } from "../stack-state";
import { declare, type Declared } from "./declarations";
import { type Excluded, excludedBy } from "./excluded";
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
  // Before minutes of reading.
  if (options.out !== undefined) requireWritable(options.out);
  const secrets = [settings.accessToken, settings.apiKey ?? ""];
  const say = (line: string): void => {
    err(`workspace-apps adopt: ${withoutSecrets(withoutControlCharacters(line), secrets)}\n`);
  };
  const service = new ServiceClient(settings, dependencies.clock, say);
  try {
    const { found, unread } = await takeInventory(options, service, dependencies.isTerminal ? say : () => undefined);
    const declared = declare(found, createDeployment(service, settings, dependencies.clock, say), excluded);
    await write(declared, options.out, out);
    for (const problem of [...unread, ...declared.undeclared]) say(problem);
    for (const line of whatToDo(declared, unread.length, options)) say(line);
    return unread.length + declared.undeclared.length > 0 ? exitCodes.incomplete : exitCodes.complete;
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
  try {
    return stateFrom(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof NotAState) throw new InputError(`--exclude: ${file} ${error.message}`);
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InputError(
      `--exclude: cannot read ${file}: ${code}. Write it with \`pulumi stack export > state.json\`, and give its path.`,
    );
  }
}

/** To a new file, never over a program that somebody may have edited. */
async function write({ sections }: Declared, file: string | undefined, out: Output["out"]): Promise<void> {
  if (sections.length === 0) return;
  const program = programOf(sections);
  if (file === undefined) {
    out(program);
    return;
  }
  try {
    await writeFile(file, program, { flag: "wx" });
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw code === "EEXIST" ? alreadyExists(file) : new InputError(`--out: cannot write ${file}: ${code}.`);
  }
}

function requireWritable(file: string): void {
  if (existsSync(file)) throw alreadyExists(file);
  if (!existsSync(dirname(file))) throw new InputError(`--out: there is no folder ${dirname(file)}.`);
}

function alreadyExists(file: string): InputError {
  return new InputError(`--out: ${file} exists already. Choose another name, or delete it.`);
}

/** What the user does next. */
function whatToDo({ sections, undeclared }: Declared, unread: number, { out, exclude }: Options): string[] {
  const declarations = sections.flatMap((section) => section.declarations);
  if (declarations.length === 0) return [nothingDeclared(undeclared.length, unread, exclude)];
  const secrets = declarations.flatMap(({ secrets }) => secrets);
  const isComplete = undeclared.length + unread === 0;
  return [
    ...(undeclared.length > 0 ? ["Change that in the service and run this again, or leave it unmanaged."] : []),
    ...(secrets.length > 0
      ? [
          `${counted(secrets.length, "value")} may hold a key, so the program reads ${secrets.length === 1 ? "it" : "them"} from the configuration. Without ${secrets.length === 1 ? "it" : "them"} the program fails. Copy from the service, and run first:`,
          ...secrets.map(({ key }) => `  pulumi config set --secret ${key}`),
        ]
      : []),
    `${counted(declarations.length, "object")} declared${out === undefined ? "" : ` in ${out}. Import it in your program, if it is not the program itself`}.${isComplete ? "" : " See above for the rest."} Run \`pulumi preview\`, then \`pulumi up\`: it adopts and sends no change.`,
  ];
}

function nothingDeclared(undeclared: number, unread: number, exclude: readonly string[]): string {
  if (undeclared + unread > 0)
    return `Nothing is declared: ${String(unread)} could not be read, and ${String(undeclared)} could not be declared.`;
  return exclude.length === 0
    ? "Nothing was found, so no program is written."
    : "The stack manages everything that was found, so no program is written.";
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
