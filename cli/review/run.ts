import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { toPlainText } from "./phrase";
import { type Category, categoryNames } from "./risk-categories";
import { currencyCode, microsOf } from "../../provider/service/money";
import { withCode } from "../../provider/service/errors";
import type { MessageCode } from "../../provider/service/message-codes";
import { InputError, type Output, UsageError } from "../command";
import { parseOptions } from "../options";
import { NotAState, stateFrom, type StateResource } from "../stack-state";
import { matchedCategories, type SpendLimit, spendLimitProblems } from "./gates";
import { jsonOf } from "./json";
import { markdownOf } from "./markdown";
import { NotAPlan, planFrom, TruncatedPlan } from "./plan";
import { type Review, reviewOf, unreadableReview } from "./review";

/** `workspace-apps.ts` adds 2 for wrong usage and bad input. */
const exitCodes = { passed: 0, incomplete: 1, failOn: 3, maxDailySpend: 4 } as const;

/** After this time without a plan, the user is told that the command waits for one. */
const waitingNoticeMilliseconds = 2_000;

interface Options {
  readonly file: string | undefined;
  readonly stateFile: string | undefined;
  readonly format: "markdown" | "json";
  readonly failOn: readonly Category[];
  readonly maxDailySpend: SpendLimit | undefined;
}

/** @public `workspace-apps.ts` requires it. */
export async function run(args: string[], { out, err }: Output): Promise<number> {
  const { file, stateFile, format, failOn, maxDailySpend } = optionsFrom(args);
  const state = stateFile === undefined ? undefined : stateIn(await contentOf(stateFile), stateFile);
  const review = reviewText(await (file === undefined ? standardInput(err) : contentOf(file)), state);
  const hasGate = failOn.length > 0 || maxDailySpend !== undefined;
  const notJudged = hasGate ? review.unseen : [];
  const failedOn = matchedCategories(review, failOn);
  const overMaxDailySpend = maxDailySpend === undefined ? [] : spendLimitProblems(review, maxDailySpend);
  const exitCode = exitCodeOf([...review.incomplete, ...notJudged], failedOn, overMaxDailySpend);
  const categoryProblems = failedOn.length > 0 ? [`the plan has ${failedOn.join(", ")}`] : [];
  const unjudgedProblems = notJudged.map((reason) => `not judged: ${toPlainText(reason)}`);
  const gateProblems = [...unjudgedProblems, ...overMaxDailySpend, ...categoryProblems];
  out(format === "json" ? jsonOf(review, { exitCode, failedOn, overMaxDailySpend }) : markdownOf(review, gateProblems));
  const say = (code: MessageCode, text: string): void => {
    err(`workspace-apps: ${withCode(code, text)}\n`);
  };
  for (const reason of review.incomplete) say("WA2010", `The plan is incomplete: ${toPlainText(reason)}.`);
  for (const problem of unjudgedProblems) say("WA2011", `The gates were ${problem}.`);
  for (const problem of overMaxDailySpend) say("WA2012", `--max-daily-spend: ${problem}.`);
  for (const problem of categoryProblems) say("WA2013", `--fail-on: ${problem}.`);
  return exitCode;
}

/** An incomplete plan comes first, then spend, then the other gates. */
function exitCodeOf(incomplete: readonly unknown[], failedOn: readonly unknown[], over: readonly unknown[]): number {
  if (incomplete.length > 0) return exitCodes.incomplete;
  if (over.length > 0) return exitCodes.maxDailySpend;
  return failedOn.length > 0 ? exitCodes.failOn : exitCodes.passed;
}

function stateIn(text: string, file: string): readonly StateResource[] {
  try {
    return stateFrom(text);
  } catch (error) {
    throw error instanceof NotAState ? new InputError(`--state: ${file} ${error.message}`) : error;
  }
}

function reviewText(text: string, state: readonly StateResource[] | undefined): Review {
  try {
    return reviewOf(planFrom(text), state, process.env);
  } catch (error) {
    if (error instanceof TruncatedPlan) return unreadableReview(error.message);
    if (error instanceof NotAPlan) throw new InputError(error.message);
    throw error;
  }
}

function optionsFrom(args: string[]): Options {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      state: { type: "string" },
      format: { type: "string", default: "markdown" },
      "fail-on": { type: "string", multiple: true, default: [] },
      "max-daily-spend": { type: "string" },
    },
  });
  const [file, ...more] = positionals;
  if (more.length > 0) throw new UsageError("Give only one file, or the plan on standard input.");
  const { format } = values;
  if (format !== "markdown" && format !== "json") throw new UsageError("--format must be markdown or json.");
  const limit = values["max-daily-spend"];
  return {
    file: file === "-" ? undefined : file,
    stateFile: values.state,
    format,
    failOn: [...new Set(values["fail-on"].flatMap(categoriesFrom))],
    maxDailySpend: limit === undefined ? undefined : limitFrom(limit),
  };
}

function categoriesFrom(list: string): Category[] {
  return list.split(",").flatMap((text) => {
    const name = text.trim();
    if (name === "any") return categoryNames;
    const found = categoryNames.filter((category) => category === name);
    if (found.length === 0)
      throw new UsageError(
        `Unknown category ${JSON.stringify(name)} in --fail-on. Use any, or some of ${categoryNames.join(", ")}.`,
      );
    return found;
  });
}

/** `50` for each currency separately, or `USD=50,JPY=8000`. */
function limitFrom(text: string): SpendLimit {
  const forEach = microsOf(text);
  if (forEach !== undefined) return forEach;
  const limits = new Map<string, bigint>();
  for (const part of text.split(",")) {
    const [code, amount = "", ...more] = part.trim().split("=");
    const micros = microsOf(amount);
    const currency = currencyCode(code);
    if (micros === undefined || currency === undefined || more.length > 0 || limits.has(currency))
      throw new UsageError(
        "--max-daily-spend must be an amount, such as 50 or 12.50, or an amount for each currency, such as USD=50,JPY=8000.",
      );
    limits.set(currency, micros);
  }
  return limits;
}

async function contentOf(file: string): Promise<string> {
  try {
    return decoded(await readFile(file));
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InputError(`Cannot read ${file}: ${code === "ENOENT" ? "there is no such file" : code}.`);
  }
}

async function standardInput(err: Output["err"]): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError(
      "Give a file, or pipe a plan: pulumi preview --json --show-sames --show-replacement-steps | workspace-apps review.",
    );
  const notice = setTimeout(() => {
    err("Waiting for the plan on standard input.\n");
  }, waitingNoticeMilliseconds);
  try {
    return decoded(await buffer(process.stdin));
  } finally {
    clearTimeout(notice);
  }
}

/** Older PowerShell versions redirect output as UTF-16. */
function decoded(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}
