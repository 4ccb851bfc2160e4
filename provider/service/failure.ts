import { codeOf, nextStep } from "./advice";
import { asSeconds, serviceDate } from "./clock";
import type { Connection, EndpointMap, Target } from "./endpoints";
import { type KnownCode, serviceCodeIn, wordsOf } from "./error-text";
import { type Certainty, certaintyOf, type Failure, ServiceError } from "./errors";
import { readJson } from "./json";
import type { MessageCode } from "./message-codes";
import { isRead, type Operation, type OperationId, operations } from "./operations";
import { oneLine } from "./redaction";
import { retryAfter } from "./retry";
import type { HttpAnswer } from "./transport";

/* From a failed attempt to the error that the user reads. */

/** An attempt that failed, before it is described for the user. */
export interface FailedAttempt extends Pick<
  Failure,
  "certainty" | "reason" | "status" | "retryAfterMilliseconds" | "foreign"
> {
  /** The service's own message. It repeats no hidden value. */
  readonly words?: string;
  readonly serviceCode?: KnownCode | undefined;
  /** The response is larger than this package reads. */
  readonly isTooLarge?: boolean;
  /** Set where an interruption kept the request from being sent. */
  readonly code?: MessageCode | undefined;
}

/** A response without a success. `hidden`: values that the service may repeat. */
export function refusal(id: OperationId, answer: HttpAnswer, hidden: unknown, now: number): FailedAttempt {
  const { status, text, headers, unread } = answer;
  const { carriesRecords = false, refusals }: Operation = operations[id];
  const body = readJson(text);
  return {
    certainty: certaintyOf(status, refusals),
    reason: `the service answered ${String(status)}`,
    status,
    words: unread === undefined ? wordsOf(body, hidden, carriesRecords) : `(the response ${unread})`,
    serviceCode: serviceCodeIn(text),
    // A date in Retry-After is in the service's time, however far that is from ours.
    retryAfterMilliseconds: retryAfter(headers["retry-after"], serviceDate(headers) ?? now),
    foreign: unread !== undefined || "problem" in body,
  };
}

/** The values of a request's body that an error must not repeat. */
export function hiddenIn(id: OperationId, body: Readonly<Record<string, unknown>> = {}): unknown {
  const { carriesRecords, hiddenFields = [] }: Operation = operations[id];
  return carriesRecords === true ? body : hiddenFields.map((field) => body[field]);
}

/** The error of a failed attempt: what happened, what is known, and what to do next. */
export function serviceError(
  id: OperationId,
  { method, path }: Target,
  failure: FailedAttempt,
  { baseUrl }: Connection,
  endpoints: EndpointMap,
): ServiceError {
  const { certainty, status, words = "", serviceCode, retryAfterMilliseconds, foreign, isTooLarge } = failure;
  const credential = endpoints.credentialOf(id);
  const doubt = endpoints.doubt(id);
  const isAbsent = status === 404 || status === 405;
  // Any other status may come from a wrong path.
  const wasAnswered = status !== undefined && status !== 401 && status !== 429;
  const failed = { operation: id, credential, certainty, status, serviceCode, foreign, isTooLarge, words };
  return new ServiceError({
    code: failure.code ?? codeOf({ ...failed, hasDoubtfulPath: isAbsent && doubt.known.length > 0 }),
    operation: id,
    certainty,
    reason: oneLine(failure.reason).replace(/\.$/, ""),
    status,
    serviceCode,
    retryAfterMilliseconds,
    foreign,
    serviceMessage: words === "" ? undefined : words,
    consequence: consequenceOf(id, method, certainty),
    known: defined([
      words === "" ? undefined : `The service said: ${words}`,
      `Request: ${method} ${baseUrl}${withoutLongSegments(path)}`,
      status === 401 || status === 403 ? `Credential: workspace-apps:${credential}` : undefined,
      retryAfterMilliseconds === undefined
        ? undefined
        : `The service asks to wait ${asSeconds(retryAfterMilliseconds)}.`,
      ...(wasAnswered ? doubt.known : []),
    ]),
    next: defined([
      ...(status === 404 ? endpoints.doubtOfBaseUrl() : []),
      failure.code === undefined ? nextStep(failed) : undefined,
      ...(isAbsent ? doubt.next : []),
    ]),
  });
}

const maxSegment = 128;

/** Long ids are left out and not cut: the caller could not recognize half of a secret id, and so not hide it. */
function withoutLongSegments(path: string): string {
  return path
    .split("/")
    .map((segment) => (segment.length > maxSegment ? "…" : segment))
    .join("/");
}

function defined<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

function consequenceOf(id: OperationId, method: string, certainty: Certainty): string | undefined {
  if (isRead(id, method)) return consequencesOfReads[certainty];
  const { whenRefused = consequences.refused }: Operation = operations[id];
  return certainty === "refused" ? whenRefused : consequences[certainty];
}

const consequences: Record<Certainty, string> = {
  "not-sent": "No request was sent.",
  refused: "Nothing was changed.",
  limited: "The rate limit was reached; nothing was changed.",
  uncertain: "It may or may not have been carried out.",
};

const consequencesOfReads: Partial<Record<Certainty, string>> = {
  "not-sent": "No request was sent.",
  limited: "The rate limit was reached.",
};
