import { readFile, writeFile } from "node:fs/promises";
import { ServiceClient } from "../../provider/service/client";
import { type Clock, systemClock } from "../../provider/service/clock";
import { oneLine, withoutSecrets } from "../../provider/service/redaction";
import { readSettings, type Settings } from "../../provider/settings";
import { InputError, type Output } from "../command";
import { sectionsFor } from "./declarations";
import { takeInventory } from "./inventory";
import { type IsKnown, knownIn } from "./known";
import { optionsFrom } from "./options";
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
  const settings = readSettings(() => undefined, dependencies.environment);
  const say = (line: string): void => {
    err(`workspace-apps adopt: ${cleaned(line, settings)}\n`);
  };
  const isKnown = await knownFrom(options.exclude);
  const service = new ServiceClient(settings, dependencies.clock, say);
  try {
    const { found, unread } = await takeInventory(options, service, dependencies.isTerminal ? say : () => undefined);
    const { sections, undeclared } = sectionsFor(found, isKnown);
    const program = programOf(sections);
    if (options.out === undefined) out(program);
    else await writeNew(options.out, program);
    const declarations = sections.flatMap((section) => section.declarations);
    for (const problem of unread) say(problem);
    for (const { object, why } of undeclared) say(`${object} is not declared: ${why}.`);
    for (const { name, secretKey } of declarations)
      if (secretKey !== undefined) say(`${name}: set its target URL with \`pulumi config set --secret ${secretKey}\`.`);
    say(summaryOf(declarations.length, options.out));
    return unread.length + undeclared.length > 0 ? exitCodes.incomplete : exitCodes.complete;
  } finally {
    await service.close();
  }
}

function summaryOf(count: number, file: string | undefined): string {
  const objects = count === 1 ? "1 object" : `${String(count)} objects`;
  const where = file === undefined ? "" : ` in ${file}`;
  return count === 0
    ? "Nothing was found that is not excluded."
    : `${objects} declared${where}. Run \`pulumi preview\`, then \`pulumi up\`: it sends no change.`;
}

async function knownFrom(file: string | undefined): Promise<IsKnown> {
  if (file === undefined) return () => false;
  try {
    return knownIn(await readFile(file, "utf8"), file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      `--exclude: cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}.`,
    );
  }
}

/** Never over a program that somebody may have edited. */
async function writeNew(file: string, program: string): Promise<void> {
  try {
    await writeFile(file, program, { flag: "wx" });
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InputError(`--out: ${code === "EEXIST" ? `${file} exists already` : `cannot write ${file}: ${code}`}.`);
  }
}

/** What the service said may contain anything. */
function cleaned(text: string, { accessToken, apiKey }: Settings): string {
  return withoutSecrets(
    text
      .split("\n")
      .map((line) => (line.trim() === "" ? "" : `${/^ */.exec(line)?.[0] ?? ""}${oneLine(line)}`))
      .join("\n"),
    [accessToken, apiKey ?? ""],
  );
}
