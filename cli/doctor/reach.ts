import type { EndpointMap } from "../../provider/service/endpoints";
import type { Finding } from "./finding";
import { networkFault } from "./network";
import type { Exchange, Outcome } from "./probe";
import { type Circumstances, verdictOf } from "./verdict";

/** Whether the service itself was reached, by all that was asked. */
export function reachOf(outcomes: readonly Outcome[], knock: Exchange | undefined, around: Circumstances): Finding {
  const stopped = stoppedBy(outcomes, around.endpoints);
  if (stopped !== undefined) return inPlaceOfTheService(stopped, around);
  const answered = outcomes.find(({ exchange }) => exchange.answer !== undefined);
  const exchange = answered?.exchange ?? outcomes[0]?.exchange ?? knock;
  if (exchange?.answer !== undefined) return { state: "ok", seen: `answers in ${duration(exchange)}` };
  if (exchange?.failure === undefined) return { state: "not checked", seen: "nothing was asked" };
  return networkFault(exchange.failure.message, exchange.failure.sent, around.environment);
}

/**
 * The outcome after which it is of no use to ask for more: nothing is connected, or somebody else answers. Once the
 * service itself has answered, a page at one path speaks of that path alone: many web servers have one for any path.
 */
export function stoppedBy(outcomes: readonly Outcome[], endpoints: EndpointMap): Outcome | undefined {
  return outcomes.some(isOfTheService) ? undefined : outcomes.find((outcome) => isElsewhere(outcome, endpoints));
}

function isOfTheService({ exchange: { answer } }: Outcome): boolean {
  return answer !== undefined && answer.isJson && !isRedirect(answer.status);
}

function isElsewhere({ operation, exchange }: Outcome, endpoints: EndpointMap): boolean {
  const { answer, failure } = exchange;
  if (answer === undefined) return failure?.sent === false;
  const { status, isJson } = answer;
  if (isRedirect(status)) return true;
  // Of a path that is a guess, a plain "not found" need not be JSON.
  return !isJson && (status <= 299 || status >= 500 || endpoints.isAsDocumented(operation));
}

function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399;
}

function inPlaceOfTheService(outcome: Outcome, around: Circumstances): Finding {
  const verdict = verdictOf(outcome, around);
  const { answer } = outcome.exchange;
  if (answer === undefined) return verdict;
  if (isRedirect(answer.status))
    return {
      ...verdict,
      fix: "Redirects are not followed: set workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL) to the address to which this one leads, without the path of the operation.",
    };
  const advice =
    answer.status >= 500
      ? "A gateway answers in the service's place: run doctor again later."
      : "This is not what the service answers: check that workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL) leads to it, its path included, and not to a proxy or a sign-in page.";
  return {
    state: "fail",
    cause: "foreign-answer",
    seen: `something answers ${String(answer.status)}, but not in JSON, as the service does`,
    fix: advice,
  };
}

function duration({ began, ended }: Exchange): string {
  return `${String(Math.max(0, Math.round(ended - began)))} ms`;
}
