import type { OperationId } from "./operations";

/** An error in lines: what happened, what is known, and what to do next. */
export interface Report {
  /** One sentence: what happened, and whether it matters. */
  readonly what: string;
  readonly known?: readonly string[];
  /** One action a line. */
  readonly next?: readonly string[];
}

/** An error that was written for the user: it needs no stack trace. */
export class ReportedError extends Error {
  constructor(readonly report: Report) {
    super(formatReport(report));
  }
}

/** Something that this package will not do, with what to do instead. */
export class ProviderError extends ReportedError {
  override readonly name = "ProviderError";
  constructor(report: Report | string) {
    super(typeof report === "string" ? { what: report } : report);
  }
}

export function formatReport({ what, known = [], next = [] }: Report): string {
  return [what, ...known.map((line) => `  ${line}`), ...next.map((line) => `  - ${line}`)].join("\n");
}

/** The lines of any error, as what is known about a larger problem that it caused. */
export function knownFrom(error: unknown): string[] {
  if (!(error instanceof ReportedError)) return messageOf(error).split("\n");
  return [error.report.what, ...(error.report.known ?? [])];
}

/** What the error itself tells the user to do. */
export function nextFrom(error: unknown): readonly string[] {
  return error instanceof ReportedError ? (error.report.next ?? []) : [];
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * What is known about a request that brought no usable response.
 *
 * - `not-sent`: no byte of it left this machine.
 * - `refused`: the service said no, and nothing was done.
 * - `limited`: the rate limit; nothing was done.
 * - `uncertain`: it may or may not have been carried out.
 */
export type Certainty = "not-sent" | "refused" | "limited" | "uncertain";

/** With these the service says that it did nothing, on every operation that the specification shows. */
const refusals: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 422]);

/**
 * What a status proves about a request that was sent. Only a refusal and the rate limit prove that nothing was done.
 * The service may send anything else, a 409 above all, after it did the work.
 */
export function certaintyOf(status: number): Certainty {
  if (refusals.has(status)) return "refused";
  return status === 429 ? "limited" : "uncertain";
}

interface Failure extends Report {
  readonly operation: OperationId;
  readonly certainty: Certainty;
  /** What came back, or what broke: `the service answered 403: …`. */
  readonly said?: string;
  readonly status?: number;
  readonly code?: string;
  /** How long the service asked to wait. */
  readonly retryAfterMilliseconds?: number;
  /** The body was not JSON, which all of the service's are: something else may have answered. */
  readonly foreign?: boolean;
}

/** A call that failed: what was attempted, what the service said, what is now true, what to do next. */
export class ServiceError extends ReportedError {
  override readonly name = "ServiceError";
  readonly operation: OperationId;
  readonly certainty: Certainty;
  readonly said: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterMilliseconds: number | undefined;
  readonly foreign: boolean;

  constructor(private readonly failure: Failure) {
    super({ what: failure.what, known: failure.known ?? [], next: failure.next ?? [] });
    this.operation = failure.operation;
    this.certainty = failure.certainty;
    this.said = failure.said ?? failure.what;
    this.status = failure.status;
    this.code = failure.code;
    this.retryAfterMilliseconds = failure.retryAfterMilliseconds;
    this.foreign = failure.foreign ?? false;
  }

  /** The same failure, as the last of several attempts of which an earlier one may have been carried out. */
  afterUncertain(why: string): ServiceError {
    return new ServiceError({ ...this.failure, certainty: "uncertain", known: [...(this.failure.known ?? []), why] });
  }
}

/** The service does not have the object at this path, or does not have the path. Only the caller can tell which. */
export function isAbsent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 404 || error.status === 405);
}

export function isUncertain(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.certainty === "uncertain";
}

/** Whether the service may have said no in a way that the specification does not show: with any 4xx. */
export function mayBeRefusal({ status }: ServiceError): boolean {
  return status !== undefined && status >= 400 && status <= 499;
}
