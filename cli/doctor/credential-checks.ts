import { nextStep } from "../../provider/service/advice";
import { type OperationId, operations } from "../../provider/service/operations";
import type { Outcome } from "./probe";
import type { Cause, Check, CheckResult, CredentialForm } from "./report";

/** The credentials in the settings. */
export interface Credentials {
  readonly hasKey: boolean;
  /** How to remove the key. */
  readonly keyRemoval: string;
}

/** The form in which `pulumi up` sends the credential of an operation. */
export function formUsed(id: OperationId, hasKey: boolean): CredentialForm {
  return hasKey && acceptsKey(id) ? "api_key" : "bearer";
}

export function credentialCheckName(form: CredentialForm): string {
  return `credential ${form}`;
}

export function credentialChecks(outcomes: readonly Outcome[], credentials: Credentials): Check[] {
  return [
    { check: credentialCheckName("bearer"), ...tokenResult(outcomes, credentials) },
    { check: credentialCheckName("api_key"), ...keyResult(outcomes, credentials) },
  ];
}

function tokenResult(outcomes: readonly Outcome[], { hasKey }: Credentials): CheckResult {
  const token = groupByStatus(outcomes, "bearer");
  const refused = refusedIn(token);
  if (refused.length === 0) return notRefusedResult(token);
  // Where the key is used, the token's rights matter only once the key is gone.
  const state = refused.some((id) => formUsed(id, hasKey) === "bearer") ? "fail" : "warn";
  return { state, seen: summaryOf(token), ...tokenAdvice(token, hasKey) };
}

function tokenAdvice(token: OperationsByStatus, hasKey: boolean): { cause: Cause; fix: string } {
  const [unauthorized] = token.unauthorized;
  if (unauthorized !== undefined && token.works.length > 0 && token.unauthorized.every(acceptsKey))
    return {
      cause: "form-refused",
      fix: hasKey
        ? "These operations work only with the key, and keys are being phased out. Ask the service's support for a token that can call them."
        : "The token is valid, but these operations do not accept it. If you have a personal API key, set it with `pulumi config set --secret workspace-apps:apiKey` or in WORKSPACE_APPS_API_KEY.",
    };
  if (unauthorized !== undefined) return { cause: "unauthorized", fix: adviceFor(unauthorized, 401) };
  if (token.readOnly.length > 0)
    return {
      cause: "read-only",
      fix: "The token is read-only. Create one with full access, and set it in workspace-apps:accessToken or WORKSPACE_APPS_ACCESS_TOKEN.",
    };
  const advice = new Set(token.forbidden.map((id) => adviceFor(id, 403)));
  return { cause: "forbidden", fix: [...advice].join(" ") };
}

function keyResult(outcomes: readonly Outcome[], { hasKey, keyRemoval }: Credentials): CheckResult {
  if (!hasKey) return { state: "ok", seen: "not set: every operation uses the token" };
  const key = groupByStatus(outcomes, "api_key");
  const token = groupByStatus(outcomes, "bearer");
  const tokenWorks = new Set(token.works);
  const refused = refusedIn(key);
  if (refused.length === 0) {
    const result = notRefusedResult(key);
    return key.works.length > 0 && key.works.every((id) => tokenWorks.has(id))
      ? {
          ...result,
          seen: `${result.seen}. The token works for these too, so you can remove the key; keys are being phased out`,
        }
      : result;
  }
  const worksWithToken = refused.filter((id) => tokenWorks.has(id));
  const worksWithNeither = refused.filter((id) => refusedIn(token).includes(id));
  if (worksWithToken.length > 0 && worksWithNeither.length === 0)
    return {
      state: "fail",
      cause: "key-refused",
      seen: `${summaryOf(key)}; the token works for ${worksWithToken.join(", ")}`,
      fix: `The key is wrong or was turned off; the service is phasing out all account keys. The token is enough: ${keyRemoval}.`,
    };
  return {
    state: "fail",
    cause: key.unauthorized.length > 0 ? "unauthorized" : "forbidden",
    seen: summaryOf(key),
    fix: `The key is wrong, was turned off, or is not allowed to do this. Fix the token first (see above). Then ${keyRemoval}, or set a valid key.`,
  };
}

interface OperationsByStatus {
  works: OperationId[];
  unauthorized: OperationId[];
  readOnly: OperationId[];
  forbidden: OperationId[];
}

/** The operations that accepted and refused a credential. Statuses that say nothing about the credential are left out. */
function groupByStatus(outcomes: readonly Outcome[], form: CredentialForm): OperationsByStatus {
  const sent = outcomes.filter((outcome) => outcome.form === form);
  const where = (matches: (status: number, outcome: Outcome) => boolean): OperationId[] =>
    sent.filter((outcome) => matches(outcome.exchange.answer?.status ?? 0, outcome)).map(({ operation }) => operation);
  return {
    works: where((status) => status >= 200 && status <= 299),
    unauthorized: where((status) => status === 401),
    readOnly: where((status, outcome) => status === 403 && isReadOnly(outcome)),
    forbidden: where((status, outcome) => status === 403 && !isReadOnly(outcome)),
  };
}

function refusedIn({ unauthorized, readOnly, forbidden }: OperationsByStatus): OperationId[] {
  return [...unauthorized, ...readOnly, ...forbidden];
}

function isReadOnly({ error }: Outcome): boolean {
  return error?.serviceCode === "read_only_credential_route_not_allowed";
}

function notRefusedResult(operations: OperationsByStatus): CheckResult {
  return operations.works.length === 0
    ? { state: "not checked", seen: "no response shows whether it is valid" }
    : { state: "ok", seen: `${summaryOf(operations)}. Doctor cannot tell whether it may make changes` };
}

function summaryOf({ works, unauthorized, readOnly, forbidden }: OperationsByStatus): string {
  const parts: [string, OperationId[]][] = [
    ["works for", works],
    ["refused (401) for", unauthorized],
    ["refused as read-only (403) for", readOnly],
    ["refused (403) for", forbidden],
  ];
  return parts
    .filter(([, ids]) => ids.length > 0)
    .map(([label, ids]) => `${label} ${ids.join(", ")}`)
    .join("; ");
}

function acceptsKey(id: OperationId): boolean {
  return operations[id].credential === "key";
}

function adviceFor(operation: OperationId, status: number): string {
  return nextStep({ operation, certainty: "refused", status }) ?? "Use another credential.";
}
