import { ServiceClient } from "../../../provider/service/client";
import type { Connection } from "../../../provider/service/endpoints";
import { ServiceError } from "../../../provider/service/errors";
import { type OperationId, operations, parameterNames } from "../../../provider/service/operations";
import { VirtualClock } from "../../support/clock";

export const accessToken = "full-access-token";

export function connectionTo(baseUrl: string, more: Partial<Connection> = {}): Connection {
  return {
    baseUrl,
    accessToken,
    apiKey: undefined,
    endpoints: {},
    documentedOnly: false,
    rateLimits: {},
    requestTimeoutSeconds: 5,
    ...more,
  };
}

/** A client whose waits end at once, and a record of what it did and logged. */
export class WatchedService extends ServiceClient {
  /** The lines for the user who waits. */
  readonly lines: string[];
  readonly time: VirtualClock;

  constructor(baseUrl: string, more: Partial<Connection> = {}, time = new VirtualClock()) {
    const lines: string[] = [];
    super(connectionTo(baseUrl, more), time, (line) => lines.push(line));
    this.lines = lines;
    this.time = time;
  }

  /** Any operation, each path parameter under its own name. */
  callAny(id: OperationId, parameters: Record<string, string> = {}): Promise<unknown> {
    const own = Object.fromEntries(parameterNames(operations[id].endpoint).map((name) => [name, name]));
    return this.call(id, { parameters: { ...own, ...parameters } } as Parameters<typeof this.call>[1]);
  }
}

/** The ServiceError of a failed call. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`expected a ServiceError, got ${String(error)}`, { cause: error });
}
