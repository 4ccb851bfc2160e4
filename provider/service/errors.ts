import type { MessageCode } from "./message-codes";
import type { OperationId } from "./operations";
import { oneLine } from "./redaction";
import { baseUrlSetting } from "./setting-names";

/** An error in lines: what happened, what is known, and what to do next. */
export interface Report {
  /** Its entry in the catalogue. */
  readonly code: MessageCode;
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
}

/** A line break within a part would let a value of the service or of the user look like a line of its own. */
export function linesOf({ what, known = [], next = [] }: Report): string {
  return [
    oneLine(what),
    ...known.map((line) => `  ${oneLine(line)}`),
    ...next.map((line) => `  - ${oneLine(line)}`),
  ].join("\n");
}

export function formatReport(report: Report): string {
  return withCode(report.code, linesOf(report));
}

/** The code comes at the end of the first line, where an alert finds it. */
export function withCode(code: MessageCode, text: string): string {
  return text.replace(/^.*/, (line) => `${line} [${code}]`);
}

/** The first sentence alone, for a sentence of another message. */
export function whatOf(error: unknown): string {
  return error instanceof ReportedError ? error.report.what : messageOf(error);
}

/** The lines of any error, as what is known about a larger problem that it caused. */
export function knownFrom(error: unknown): string[] {
  if (!(error instanceof ReportedError)) return messageOf(error).split("\n");
  return [error.report.what, ...(error.report.known ?? [])];
}

/** The next steps that the error itself names. */
export function nextFrom(error: unknown): readonly string[] {
  return error instanceof ReportedError ? (error.report.next ?? []) : [];
}

/** For a response that the specification does not allow. */
export const checkService = `Check that ${baseUrlSetting} points to the service, or look for a newer version of this package.`;

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The outcome of a request that brought no usable response.
 *
 * - `not-sent`: no byte of it left this machine.
 * - `refused`: the service said no, and nothing was done.
 * - `limited`: the rate limit; nothing was done.
 * - `uncertain`: it may or may not have been carried out.
 */
export type Certainty = "not-sent" | "refused" | "limited" | "uncertain";

/**
 * The statuses that count as a refusal: nothing was done. The specification says so for some operations; for the others
 * it is an assumption.
 */
const usualRefusals: readonly number[] = [400, 401, 402, 403, 404, 405, 422];

/**
 * The certainty that a status gives about a request that was sent. Only a refusal and the rate limit prove that nothing was done.
 * The service may send anything else, a 409 above all, after it did the work.
 */
export function certaintyOf(status: number, refusals = usualRefusals): Certainty {
  if (refusals.includes(status)) return "refused";
  return status === 429 ? "limited" : "uncertain";
}

export interface Failure extends Omit<Report, "what"> {
  readonly operation: OperationId;
  readonly certainty: Certainty;
  /** In words: `the service answered 403`, or the fault of the connection. */
  readonly reason: string;
  /** The service's own message. */
  readonly serviceMessage?: string | undefined;
  /** The state of things now, in a sentence; left out for reads. */
  readonly consequence?: string | undefined;
  readonly status?: number | undefined;
  /** The service's own code. */
  readonly serviceCode?: string | undefined;
  /** How long the service asked to wait. */
  readonly retryAfterMilliseconds?: number | undefined;
  /** The body was not JSON, as all bodies of the service are. Another server may have answered. */
  readonly foreign?: boolean | undefined;
}

/** A call that failed: what was attempted, what the service said, what is now true, what to do next. */
export class ServiceError extends ReportedError {
  override readonly name = "ServiceError";
  readonly operation: OperationId;
  readonly certainty: Certainty;
  readonly reason: string;
  readonly serviceMessage: string | undefined;
  readonly status: number | undefined;
  readonly serviceCode: string | undefined;
  readonly retryAfterMilliseconds: number | undefined;
  readonly foreign: boolean;

  constructor(private readonly failure: Failure) {
    const { code, known = [], consequence, next = [] } = failure;
    const what = `${failure.operation} failed: ${failure.reason}.`;
    super({ code, what, known: consequence === undefined ? known : [...known, consequence], next });
    this.operation = failure.operation;
    this.certainty = failure.certainty;
    this.reason = failure.reason;
    this.serviceMessage = failure.serviceMessage;
    this.status = failure.status;
    this.serviceCode = failure.serviceCode;
    this.retryAfterMilliseconds = failure.retryAfterMilliseconds;
    this.foreign = failure.foreign ?? false;
  }

  /** The same failure, which was not attempted again because the step ended. */
  notRetried(why: string): ServiceError {
    return new ServiceError({ ...this.failure, known: [...(this.failure.known ?? []), why] });
  }

  /** The same failure with one more thing to do. */
  withNext(next: string): ServiceError {
    return new ServiceError({ ...this.failure, next: [...(this.failure.next ?? []), next] });
  }

  /** The same failure as the last of several attempts, where an earlier one may have been carried out. */
  afterUncertain(): ServiceError {
    return new ServiceError({
      ...this.failure,
      certainty: "uncertain",
      consequence: "The last attempt changed nothing, but an earlier attempt may have been carried out.",
    });
  }
}

/** The service does not have the object at this path, or does not have the path. Only the caller can tell which. */
export function isAbsent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 404 || error.status === 405);
}

export function isUncertain(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.certainty === "uncertain";
}

/** Whether the service may have refused the request: with any 4xx, also one that the specification does not show. */
export function mayBeRefusal({ status }: ServiceError): boolean {
  return status !== undefined && status >= 400 && status <= 499;
}
