import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { type Output, UsageError, WrongInput } from "../command";
import { type Category, categoryNames } from "../../provider/resources/shared/risk-categories";
import { type Limit, matched, overLimit } from "./gates";
import { jsonOf } from "./json";
import { markdownOf } from "./markdown";
import { currencyCode, microsOf } from "../../provider/service/money";
import { inPlainText } from "../../provider/resources/shared/phrase";
import { CutPlan, NotAPlan, planFrom } from "./plan";
import { notJudged, type Review, reviewOf } from "./review";

/** 2, for wrong use and wrong input, is the entry point's. */
const exitCodes = { fine: 0, notJudged: 1, failOn: 3, maxDailySpend: 4 } as const;

/** After this time without a plan it is said that one is waited for. */
const patience = 2_000;

interface Options {
  readonly file: string | undefined;
  readonly format: "markdown" | "json";
  readonly failOn: readonly Category[];
  readonly maxDailySpend: Limit | undefined;
}

/** @public `review.ts` requires it. */
export async function run(args: string[], { out, err }: Output): Promise<number> {
  const { file, format, failOn, maxDailySpend } = optionsFrom(args);
  const review = judged(await (file === undefined ? standardInput(err) : contentOf(file)));
  const failedOn = matched(review, failOn);
  const overMaxDailySpend = maxDailySpend === undefined ? [] : overLimit(review, maxDailySpend);
  const exitCode = exitCodeOf(review, failedOn, overMaxDailySpend);
  const found = failedOn.length > 0 ? [`the plan has ${failedOn.join(", ")}`] : [];
  const stops = [...overMaxDailySpend, ...found];
  out(format === "json" ? jsonOf(review, { exitCode, failedOn, overMaxDailySpend }) : markdownOf(review, stops));
  for (const why of review.incomplete) err(`workspace-apps: The plan is incomplete: ${inPlainText(why)}.\n`);
  for (const why of overMaxDailySpend) err(`workspace-apps: --max-daily-spend: ${why}.\n`);
  for (const why of found) err(`workspace-apps: --fail-on: ${why}.\n`);
  return exitCode;
}

/** What could not be judged comes before what was, and money before the rest. */
function exitCodeOf({ incomplete }: Review, failedOn: readonly unknown[], over: readonly unknown[]): number {
  if (incomplete.length > 0) return exitCodes.notJudged;
  if (over.length > 0) return exitCodes.maxDailySpend;
  return failedOn.length > 0 ? exitCodes.failOn : exitCodes.fine;
}

function judged(text: string): Review {
  try {
    return reviewOf(planFrom(text), process.env);
  } catch (error) {
    if (error instanceof CutPlan) return notJudged(error.message);
    if (error instanceof NotAPlan) throw new WrongInput(error.message);
    throw error;
  }
}

function optionsFrom(args: string[]): Options {
  const { values, positionals } = parsed(args);
  const [file, ...more] = positionals;
  if (more.length > 0) throw new UsageError("review takes one file, or the plan on standard input.");
  const { format } = values;
  if (format !== "markdown" && format !== "json") throw new UsageError("--format must be markdown or json.");
  const limit = values["max-daily-spend"];
  return {
    file: file === "-" ? undefined : file,
    format,
    failOn: [...new Set(values["fail-on"].flatMap(categoriesFrom))],
    maxDailySpend: limit === undefined ? undefined : limitFrom(limit),
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: "string", default: "markdown" },
        "fail-on": { type: "string", multiple: true, default: [] },
        "max-daily-spend": { type: "string" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function categoriesFrom(list: string): Category[] {
  return list.split(",").flatMap((text) => {
    const name = text.trim();
    if (name === "any") return categoryNames;
    const found = categoryNames.filter((category) => category === name);
    if (found.length === 0)
      throw new UsageError(
        `--fail-on must be any, or some of ${categoryNames.join(", ")}; not ${JSON.stringify(name)}.`,
      );
    return found;
  });
}

/** `50` for each currency alike, or `USD=50,JPY=8000`. */
function limitFrom(text: string): Limit {
  const all = microsOf(text);
  if (all !== undefined) return all;
  const limits = new Map<string, bigint>();
  for (const part of text.split(",")) {
    const [code, amount = "", ...more] = part.trim().split("=");
    const micros = microsOf(amount);
    const currency = currencyCode(code);
    if (micros === undefined || currency === undefined || more.length > 0 || limits.has(currency))
      throw new UsageError(
        "--max-daily-spend must be an amount, as 50 or 12.50, or an amount for each currency, as USD=50,JPY=8000.",
      );
    limits.set(currency, micros);
  }
  return limits;
}

async function contentOf(file: string): Promise<string> {
  try {
    return decoded(await readFile(file));
  } catch (error) {
    throw new WrongInput(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}.`);
  }
}

async function standardInput(err: Output["err"]): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError("Give a file, or pipe a plan: pulumi preview --json --show-sames | workspace-apps review.");
  const waiting = setTimeout(() => {
    err("Waiting for the plan on standard input.\n");
  }, patience);
  try {
    return decoded(await buffer(process.stdin));
  } finally {
    clearTimeout(waiting);
  }
}

/** The redirection of older PowerShells writes UTF-16. */
function decoded(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}
