import { validateHeaderName, validateHeaderValue } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { isOperationId, operations, parameterNames } from "../provider/service/operations";
import type { Events } from "./events";
import { wordsOf } from "./fault-words";
import type { Fault, ListLag, ListOperation, OperationId, RequestFault, WaitingFault } from "./types";
import { reportTo } from "./validation";

export const operationId = z.custom<OperationId>(
  (id) => typeof id === "string" && isOperationId(id),
  "unknown operation",
);
const listOperation = operationId.refine((id): id is ListOperation => id.endsWith(".list"), "not a list operation");
const milliseconds = z.number().nonnegative();
/** As long as a timer of Node can be. A longer one would end at once. */
const delayMilliseconds = milliseconds.max(2 ** 31 - 1);

const notSent = "HTTP cannot send such a header";
const headers = z.record(z.string(), z.string()).refine((all) => Object.entries(all).every(canBeSent), notSent);

const scriptedAnswer = z.strictObject({
  status: z.int().min(200).max(599),
  body: z.unknown().optional(),
  headers: headers.exactOptional(),
  contentType: z
    .string()
    .refine((type) => canBeSent(["content-type", type]), notSent)
    .exactOptional(),
});

/** Path parameters: which requests are meant. */
export const faultParameters = z.record(z.string(), z.string());
export const faultTimes = z.union([z.int().positive(), z.literal(["always", Infinity])]);

const anyRequestFault = z.strictObject({
  operation: operationId,
  parameters: faultParameters.exactOptional(),
  times: faultTimes.exactOptional(),
  skip: z.int().nonnegative().exactOptional(),
  commit: z.boolean().exactOptional(),
  then: z.union([scriptedAnswer, z.literal(["reset", "hang", "pass", "hold"])]),
  delayMilliseconds: delayMilliseconds.exactOptional(),
});

const anyListLag = z.strictObject({
  operation: listOperation,
  parameters: faultParameters.exactOptional(),
  times: faultTimes.exactOptional(),
  lagMilliseconds: milliseconds,
});

const hasKnownParameters = ({ operation, parameters = {} }: Fault): boolean => {
  const known = parameterNames(operations[operation].endpoint);
  return Object.keys(parameters).every((name) => known.includes(name));
};
const problem = { path: ["parameters"], error: "not path parameters of the operation" };
const requestFault: z.ZodType<RequestFault> = anyRequestFault.refine(hasKnownParameters, problem);
const listLag: z.ZodType<ListLag> = anyListLag.refine(hasKnownParameters, problem);

/** Strict, because a misspelled fault would do nothing. */
export const faultSchema = z.unknown().transform((value, context): Fault => {
  const isLag = typeof value === "object" && value !== null && "lagMilliseconds" in value;
  const { data, error } = (isLag ? listLag : requestFault).safeParse(value);
  reportTo(context, error);
  return data ?? z.NEVER;
});

interface Waiting {
  number: number;
  fault: Fault;
  skip: number;
  times: number;
}

/** The faults of all operations. */
export class Faults {
  private waiting: Waiting[] = [];
  private count = 0;

  constructor(private readonly events: Events) {}

  /** Throws a ZodError if the fault is not valid. */
  add(unchecked: Fault): void {
    const fault = faultSchema.parse(unchecked);
    const { times = isLag(fault) ? "always" : 1 } = fault;
    if (isLag(fault)) this.waiting = this.waiting.filter((one) => !isSameList(one.fault, fault));
    const skip = isLag(fault) ? 0 : (fault.skip ?? 0);
    this.waiting.push({ number: ++this.count, fault, skip, times: times === "always" ? Infinity : times });
    this.events.changed("faults");
  }

  /** Returns whether it was waiting. */
  remove(number: number): boolean {
    const left = this.waiting.filter((one) => one.number !== number);
    const isFound = left.length < this.waiting.length;
    this.waiting = left;
    if (isFound) this.events.changed("faults");
    return isFound;
  }

  clear(): void {
    this.waiting = [];
    this.events.changed("faults");
  }

  /** Forgets the numbers too. */
  reset(): void {
    this.count = 0;
    this.clear();
  }

  all(): WaitingFault[] {
    return this.waiting.map(({ number, fault, skip, times }) => ({
      number,
      operation: fault.operation,
      ...(fault.parameters === undefined ? {} : { parameters: { ...fault.parameters } }),
      words: wordsOf(fault),
      remaining: times === Infinity ? "always" : times,
      ...(skip === 0 ? {} : { skip }),
      ...(isLag(fault) ? { lagMilliseconds: fault.lagMilliseconds } : {}),
    }));
  }

  /** Returns the fault for a request with these path parameters, and counts it as used. */
  meet(id: OperationId, parameters: Readonly<Record<string, string>>): RequestFault | undefined {
    return this.use(id, parameters, (fault): fault is RequestFault => !isLag(fault));
  }

  /** By how much a list with these path parameters lags. Counts the lag as used. */
  lag(id: OperationId, parameters: Readonly<Record<string, string>>): number {
    return this.use(id, parameters, isLag)?.lagMilliseconds ?? 0;
  }

  private use<Wanted extends Fault>(
    id: OperationId,
    parameters: Readonly<Record<string, string>>,
    isWanted: (fault: Fault) => fault is Wanted,
  ): Wanted | undefined {
    for (const waiting of this.waiting) {
      const { fault } = waiting;
      if (fault.operation === id && isWanted(fault) && isMeant(fault, parameters))
        return this.counted(waiting) ? fault : undefined;
    }
    return undefined;
  }

  /** Counts a request that a fault is for. Returns whether the fault applies to it. */
  private counted(waiting: Waiting): boolean {
    const isSkipped = waiting.skip > 0;
    if (isSkipped) waiting.skip--;
    else waiting.times--;
    if (waiting.times <= 0) this.waiting = this.waiting.filter((one) => one !== waiting);
    if (isSkipped || waiting.times !== Infinity) this.events.changed("faults");
    return !isSkipped;
  }
}

function canBeSent([name, value]: [name: string, value: string]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function isLag(fault: Fault): fault is ListLag {
  return "lagMilliseconds" in fault;
}

function isSameList(one: Fault, other: ListLag): boolean {
  return isLag(one) && one.operation === other.operation && isDeepStrictEqual(one.parameters, other.parameters);
}

/** Whether a fault is for a request with these path parameters. */
export function isMeant({ parameters = {} }: Fault, given: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).every(([name, value]) => given[name] === value);
}
