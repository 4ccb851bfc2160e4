import { nextStep } from "../../provider/service/advice";
import { asSeconds } from "../../provider/service/clock";
import type { EndpointMap } from "../../provider/service/endpoints";
import type { KnownCode } from "../../provider/service/error-text";
import { isAbsent, type ServiceError } from "../../provider/service/errors";
import { gapOfFirstPage } from "../../provider/service/lists";
import { type OperationId, operations, parameterNames } from "../../provider/service/operations";
import { isPage, type Page } from "../../provider/service/shapes";
import type { Ids } from "./ids";
import { networkFailure, type Route } from "./network-errors";
import type { Outcome } from "./probe";
import type { Cause, CheckResult } from "./report";
import { baseUrlSetting, endpointsSetting } from "../../provider/service/setting-names";

/** The facts besides the outcome itself. */
export interface ProbeContext {
  readonly endpoints: EndpointMap;
  readonly ids: Ids;
  readonly route: Route;
}

/** The verdict of one call about its operation, and what to do about it. */
export function verdictOf(outcome: Outcome, context: ProbeContext): CheckResult {
  const { error } = outcome;
  return error === undefined ? verdictOfAnswer(outcome, context) : verdictOfError(outcome, error, context);
}

function verdictOfAnswer({ operation, answer }: Outcome, { endpoints }: ProbeContext): CheckResult {
  if (isPage(answer)) {
    const gap = gapOfFirstPage(answer);
    if (gap !== undefined)
      return {
        state: "fail",
        cause: "half-list",
        seen: `responds, but the list ${gap}, so it cannot be read completely`,
        fix: doubtOf(operation, endpoints) ?? "Look for a newer version of this package.",
      };
    return { state: "ok", seen: `responds (${rowCount(answer)})` };
  }
  if (operation === "campaign.readiness" && isPaymentProviderUnavailable(answer))
    return {
      state: "warn",
      cause: "payment-provider",
      seen: "responds, and reports payment_provider_unavailable: the service refuses launches until this is solved",
      fix: "Wait until the service reaches its payment provider again.",
    };
  return { state: "ok", seen: "responds" };
}

function rowCount({ rows, more }: Page<unknown>): string {
  const count = rows.length === 1 ? "1 row" : `${String(rows.length)} rows`;
  return more ? `${count}, and more` : count;
}

function isPaymentProviderUnavailable(answer: unknown): boolean {
  return (answer as { paymentProviderUnavailable?: boolean }).paymentProviderUnavailable === true;
}

function verdictOfError(outcome: Outcome, error: ServiceError, context: ProbeContext): CheckResult {
  const { failure } = outcome.exchange;
  if (failure !== undefined) return networkFailure(failure.message, failure.sent, context.route);
  const cause = causeOf(outcome, error, context);
  const state = cause === "rate-limited" ? "warn" : "fail";
  return {
    state,
    cause,
    seen: describe(outcome, error, cause),
    fix: [...requestedAt(outcome, cause, context), fixFor(outcome, error, cause, context)].join(" "),
  };
}

function causeOf({ operation, parameters, exchange }: Outcome, error: ServiceError, context: ProbeContext): Cause {
  const { status = 0, serviceCode } = error;
  if (status <= 299) return exchange.answer?.isJson ? "shape" : "foreign-answer";
  if (status <= 399) return "redirect";
  if (status >= 500) return "server-error";
  if (serviceCode === ("read_only_credential_route_not_allowed" satisfies KnownCode)) return "read-only";
  const isPathDoubtful = !context.endpoints.isAsDocumented(operation);
  if (isAbsent(error) && isPathDoubtful && context.ids.listing(parameters) === "listed") return "wrong-path";
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

function describe({ exchange }: Outcome, error: ServiceError, cause: Cause): string {
  const { reason, serviceMessage, status, retryAfterMilliseconds: wait } = error;
  if (cause === "shape" || cause === "foreign-answer") return reason;
  const message = serviceMessage === undefined ? "" : `: ${serviceMessage.replace(/\.$/, "")}`;
  const text = `responds with ${String(status)}${message}`;
  const target = cause === "redirect" ? redirectTarget(exchange.answer?.headers["location"]) : undefined;
  if (target !== undefined) return `${text}, and redirects to ${target}`;
  return cause === "rate-limited" && wait !== undefined ? `${text}; it asks to wait ${asSeconds(wait)}` : text;
}

/** Where the base URL or the path may be wrong, the whole address that was requested. */
function requestedAt({ operation }: Outcome, cause: Cause, { endpoints }: ProbeContext): string[] {
  const isDoubtful = ["not-found", "wrong-path", "shape", "foreign-answer", "redirect"].includes(cause);
  return isDoubtful ? [`The request was ${endpoints.withBaseUrl(operation)}.`, ...endpoints.doubtOfBaseUrl()] : [];
}

/** Without the query, which may contain a token of a sign-in. */
function redirectTarget(location: string | string[] | undefined): string | undefined {
  return typeof location === "string" ? location.replace(/[?#].*$/s, "") : undefined;
}

function fixFor(outcome: Outcome, error: ServiceError, cause: Cause, context: ProbeContext): string {
  const { endpoints } = context;
  const { operation } = outcome;
  const { certainty, status, serviceCode } = error;
  const advice = nextStep({ operation, certainty, status, serviceCode: serviceCode as KnownCode | undefined });
  if (isAbsent(error)) return absenceAdvice(outcome, advice, context);
  if (cause === "shape")
    return endpoints.isAsDocumented(operation)
      ? "The response is not in the form that the specification shows. Look for a newer version of this package."
      : `The path may belong to another operation, or the response has another form. ${doubtOf(operation, endpoints) ?? ""}`;
  const doubt = doubtOf(operation, endpoints);
  if (doubt !== undefined && (cause === "foreign-answer" || cause === "redirect"))
    return `A web page responds at this path, not the service's API, so the path is probably wrong. ${doubt}`;
  if (cause === "rate-limited")
    return "Run doctor again after a minute. If others use up the limit, lower workspace-apps:rateLimits (or WORKSPACE_APPS_RATE_LIMITS).";
  if (status === 501)
    return `The server does not support this operation. Set its path in ${endpointsSetting}, or set it to "none".`;
  return advice ?? "Fix the reported problem, and check the ids that were given.";
}

/** Undefined when the specification shows the path. */
function doubtOf(operation: OperationId, endpoints: ProbeContext["endpoints"]): string | undefined {
  const { known, next } = endpoints.doubt(operation);
  return known.length === 0 ? undefined : [...known, ...next].join(" ");
}

/** A 404 or 405 can be about the object, the path or the base URL. The lists may tell which. */
function absenceAdvice(
  { operation, parameters }: Outcome,
  advice: string | undefined,
  { endpoints, ids }: ProbeContext,
): string {
  const doubt = doubtOf(operation, endpoints);
  if (doubt === undefined)
    return parameterNames(operations[operation].endpoint).length > 0 && advice !== undefined
      ? advice
      : `The specification shows this path. Check that ${baseUrlSetting} points to the service, including its path.`;
  const listing = ids.listing(parameters);
  if (listing === "listed") return `The service's own list has this object, so the path is wrong. ${doubt}`;
  if (listing === "not listed") return `The service's own list does not have this object. Check the id first. ${doubt}`;
  return `The object does not exist for this token, or the path is wrong. Check the ids first. ${doubt}`;
}
