import { describeProblem, problemsIn } from "../argument-problems";
import type { Lookup, LookupContext, Plain } from "../lookups/shared/lookup";
import { canonicalJson } from "../resources/shared/compare";
import type { ServiceClient } from "../service/client";
import type { Clock } from "../service/clock";
import { formatReport, messageOf, ProviderError, type Report, ReportedError } from "../service/errors";
import { LongNumber } from "../service/long-numbers";
import { hiding, oneLine, withoutControlCharacters } from "../service/redaction";
import { SettingsError } from "../settings";
import { withoutUndefined } from "../serializable";

/* How a look-up runs: in the program's process, or in the plugin of the packaged form. Loads no SDK. */

/** A look-up failed. The message begins with its name. */
export class LookupFailure extends Error {}

/** Where the lines of a look-up go. */
interface Log {
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** Whether no message may show the arguments of a look-up by invoke. A program in another language does not tell. */
export const secretArgumentsKey = "__hasSecretArguments";

/** The hidden input that names the resources that an invoke waited for. Programs in other languages do not set it. */
export const awaitedKey = "__awaited";

export interface RunOptions {
  /** Names the resources that the look-up waited for. If unset, requests are not shared. */
  readonly after?: string | undefined;
  /** Whether an argument is secret: then no line shows one. */
  readonly isSecret?: boolean;
  /** Tells what has no value yet. A program may give it by mistake. */
  readonly isOutput?: (value: unknown) => boolean;
}

/**
 * The look-ups of one run of a program.
 * @internal
 */
export class LookupRun {
  /** Reads so far. A failed one is not kept, so that a program that catches the error can retry. */
  private readonly reads = new Map<string, Promise<unknown>>();

  constructor(
    private readonly service: ServiceClient,
    private readonly clock: Clock,
  ) {}

  /** Runs a look-up. Equal look-ups share their requests, and each gets its own copy of the result. */
  async run<Args extends object, Result>(
    lookup: Lookup<Args, Result>,
    given: object,
    log: Log,
    { after, isSecret = false, isOutput }: RunOptions = {},
  ): Promise<Plain<Result>> {
    const { name } = lookup;
    const hide = isSecret ? hiding(given) : (line: string) => line;
    // Line by line, each behind its indentation.
    const shown = (text: string): string => withoutControlCharacters(`${name}: ${text.replace(/\S.*/g, hide)}`);
    const info = (line: string): void => {
      log.info(oneLine(shown(line)));
    };
    const warn = (report: Report): void => {
      log.warn(oneLine(shown(formatReport(report))));
    };
    try {
      const args = parseArguments(lookup, given, isOutput);
      const service = this.service.loggingTo(info, isSecret ? given : undefined);
      // A look-up that waits for a resource must not get a response from before that resource was created or changed.
      // One with secret arguments must not get the error of another one, which may repeat them.
      const group = after === undefined ? undefined : `${String(isSecret)} ${after}`;
      const shared: LookupContext["shared"] = (key, read) => this.share(group, key, read);
      const context: LookupContext = { service, clock: this.clock, log: info, warn, shared };
      const key = `${name} ${canonicalJson(withoutUndefined(args))}`;
      return copyOf(await shared(key, () => lookup.run(args, context)));
    } catch (error) {
      const isForUser = error instanceof ReportedError || error instanceof SettingsError;
      throw isForUser ? new LookupFailure(shown(messageOf(error))) : error;
    }
  }

  /** One read for all callers of a group, which share its failure too. */
  private share<T>(group: string | undefined, key: string, read: () => Promise<T>): Promise<T> {
    if (group === undefined) return read();
    const id = JSON.stringify([group, key]);
    const present = this.reads.get(id);
    if (present !== undefined) return present as Promise<T>;
    const result = read();
    this.reads.set(id, result);
    result.catch(() => this.reads.delete(id));
    return result;
  }
}

/**
 * The checked arguments. Throws all problems at once.
 * @internal
 */
export function parseArguments<Args extends object>(
  lookup: Lookup<Args, unknown>,
  given: object,
  isOutput: (value: unknown) => boolean = () => false,
): Args {
  if (isOutput(given))
    throw new ProviderError({
      code: "WA1702",
      what: "the arguments are an Output. No request was sent.",
      next: [`Use ${lookup.name}Output.`],
    });
  const input = withoutNulls(given, isOutput);
  const result = lookup.args.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) =>
    isOutput(issue.input) ? { ...issue, message: `is an Output; use ${lookup.name}Output` } : issue,
  );
  const problems = problemsIn(lookup.args, input, issues).map((problem) =>
    problem.property === "" ? `the arguments: ${problem.reason}` : describeProblem(problem),
  );
  throw new ProviderError({
    code: "WA1101",
    what: `${[...new Set(problems)].join("; ").replace(/[^?]$/, "$&.")} No request was sent.`,
  });
}

/** Configuration files and JavaScript programs may use null for "not set". */
function withoutNulls(given: unknown, isOutput: (value: unknown) => boolean): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given) || isOutput(given)) return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === null ? [] : [[key, withoutNulls(value, isOutput)]])),
  );
}

/**
 * A deep copy: a program that sorts a list must not change it for other callers. A number that JavaScript cannot keep
 * is its text.
 */
function copyOf<T>(value: T): T {
  if (value instanceof LongNumber) return value.text as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner as unknown)])) as T;
}
