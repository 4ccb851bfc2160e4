import type { Connection } from "../../provider/service/connection";
import { EndpointMap } from "../../provider/service/endpoints";
import { type OperationId, operations } from "../../provider/service/operations";
import { checkName, formUsed } from "./credentials";
import type { Finding, OperationCheck, Result } from "./finding";
import type { Outcome } from "./probe";
import { type Circumstances, verdictOf } from "./verdict";

/** What the calls of one operation say together: the form that `pulumi up` uses decides. */
export function operationFinding(
  id: OperationId,
  outcomes: readonly Outcome[],
  hasKey: boolean,
  around: Circumstances,
): Finding {
  const form = formUsed(id, hasKey);
  const used = outcomes.find((outcome) => outcome.form === form);
  const other = outcomes.find((outcome) => outcome.form !== form);
  if (used === undefined) throw new Error(`${id} was not called as \`pulumi up\` would`);
  const verdict = pointingToCredential(verdictOf(used, around), checkName(form));
  if (other === undefined) return verdict;
  if (verdict.state === "ok" && isRefused(other))
    return {
      state: "warn",
      cause: "form-refused",
      seen: `${verdict.seen} by the key; the token is refused`,
      fix: `See ${checkName(other.form)} above.`,
    };
  return isRefused(used) && other.error === undefined
    ? { ...verdict, seen: `${verdict.seen}; the token works` }
    : verdict;
}

/** One credential that is not taken fails many rows; how to mend it is said once. */
function pointingToCredential(verdict: Finding, check: string): Finding {
  const isOfCredential = verdict.cause === "unauthorized" || verdict.cause === "read-only";
  return isOfCredential ? { ...verdict, fix: `See ${check} above.` } : verdict;
}

function isRefused({ exchange }: Outcome): boolean {
  return exchange.answer?.status === 401 || exchange.answer?.status === 403;
}

/** The row of an operation; without settings, as the table has it. */
export function operationCheck(
  id: OperationId,
  finding: Finding,
  outcomes: readonly Outcome[],
  settings?: Connection,
): OperationCheck {
  const results = Object.fromEntries(
    outcomes.map(({ form, exchange }): [string, Result] => [form, exchange.answer?.status ?? "no answer"]),
  );
  const endpoint = settings === undefined ? operations[id].endpoint : new EndpointMap(settings).endpoint(id);
  return { operation: id, source: sourceOf(id, settings), endpoint, results, ...finding };
}

function sourceOf(id: OperationId, settings: Connection | undefined): OperationCheck["source"] {
  if (settings?.endpoints[id] !== undefined) return "set";
  return operations[id].documented ? "documented" : "assumed";
}
