import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Clock } from "../service/clock";
import type { Service } from "../service/client";
import { messageOf, Refusal, ServiceError } from "../service/errors";
import { oneLine, withoutValues } from "../service/redaction";
import { inTurns } from "../service/turns";
import { SettingsError } from "../settings";
import { inOrder, plain } from "./plain";
import { problemsIn } from "./problems";

/** What a look-up asks with. */
export interface Asking {
  readonly service: Service;
  readonly clock: Clock;
  /** Shows a line to the person who runs the command. */
  readonly say: (line: string) => void;
  /** The same for what the person should look into. */
  readonly warn: (line: string) => void;
  /** One read for all look-ups of the program run that want the same. */
  readonly shared: <T>(key: string, read: () => Promise<T>) => Promise<T>;
}

/** One look-up: what it takes, and how it is answered. */
export interface Lookup<Args extends object, Result> {
  /** As users call it. */
  readonly name: string;
  /** Types, bounds and rules of the arguments. */
  readonly args: z.ZodType<Args>;
  run(args: Args, asking: Asking): Promise<Result>;
}

/** A look-up failed: which, and why. As a RunError it ends the program with its message and no stack trace. */
export class LookupError extends pulumi.RunError {
  /** Tells it from other errors where `instanceof` cannot. */
  override readonly name = "LookupError";
  constructor(message: string) {
    super(message);
    // Pulumi prints the stack of an error that nobody waits for: for a message that is meant for the user it says nothing.
    this.stack = message;
  }
}

/** Where a look-up's lines go. */
interface Voice {
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** How a look-up is asked for. */
interface Circumstances {
  /** Names the resources that it waited for. */
  readonly after?: string;
  /** Whether an argument is secret: then no line shows one. */
  readonly isSecret?: boolean;
}

type Reads = Map<string, Promise<unknown>>;

/** The look-ups of one run of a program. */
export class ProgramRun {
  /**
   * What was read so far, by what it was read after: a look-up that waits for a resource must not be given an answer
   * from before that resource was made or changed.
   */
  private readonly reads = new Map<string, Reads>();

  constructor(
    private readonly service: Service,
    private readonly clock: Clock,
  ) {}

  /** Answers a look-up. Equal ones share their requests, and each gets a result of its own. */
  async ask<Args extends object, Result>(
    lookup: Lookup<Args, Result>,
    given: object,
    voice: Voice,
    { after = "", isSecret = false }: Circumstances = {},
  ): Promise<Result> {
    const { name } = lookup;
    const shown = (line: string): string => oneLine(isSecret ? withoutValues(line, [given, encoded(given)]) : line);
    try {
      const args = parsed(lookup, given);
      const shared = this.sharing(after);
      const say = (line: string): void => {
        voice.say(shown(`${name}: ${line}`));
      };
      const warn = (line: string): void => {
        voice.warn(shown(`${name}: ${line}`));
      };
      const asking: Asking = { service: this.service.heardBy(say), clock: this.clock, say, warn, shared };
      return await copied(await shared(`${name} ${inOrder(plain(args))}`, () => lookup.run(args, asking)));
    } catch (error) {
      throw isForUser(error) ? new LookupError(shown(`${name}: ${messageOf(error)}`)) : error;
    }
  }

  /** A read that failed is not kept: who catches the error may ask again. Those who asked meanwhile share the failure. */
  private sharing(after: string): Asking["shared"] {
    const reads: Reads = this.reads.get(after) ?? new Map<string, Promise<unknown>>();
    this.reads.set(after, reads);
    return <T>(key: string, read: () => Promise<T>): Promise<T> => {
      const present = reads.get(key);
      if (present !== undefined) return present as Promise<T>;
      const answer = read();
      reads.set(key, answer);
      answer.catch(() => reads.delete(key));
      return answer;
    };
  }
}

/** The arguments in their shape, or every problem at once, each under its name. */
function parsed<Args extends object>(lookup: Lookup<Args, unknown>, given: object): Args {
  if (pulumi.Output.isInstance(given)) throw new Refusal(`the arguments are an Output: use ${lookup.name}Output.`);
  const input = withoutNulls(given);
  const result = lookup.args.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) =>
    pulumi.Output.isInstance(issue.input) ? { ...issue, message: `is an Output: use ${lookup.name}Output` } : issue,
  );
  const problems = problemsIn(lookup.args, input, issues).map(
    ({ property, reason }) => `${property === "" ? "the arguments:" : property} ${reason}`,
  );
  throw new Refusal(`${[...new Set(problems)].join("; ")}. Nothing was asked.`);
}

/** A null is what a configuration file or a JavaScript program gives for nothing. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given) || pulumi.Output.isInstance(given))
    return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === null ? [] : [[key, withoutNulls(value)]])),
  );
}

function isForUser(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof Refusal || error instanceof SettingsError;
}

/** As values stand in a path. */
function encoded(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? encodeURIComponent(value) : undefined;
  return typeof value === "object" && value !== null ? Object.values(value).map(encoded) : undefined;
}

/** So that who sorts a list does not sort it for others. Outputs cannot be changed, and are left as they are. */
function copied<T>(value: T): Promise<T> {
  let values = 0;
  return inTurns(copy(value));

  function* copy<Inner>(value: Inner): Generator<undefined, Inner> {
    if (typeof value !== "object" || value === null || pulumi.Output.isInstance(value)) return value;
    if (++values % copiesOfATurn === 0) yield;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const item of value as unknown[]) list.push(yield* copy(item));
      return list as Inner;
    }
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) entries.push([key, yield* copy(inner as unknown)]);
    return Object.fromEntries(entries) as Inner;
  }
}

/** Lists and objects that are copied before others have their turn. */
const copiesOfATurn = 1_000;
