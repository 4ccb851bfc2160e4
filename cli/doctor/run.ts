import { parseArgs } from "node:util";
import { type Clock, systemClock, worthSaying } from "../../provider/service/clock";
import { segmentProblem } from "../../provider/service/endpoints";
import { oneLine, withoutSecrets } from "../../provider/service/redaction";
import { type Output, UsageError } from "../command";
import { examine, unexamined } from "./examination";
import { type Finding, hasFailed, type Report } from "./finding";
import { jsonOf } from "./json";
import { idNames, neverCalled } from "./reads";
import { visitSettings } from "./settings";
import { noStack, type StackChoice, stackConfiguration } from "./stack";
import { tableOf } from "./table";

/** 2, for wrong use, is the entry point's. */
const exitCodes = { nothingFailed: 0, failed: 1 } as const;

/** The width of the table where it is not printed on a terminal. */
const usualColumns = 120;

interface Options {
  readonly stack: StackChoice | undefined;
  readonly ids: ReadonlyMap<string, string>;
  readonly json: boolean;
}

/** What surrounds the command; tests bring their own. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** @public `doctor.ts` requires it. */
export function run(args: string[], output: Output): Promise<number> {
  return doctor(args, output, { environment: process.env, clock: systemClock });
}

export async function doctor(args: string[], { out, err }: Output, around: Surroundings): Promise<number> {
  const options = optionsFrom(args);
  const { report, secrets } = await whileSaying(err, reportOn(options, around));
  const shown = cleaned(report, secrets);
  out(options.json ? jsonOf(shown) : tableOf(shown, process.stdout.columns || usualColumns));
  return hasFailed(report) ? exitCodes.failed : exitCodes.nothingFailed;
}

async function reportOn({ stack, ids }: Options, { environment, clock }: Surroundings) {
  const configuration = stack === undefined ? noStack : await stackConfiguration(stack, environment);
  if ("check" in configuration) {
    const { secrets } = visitSettings(noStack, environment);
    const rest = unexamined("the stack's configuration must be readable first");
    return { report: { ...rest, checks: [configuration, ...rest.checks], neverCalled }, secrets };
  }
  const { settings, checks, secrets, removal } = visitSettings(configuration, environment);
  const keyRemoval = removal("apiKey");
  const rest =
    settings === undefined
      ? unexamined("the settings must be right first")
      : await examine({ settings, ids, keyRemoval, environment, clock });
  return { report: { ...rest, checks: [...checks, ...rest.checks], neverCalled }, secrets };
}

/** Nothing of what others said steers a terminal, and no credential in it leaves doctor. */
function cleaned(report: Report, secrets: readonly string[]): Report {
  const hidden = (text: string): string => withoutSecrets(printable(text), secrets);
  // Names and advice are doctor's own words: where the key is "wrong", "The key is wrong" tells nothing of it.
  const clean = <T extends Finding>(finding: T): T => ({ ...finding, seen: hidden(finding.seen) });
  const operations = report.operations.map((check) => ({
    ...clean(check),
    endpoint: check.endpoint === undefined ? undefined : hidden(check.endpoint),
  }));
  return { ...report, checks: report.checks.map(clean), operations };
}

function printable(text: string): string {
  return oneLine(text).replace(/\p{Cf}/gu, "");
}

/** A person who waits longer than a moment is told so, on standard error. */
async function whileSaying<T>(err: Output["err"], work: Promise<T>): Promise<T> {
  const began = performance.now();
  let next: NodeJS.Timeout;
  const say = (): void => {
    err(`workspace-apps doctor: waiting for answers (${String(Math.round((performance.now() - began) / 1000))} s)\n`);
    next = setTimeout(say, 5 * worthSaying);
  };
  next = setTimeout(say, worthSaying);
  try {
    return await work;
  } finally {
    clearTimeout(next);
  }
}

function optionsFrom(args: string[]): Options {
  const { stack, cwd, id, json } = parsed(args);
  if (cwd !== undefined && stack === undefined) throw new UsageError("--cwd is for --stack: give both.");
  if (stack === "") throw new UsageError("--stack must name a stack.");
  return { stack: stack === undefined ? undefined : { name: stack, cwd }, ids: idsFrom(id), json };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        stack: { type: "string" },
        cwd: { type: "string" },
        id: { type: "string", multiple: true, default: [] },
        json: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function idsFrom(given: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const text of given) {
    const [name = "", ...rest] = text.split("=");
    const value = rest.join("=");
    if (rest.length === 0 || !idNames.includes(name))
      throw new UsageError(`--id must be NAME=VALUE, where NAME is one of ${idNames.join(", ")}.`);
    const problem = segmentProblem(value);
    if (problem !== undefined) throw new UsageError(`--id ${name} ${problem}.`);
    if (ids.has(name)) throw new UsageError(`--id ${name} is given twice.`);
    ids.set(name, value);
  }
  return ids;
}
