import type { OperationId } from "./operations";

/**
 * What is known about a request that brought no usable answer.
 *
 * - `not-sent`: no byte of it left this machine.
 * - `refused`: the service said no, and nothing was done.
 * - `limited`: the rate limit; nothing was done.
 * - `uncertain`: it may or may not have been carried out.
 */
export type Certainty = "not-sent" | "refused" | "limited" | "uncertain";

interface Failure {
  operation: OperationId;
  certainty: Certainty;
  message: string;
  said?: string;
  /** The message without what to do next, for a caller that knows better. */
  facts?: string;
  status?: number;
  code?: string;
  /** How long the service asked to wait. */
  retryAfterMilliseconds?: number;
  /** The body was no JSON, which all of the service's are: somebody else may have answered. */
  foreign?: boolean;
}

/** A call that failed: what was attempted, what the service said, what is now true, what to do next. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly operation: OperationId;
  readonly certainty: Certainty;
  /** The part of the message that says what came back, or what broke. */
  readonly said: string;
  readonly facts: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterMilliseconds: number | undefined;
  readonly foreign: boolean;

  constructor(failure: Failure) {
    super(failure.message);
    this.operation = failure.operation;
    this.certainty = failure.certainty;
    this.said = failure.said ?? failure.message;
    this.facts = failure.facts ?? failure.message;
    this.status = failure.status;
    this.code = failure.code;
    this.retryAfterMilliseconds = failure.retryAfterMilliseconds;
    this.foreign = failure.foreign ?? false;
  }

  /** The same failure as the end of several attempts, of which an earlier one may have been carried out. */
  afterUncertain(why: string): ServiceError {
    const { operation, status, code, retryAfterMilliseconds, foreign } = this;
    return new ServiceError({
      operation,
      certainty: "uncertain",
      message: `${this.message} ${why}`,
      facts: `${this.facts} ${why}`,
      foreign,
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code }),
      ...(retryAfterMilliseconds === undefined ? {} : { retryAfterMilliseconds }),
    });
  }
}

/** The service does not have the object at this path, or does not have the path: which, the caller must know. */
export function isAbsent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 404 || error.status === 405);
}

export function isUncertain(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.certainty === "uncertain";
}

/** Whether the service may have said no in a way that the specification does not show: by any 4xx. */
export function mayBeRefusal({ status }: ServiceError): boolean {
  return status !== undefined && status >= 400 && status <= 499;
}

/** Something that this package will not do, with what to do instead. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** What happened, without what to do next. */
export function factsOf(error: unknown): string {
  return error instanceof ServiceError ? error.facts : messageOf(error);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
