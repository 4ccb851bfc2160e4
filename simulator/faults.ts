import { z } from "zod";
import { isOperationId, type OperationId, operations, parameterNames } from "../provider/service/operations";
import type { Fault, ListLag, ListOperation, RequestFault } from "./types";

const operation = z.custom<OperationId>((id) => typeof id === "string" && isOperationId(id), "is no operation");
const listOperation = operation.refine((id): id is ListOperation => id.endsWith(".list"), "is no list operation");
const milliseconds = z.number().nonnegative();

const scriptedAnswer = z.strictObject({
  status: z.int().min(200).max(599),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  contentType: z.string().exactOptional(),
});

const anyRequestFault = z.strictObject({
  operation,
  parameters: z.record(z.string(), z.string()).exactOptional(),
  times: z.union([z.int().positive(), z.literal(["always", Infinity])]).exactOptional(),
  skip: z.int().nonnegative().exactOptional(),
  commit: z.boolean().exactOptional(),
  then: z.union([scriptedAnswer, z.literal(["reset", "hang", "pass", "hold"])]),
  delayMilliseconds: milliseconds.exactOptional(),
});

const requestFault: z.ZodType<RequestFault> = anyRequestFault.refine(
  ({ operation, parameters = {} }) => {
    const known = parameterNames(operations[operation].endpoint);
    return Object.keys(parameters).every((name) => known.includes(name));
  },
  { path: ["parameters"], error: "are not those of the operation's path" },
);

const listLag: z.ZodType<ListLag> = z.strictObject({ operation: listOperation, lagMilliseconds: milliseconds });

/** Throws a ZodError when it is no fault: a misspelled script would else quietly do nothing. */
function checked(fault: unknown): Fault {
  const isListLag = typeof fault === "object" && fault !== null && "lagMilliseconds" in fault;
  return isListLag ? listLag.parse(fault) : requestFault.parse(fault);
}

interface Pending {
  fault: RequestFault;
  skip: number;
  times: number;
}

/** What is scripted for which operation. */
export class Faults {
  private readonly pending = new Map<OperationId, Pending[]>();
  private readonly lags = new Map<ListOperation, number>();

  add(unchecked: unknown): void {
    const fault = checked(unchecked);
    if ("lagMilliseconds" in fault) {
      this.lags.set(fault.operation, fault.lagMilliseconds);
      return;
    }
    const { times = 1, skip = 0 } = fault;
    const queue = this.pending.get(fault.operation) ?? [];
    queue.push({ fault, skip, times: times === "always" ? Infinity : times });
    this.pending.set(fault.operation, queue);
  }

  clear(): void {
    this.pending.clear();
    this.lags.clear();
  }

  /** The fault that meets a request with these parameters in its path, which it thereby uses up. */
  meet(id: OperationId, parameters: Readonly<Record<string, string>>): RequestFault | undefined {
    const queue = this.pending.get(id);
    const first = queue?.find(({ fault }) => isMeant(fault, parameters));
    if (queue === undefined || first === undefined) return undefined;
    if (first.skip > 0) {
      first.skip--;
      return undefined;
    }
    first.times--;
    if (first.times <= 0) queue.splice(queue.indexOf(first), 1);
    return first.fault;
  }

  lag(id: OperationId): number {
    return this.lags.get(id as ListOperation) ?? 0;
  }
}

/** Whether a fault is for a request with these parameters in its path. */
export function isMeant({ parameters = {} }: RequestFault, given: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).every(([name, value]) => given[name] === value);
}
