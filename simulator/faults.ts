import { z } from "zod";
import { isOperationId, operations, parameterNames } from "../provider/service/operations";
import type { Fault, ListLag, ListOperation, OperationId, RequestFault } from "./types";

const operation = z.custom<OperationId>((id) => typeof id === "string" && isOperationId(id), "unknown operation");
const listOperation = operation.refine((id): id is ListOperation => id.endsWith(".list"), "not a list operation");
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
  { path: ["parameters"], error: "not path parameters of the operation" },
);

const listLag: z.ZodType<ListLag> = z.strictObject({ operation: listOperation, lagMilliseconds: milliseconds });

/** Strict, because a misspelled fault would do nothing. */
export const faultSchema = z.unknown().transform((value, context): Fault => {
  const isListLag = typeof value === "object" && value !== null && "lagMilliseconds" in value;
  const { data, error } = (isListLag ? listLag : requestFault).safeParse(value);
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path, message });
  return data ?? z.NEVER;
});

interface Pending {
  fault: RequestFault;
  skip: number;
  times: number;
}

/** The faults of all operations. */
export class Faults {
  private readonly pending = new Map<OperationId, Pending[]>();
  private readonly lags = new Map<ListOperation, number>();

  /** Throws a ZodError if the fault is not valid. */
  add(unchecked: Fault): void {
    const fault = faultSchema.parse(unchecked);
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

  /** Returns the fault for a request with these path parameters, and counts it as used. */
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

/** Whether a fault is for a request with these path parameters. */
export function isMeant({ parameters = {} }: RequestFault, given: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).every(([name, value]) => given[name] === value);
}
