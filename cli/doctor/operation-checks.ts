import { type Connection, EndpointMap } from "../../provider/service/endpoints";
import { type OperationId, operations } from "../../provider/service/operations";
import { credentialCheckName, formUsed } from "./credential-checks";
import type { Outcome } from "./probe";
import type { CheckResult, OperationCheck, ResponseStatus } from "./report";
import { type ProbeContext, verdictOf } from "./verdict";

/** The result of all calls of one operation. The form that `pulumi up` uses decides. */
export function operationResult(
  id: OperationId,
  outcomes: readonly Outcome[],
  hasKey: boolean,
  context: ProbeContext,
): CheckResult {
  const form = formUsed(id, hasKey);
  const used = outcomes.find((outcome) => outcome.form === form);
  const other = outcomes.find((outcome) => outcome.form !== form);
  if (used === undefined) throw new Error(`internal error: ${id} was not called the way \`pulumi up\` calls it`);
  const verdict = withCredentialPointer(verdictOf(used, context), credentialCheckName(form));
  if (other === undefined) return verdict;
  if (verdict.state === "ok" && isRefused(other))
    return {
      state: "warn",
      cause: "form-refused",
      seen: `${verdict.seen} with the key; the token is refused`,
      fix: `See ${credentialCheckName(other.form)} above.`,
    };
  return isRefused(used) && other.error === undefined
    ? { ...verdict, seen: `${verdict.seen}; the token works` }
    : verdict;
}

/** One refused credential fails many rows. How to fix it is said once, in its own row. */
function withCredentialPointer(verdict: CheckResult, check: string): CheckResult {
  const isAboutCredential = verdict.cause === "unauthorized" || verdict.cause === "read-only";
  return isAboutCredential ? { ...verdict, fix: `See ${check} above.` } : verdict;
}

function isRefused({ exchange }: Outcome): boolean {
  return exchange.answer?.status === 401 || exchange.answer?.status === 403;
}

/** The row of an operation. Without settings, its endpoint is the one in the operations table. */
export function operationCheck(
  id: OperationId,
  result: CheckResult,
  outcomes: readonly Outcome[],
  settings?: Connection,
): OperationCheck {
  const results = Object.fromEntries(
    outcomes.map(({ form, exchange }): [string, ResponseStatus] => [form, exchange.answer?.status ?? "no answer"]),
  );
  const endpoint = settings === undefined ? operations[id].endpoint : new EndpointMap(settings).endpoint(id);
  return { operation: id, source: sourceOf(id, settings), endpoint, results, ...result };
}

function sourceOf(id: OperationId, settings: Connection | undefined): OperationCheck["source"] {
  if (settings?.endpoints[id] !== undefined) return "set";
  return operations[id].documented ? "documented" : "assumed";
}
