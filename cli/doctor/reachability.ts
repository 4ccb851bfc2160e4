import type { EndpointMap } from "../../provider/service/endpoints";
import { nameOf } from "../../provider/service/proxy";
import { networkFailure } from "./network-errors";
import type { Exchange, Outcome } from "./probe";
import type { CheckResult } from "./report";
import { type ProbeContext, verdictOf } from "./verdict";
import { baseUrlSetting } from "../../provider/service/setting-names";

/** Whether the service itself was reached. `baseUrlProbe`: where no operation could be called. */
export function reachabilityResult(
  outcomes: readonly Outcome[],
  baseUrlProbe: Exchange | undefined,
  context: ProbeContext,
): CheckResult {
  const blocking = blockingOutcome(outcomes, context.endpoints);
  if (blocking !== undefined) return wrongServerResult(blocking, context);
  const answered = outcomes.find(({ exchange }) => exchange.answer !== undefined);
  const exchange = answered?.exchange ?? outcomes[0]?.exchange ?? baseUrlProbe;
  const { proxy } = context.route;
  const by = proxy === undefined ? "" : ` through the proxy ${nameOf(proxy)}`;
  if (exchange?.answer !== undefined) return { state: "ok", seen: `responds in ${duration(exchange)}${by}` };
  if (exchange?.failure === undefined) return { state: "not checked", seen: "no request was sent" };
  return networkFailure(exchange.failure.message, exchange.failure.sent, context.route);
}

/**
 * The outcome that makes further calls useless: there is no connection, or another server responds. Once the service
 * itself has responded, a page at one path says something about that path only: many web servers have one for any path.
 */
export function blockingOutcome(outcomes: readonly Outcome[], endpoints: EndpointMap): Outcome | undefined {
  return outcomes.some(isFromService) ? undefined : outcomes.find((outcome) => isBlocking(outcome, endpoints));
}

function isFromService({ exchange: { answer } }: Outcome): boolean {
  return answer !== undefined && answer.isJson && !isRedirect(answer.status);
}

function isBlocking({ operation, exchange }: Outcome, endpoints: EndpointMap): boolean {
  const { answer, failure } = exchange;
  if (answer === undefined) return failure?.sent === false;
  const { status, isJson } = answer;
  if (isRedirect(status)) return true;
  // An assumed path may be wrong, and then its "not found" need not be JSON.
  return !isJson && (status <= 299 || status >= 500 || endpoints.isAsDocumented(operation));
}

function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399;
}

function wrongServerResult(outcome: Outcome, context: ProbeContext): CheckResult {
  const verdict = verdictOf(outcome, context);
  const { answer } = outcome.exchange;
  if (answer === undefined) return verdict;
  if (isRedirect(answer.status))
    return {
      ...verdict,
      fix: `Redirects are not followed. Set ${baseUrlSetting} to the address that it redirects to, without the path of the operation.`,
    };
  const advice =
    answer.status >= 500
      ? "A gateway responds instead of the service. Run doctor again later."
      : `This is not a response of the service. Check that ${baseUrlSetting} points to the service, including its path, and not to a proxy or a sign-in page.`;
  return {
    state: "fail",
    cause: "foreign-answer",
    seen: `a server responds with ${String(answer.status)}, but not with JSON like the service`,
    fix: advice,
  };
}

function duration({ began, ended }: Exchange): string {
  return `${String(Math.max(0, Math.round(ended - began)))} ms`;
}
