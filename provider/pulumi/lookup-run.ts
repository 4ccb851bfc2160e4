import * as pulumi from "@pulumi/pulumi";
import { problemsIn } from "../argument-problems";
import type { Lookup, LookupContext } from "../lookups/shared/lookup";
import { canonicalJson } from "../resources/shared/compare";
import type { ServiceClient } from "../service/client";
import type { Clock } from "../service/clock";
import { messageOf, ProviderError, ReportedError } from "../service/errors";
import { withoutControlCharacters, withoutValues } from "../service/redaction";
import { SettingsError } from "../settings";
import { withoutUndefined } from "./serializable";

/** A look-up failed. The message says which one and why. As a RunError it ends the program without a stack trace. */
export class LookupError extends pulumi.RunError {
  /** Tells it from other errors where `instanceof` cannot. */
  override readonly name = "LookupError";
  constructor(message: string) {
    super(message);
    // Pulumi prints the stack of an error that nobody handles.
    this.stack = message;
  }
}

/** Where the lines of a look-up go. */
interface Log {
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
}

interface RunOptions {
  /** Names the resources that the look-up waited for. */
  readonly after?: string;
  /** Whether an argument is secret: then no line shows one. */
  readonly isSecret?: boolean;
}

type Reads = Map<string, Promise<unknown>>;

/** The look-ups of one run of a program. */
export class LookupRun {
  /**
   * What was read so far, by what it was read after: a look-up that waits for a resource must not get a response from
   * before that resource was created or changed.
   */
  private readonly reads = new Map<string, Reads>();

  constructor(
    private readonly service: ServiceClient,
    private readonly clock: Clock,
  ) {}

  /** Answers a look-up. Equal ones share their requests, and each gets a result of its own. */
  async answer<Args extends object, Result>(
    lookup: Lookup<Args, Result>,
    given: object,
    log: Log,
    { after = "", isSecret = false }: RunOptions = {},
  ): Promise<Result> {
    const { name } = lookup;
    const shown = (text: string): string =>
      withoutControlCharacters(`${name}: ${isSecret ? withoutValues(text, [given, urlEncoded(given)]) : text}`);
    try {
      const args = parseArguments(lookup, given);
      const shared = this.sharing(after);
      const context: LookupContext = {
        service: this.service.loggingTo((line) => {
          log.info(shown(line));
        }),
        clock: this.clock,
        log: (line) => {
          log.info(shown(line));
        },
        warn: (line) => {
          log.warn(shown(line));
        },
        shared,
      };
      const key = `${name} ${canonicalJson(withoutUndefined(args))}`;
      return copyOf(await shared(key, () => lookup.run(args, context)));
    } catch (error) {
      const isForUser = error instanceof ReportedError || error instanceof SettingsError;
      throw isForUser ? new LookupError(shown(messageOf(error))) : error;
    }
  }

  /** A failed read is not kept: who catches the error may ask again. Those who asked meanwhile share the failure. */
  private sharing(after: string): LookupContext["shared"] {
    const reads: Reads = this.reads.get(after) ?? new Map<string, Promise<unknown>>();
    this.reads.set(after, reads);
    return <T>(key: string, read: () => Promise<T>): Promise<T> => {
      const present = reads.get(key);
      if (present !== undefined) return present as Promise<T>;
      const result = read();
      reads.set(key, result);
      result.catch(() => reads.delete(key));
      return result;
    };
  }
}

/** The checked arguments, or every problem at once. */
export function parseArguments<Args extends object>(lookup: Lookup<Args, unknown>, given: object): Args {
  const isOutput = { next: [`Use ${lookup.name}Output.`] };
  if (pulumi.Output.isInstance(given))
    throw new ProviderError({ what: "the arguments are an Output. No request was sent.", ...isOutput });
  const input = withoutNulls(given);
  const result = lookup.args.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) =>
    pulumi.Output.isInstance(issue.input) ? { ...issue, message: `is an Output; use ${lookup.name}Output` } : issue,
  );
  const problems = problemsIn(lookup.args, input, issues).map(
    ({ property, reason }) => `${property === "" ? "the arguments:" : property} ${reason}`,
  );
  throw new ProviderError(`${[...new Set(problems)].join("; ")}. No request was sent.`);
}

/** A configuration file or a JavaScript program gives null for nothing. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given) || pulumi.Output.isInstance(given))
    return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === null ? [] : [[key, withoutNulls(value)]])),
  );
}

/** The texts as they appear in a path. */
function urlEncoded(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? encodeURIComponent(value) : undefined;
  return typeof value === "object" && value !== null ? Object.values(value).map(urlEncoded) : undefined;
}

/** A copy, so that who sorts a list does not sort it for others. Outputs cannot be changed, and stay as they are. */
function copyOf<T>(value: T): T {
  if (typeof value !== "object" || value === null || pulumi.Output.isInstance(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner as unknown)])) as T;
}
