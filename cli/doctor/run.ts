import { type Clock, systemClock, minLoggedWait } from "../../provider/service/clock";
import { segmentProblem } from "../../provider/service/endpoints";
import { hiding, oneLine } from "../../provider/service/redaction";
import { type Output, UsageError } from "../command";
import { parseOptions } from "../options";
import { jsonOf } from "./json";
import { idNames, neverCalled } from "./read-operations";
import { type CheckResult, type DoctorReport, hasFailed } from "./report";
import { checkService, skippedServiceChecks } from "./service-checks";
import { checkSettings } from "./settings-checks";
import { noStack, readStackConfiguration, type StackChoice } from "./stack-configuration";
import { tableOf } from "./table";

/** `workspace-apps.ts` adds 2 for wrong usage. */
const exitCodes = { nothingFailed: 0, failed: 1 } as const;

/** The width of the table if standard output is not a terminal. */
const defaultColumns = 120;

interface Options {
  readonly stack: StackChoice | undefined;
  readonly ids: ReadonlyMap<string, string>;
  readonly json: boolean;
}

/** Tests pass their own. */
export interface Dependencies {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** @public `workspace-apps.ts` requires it. */
export function run(args: string[], output: Output): Promise<number> {
  return doctor(args, output, { environment: process.env, clock: systemClock });
}

export async function doctor(args: string[], { out, err }: Output, dependencies: Dependencies): Promise<number> {
  const options = optionsFrom(args);
  const { report, secrets } = await withWaitingNotice(err, createReport(options, dependencies));
  const safe = sanitized(report, secrets);
  out(options.json ? jsonOf(safe) : tableOf(safe, process.stdout.columns || defaultColumns));
  return hasFailed(report) ? exitCodes.failed : exitCodes.nothingFailed;
}

async function createReport({ stack, ids }: Options, { environment, clock }: Dependencies) {
  const configuration = stack === undefined ? noStack : await readStackConfiguration(stack, environment);
  if ("check" in configuration) {
    const { secrets } = checkSettings(noStack, environment);
    const skipped = skippedServiceChecks("the stack's configuration cannot be read");
    return { report: { ...skipped, checks: [configuration, ...skipped.checks], neverCalled }, secrets };
  }
  const { settings, checks, secrets, removal } = checkSettings(configuration, environment);
  const serviceChecks =
    settings === undefined
      ? skippedServiceChecks("the settings are not valid")
      : await checkService({ settings, ids, keyRemoval: removal("apiKey"), environment, clock });
  return { report: { ...serviceChecks, checks: [...checks, ...serviceChecks.checks], neverCalled }, secrets };
}

/** Hides what may repeat a credential, and removes control characters from what the service and others said. */
function sanitized(report: DoctorReport, secrets: readonly string[]): DoctorReport {
  const hide = hiding(secrets);
  const clean = (text: string): string => hide(printable(text));
  // Names and advice are doctor's own words: if the key is "wrong", "The key is wrong" reveals nothing.
  const cleanResult = <T extends CheckResult>(result: T): T => ({ ...result, seen: clean(result.seen) });
  const operations = report.operations.map((check) => ({
    ...cleanResult(check),
    endpoint: check.endpoint === undefined ? undefined : clean(check.endpoint),
  }));
  return { ...report, checks: report.checks.map(cleanResult), operations };
}

function printable(text: string): string {
  return oneLine(text).replace(/\p{Cf}/gu, "");
}

/** Tells the user on standard error if it takes longer than a moment. */
async function withWaitingNotice<T>(err: Output["err"], work: Promise<T>): Promise<T> {
  const began = performance.now();
  let timer: NodeJS.Timeout;
  const notify = (): void => {
    err(`workspace-apps doctor: waiting for responses (${String(Math.round((performance.now() - began) / 1000))} s)\n`);
    timer = setTimeout(notify, 5 * minLoggedWait);
  };
  timer = setTimeout(notify, minLoggedWait);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

function optionsFrom(args: string[]): Options {
  const { stack, cwd, id, json } = parseOptions({
    args,
    options: {
      stack: { type: "string" },
      cwd: { type: "string" },
      id: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
    },
  }).values;
  if (cwd !== undefined && stack === undefined) throw new UsageError("--cwd requires --stack.");
  if (stack === "") throw new UsageError("--stack must name a stack.");
  return { stack: stack === undefined ? undefined : { name: stack, cwd }, ids: idsFrom(id), json };
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
