import type { EndpointMap } from "../../provider/service/endpoints";
import type { Finding } from "./finding";
import { networkFault } from "./network";
import type { Exchange, Outcome } from "./probe";
import { type Circumstances, verdictOf } from "./verdict";

/** Whether the service itself was reached, by all that was asked. */
export function reachOf(outcomes: readonly Outcome[], knock: Exchange | undefined, around: Circumstances): Finding {
  const stopped = outcomes.find((outcome) => endsTheVisit(outcome, around.endpoints));
  if (stopped !== undefined) return inPlaceOfTheService(stopped, around);
  const answered = outcomes.find(({ exchange }) => exchange.answer !== undefined);
  const exchange = answered?.exchange ?? outcomes[0]?.exchange ?? knock;
  if (exchange?.answer !== undefined) return { state: "ok", seen: `answers in ${duration(exchange)}` };
  if (exchange?.failure === undefined) return { state: "not checked", seen: "nothing was asked" };
  return networkFault(exchange.failure.message, exchange.failure.sent, around.environment);
}

/** Whether it is of no use to ask for more: nothing is connected, or somebody else answers. */
export function endsTheVisit({ operation, exchange }: Outcome, endpoints: EndpointMap): boolean {
  const { answer, failure } = exchange;
  if (answer === undefined) return failure?.sent === false;
  const { status, isJson } = answer;
  if (status >= 300 && status <= 399) return true;
  // Of a path that is a guess, a plain "not found" need not be JSON.
  return !isJson && (status <= 299 || status >= 500 || endpoints.isAsDocumented(operation));
}

function inPlaceOfTheService(outcome: Outcome, around: Circumstances): Finding {
  const verdict = verdictOf(outcome, around);
  const { answer } = outcome.exchange;
  if (answer === undefined || verdict.cause === "redirect") return verdict;
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
