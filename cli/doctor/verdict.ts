import { nextStep } from "../../provider/service/advice";
import { asSeconds } from "../../provider/service/clock";
import type { EndpointMap } from "../../provider/service/endpoints";
import { isAbsent, type ServiceError } from "../../provider/service/errors";
import { gapAfterFirst } from "../../provider/service/lists";
import { operations, parameterNames } from "../../provider/service/operations";
import type { Page } from "../../provider/service/shapes";
import type { KnownCode } from "../../provider/service/error-text";
import type { Cause, Finding } from "./finding";
import type { Ids } from "./ids";
import { networkFault } from "./network";
import type { Outcome } from "./probe";

/** What is known besides the outcome that is judged. */
export interface Circumstances {
  readonly endpoints: EndpointMap;
  readonly ids: Ids;
  readonly environment: NodeJS.ProcessEnv;
}

/** What one call says of its operation, and what to do about it. */
export function verdictOf(outcome: Outcome, circumstances: Circumstances): Finding {
  const { error } = outcome;
  return error === undefined ? ofAnswer(outcome, circumstances) : ofError(outcome, error, circumstances);
}

function ofAnswer({ operation, answer }: Outcome, { endpoints }: Circumstances): Finding {
  if (isPage(answer)) {
    const gap = gapAfterFirst(answer);
    if (gap !== undefined)
      return {
        state: "fail",
        cause: "half-list",
        seen: `answers, but the list ${gap}, so it cannot be read to its end`,
        fix: endpoints.doubt(operation) ?? "Look for a newer version of this package.",
      };
    return { state: "ok", seen: `answers (${rowsOf(answer)})` };
  }
  if (operation === "campaign.readiness" && saysUnavailable(answer))
    return {
      state: "warn",
      cause: "payment-provider",
      seen: "answers, and reports payment_provider_unavailable: launches are refused as long as it does",
      fix: "Look at the workspace's billing, or wait until the service reaches its payment provider again.",
    };
  return { state: "ok", seen: "answers" };
}

function rowsOf({ rows, more }: Page<unknown>): string {
  const count = rows.length === 1 ? "1 row" : `${String(rows.length)} rows`;
  return more ? `${count}, and more` : count;
}

function isPage(answer: unknown): answer is Page<unknown> {
  return typeof answer === "object" && answer !== null && "rows" in answer && "more" in answer;
}

function saysUnavailable(answer: unknown): boolean {
  return (answer as { paymentProviderUnavailable?: boolean }).paymentProviderUnavailable === true;
}

function ofError(outcome: Outcome, error: ServiceError, around: Circumstances): Finding {
  const { failure } = outcome.exchange;
  if (failure !== undefined) return networkFault(failure.message, failure.sent, around.environment);
  const cause = causeOf(outcome, error, around);
  const state = cause === "rate-limited" ? "warn" : "fail";
  return { state, cause, seen: seenOf(outcome, error, cause), fix: fixOf(outcome, error, cause, around) };
}

function causeOf({ operation, parameters, exchange }: Outcome, error: ServiceError, around: Circumstances): Cause {
  const { status = 0, code } = error;
  if (status <= 299) return exchange.answer?.isJson ? "shape" : "foreign-answer";
  if (status <= 399) return "redirect";
  if (status >= 500) return "server-error";
  if (code === ("read_only_credential_route_not_allowed" satisfies KnownCode)) return "read-only";
  if (isAbsent(error) && around.endpoints.doubt(operation) !== undefined && around.ids.listing(parameters) === "listed")
    return "wrong-path";
  return causesByStatus[status] ?? "refused";
}

const causesByStatus: Partial<Record<number, Cause>> = {
  401: "unauthorized",
  402: "plan",
  403: "forbidden",
  404: "not-found",
  405: "not-found",
  429: "rate-limited",
};

function seenOf({ exchange }: Outcome, error: ServiceError, cause: Cause): string {
  const { said, status, retryAfterMilliseconds: wait } = error;
  if (cause === "shape" || cause === "foreign-answer") return `answers ${String(status)}, but ${said}`;
  const words = said.replace(/^the service answered/, "answers").replace(/\.$/, "");
  const leadsTo = cause === "redirect" ? destination(exchange.answer?.headers["location"]) : undefined;
  if (leadsTo !== undefined) return `${words}, and leads to ${leadsTo}`;
  return cause === "rate-limited" && wait !== undefined ? `${words}; it asks to wait ${asSeconds(wait)}` : words;
}

/** Without the query, which may carry what a sign-in hands on. */
function destination(location: string | string[] | undefined): string | undefined {
  return typeof location === "string" ? location.replace(/[?#].*$/s, "") : undefined;
}

function fixOf(outcome: Outcome, error: ServiceError, cause: Cause, around: Circumstances): string {
  const { endpoints } = around;
  const { operation } = outcome;
  const { certainty, status, code } = error;
  const advice = nextStep({ operation, certainty, status, code: code as KnownCode | undefined });
  if (isAbsent(error)) return absenceAdvice(outcome, advice, around);
  if (cause === "shape")
    return endpoints.isAsDocumented(operation)
      ? "The service answers in another form than its specification shows: look for a newer version of this package."
      : `The path may be that of another operation, or answer in another form. ${endpoints.doubt(operation) ?? ""}`;
  const doubt = endpoints.doubt(operation);
  if (doubt !== undefined && (cause === "foreign-answer" || cause === "redirect"))
    return `Not the service's API, but some page answers at this path: it is likely to be the wrong one. ${doubt}`;
  if (cause === "rate-limited")
    return "Run doctor again after a minute. If others use up the limit, lower workspace-apps:rateLimits (or WORKSPACE_APPS_RATE_LIMITS).";
  if (status === 501) return "What answers there does not carry this operation out: do without what needs it.";
  return advice ?? "Do as the service says; check the ids that were given.";
}

/** A 404 or 405 speaks of the object, of the path, or of the base URL: the lists may tell which. */
function absenceAdvice(
  { operation, parameters }: Outcome,
  advice: string | undefined,
  { endpoints, ids }: Circumstances,
): string {
  const doubt = endpoints.doubt(operation);
  if (doubt === undefined)
    return parameterNames(operations[operation].endpoint).length > 0 && advice !== undefined
      ? advice
      : "The specification shows this path: check that workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL) leads to the service, its path included.";
  const listing = ids.listing(parameters);
  if (listing === "listed")
    return `The service's own list shows this object, so it is the path that is wrong. ${doubt}`;
  if (listing === "not listed") return `The service's own list does not show this object: check the id. Else, ${doubt}`;
  return `Either there is no such object for this token, or the path is another one: check the ids. Else, ${doubt}`;
}
