import { nextStep } from "../../provider/service/advice";
import { type OperationId, operations } from "../../provider/service/operations";
import type { Cause, Check, Form } from "./finding";
import type { Outcome } from "./probe";

/** What the settings say of credentials. */
export interface Credentials {
  readonly hasKey: boolean;
  /** How to take the key away. */
  readonly keyRemoval: string;
}

/** The form in which `pulumi up` sends the credential of an operation. */
export function formUsed(id: OperationId, hasKey: boolean): Form {
  return hasKey && operations[id].credential === "key" ? "api_key" : "bearer";
}

export function checkName(form: Form): string {
  return `credential ${form}`;
}

export function credentialChecks(outcomes: readonly Outcome[], credentials: Credentials): Check[] {
  return [
    { check: checkName("bearer"), ...bearer(outcomes, credentials) },
    { check: checkName("api_key"), ...apiKey(outcomes, credentials) },
  ];
}

type Judged = Omit<Check, "check">;

function bearer(outcomes: readonly Outcome[], { hasKey }: Credentials): Judged {
  const seen = sorted(outcomes, "bearer");
  const refused = refusedIn(seen);
  if (refused.length === 0) return unrefused(seen);
  // Where the key is used, what the token may do matters only once the key is gone.
  const state = refused.some((id) => formUsed(id, hasKey) === "bearer") ? "fail" : "warn";
  return { state, seen: inWords(seen), ...bearerAdvice(seen, hasKey) };
}

function bearerAdvice(seen: Sorted, hasKey: boolean): { cause: Cause; fix: string } {
  const [unauthorized] = seen.unauthorized;
  if (unauthorized !== undefined && seen.works.length > 0 && seen.unauthorized.every(takesKey))
    return {
      cause: "form-refused",
      fix: hasKey
        ? "These work by the key alone, and keys are being switched off: ask the service's support for a token that reaches them."
        : "The token is valid, but not taken for these operations: if you have a personal API key, set it with `pulumi config set --secret workspace-apps:apiKey` or in WORKSPACE_APPS_API_KEY.",
    };
  if (unauthorized !== undefined) return { cause: "unauthorized", fix: advice(unauthorized, 401) };
  const [readOnly] = seen.readOnly;
  if (readOnly !== undefined)
    return {
      cause: "read-only",
      fix: "The token is read-only: create one with full access, and set it in workspace-apps:accessToken or WORKSPACE_APPS_ACCESS_TOKEN.",
    };
  return {
    cause: "forbidden",
    fix: seen.forbidden
      .map((id) => advice(id, 403))
      .filter(isFirst)
      .join(" "),
  };
}

function apiKey(outcomes: readonly Outcome[], { hasKey, keyRemoval }: Credentials): Judged {
  if (!hasKey) return { state: "ok", seen: "not set: every operation uses the token" };
  const seen = sorted(outcomes, "api_key");
  const token = sorted(outcomes, "bearer");
  const byToken = new Set(token.works);
  const refused = refusedIn(seen);
  if (refused.length === 0) {
    const judged = unrefused(seen);
    return seen.works.length > 0 && seen.works.every((id) => byToken.has(id))
      ? {
          ...judged,
          seen: `${judged.seen}. The token works for these too: the key, a form that is being switched off, can go`,
        }
      : judged;
  }
  const instead = refused.filter((id) => byToken.has(id));
  const neither = refused.filter((id) => refusedIn(token).includes(id));
  if (instead.length > 0 && neither.length === 0)
    return {
      state: "fail",
      cause: "key-refused",
      seen: `${inWords(seen)}; the token works for ${instead.join(", ")}`,
      fix: `The key is wrong or was switched off, as all account keys are, one after the other. The token does without it: ${keyRemoval}.`,
    };
  return {
    state: "fail",
    cause: seen.unauthorized.length > 0 ? "unauthorized" : "forbidden",
    seen: inWords(seen),
    fix: `The key is wrong, was switched off, or may not do this. Mend the token first (see above); then ${keyRemoval}, or set a key that is valid.`,
  };
}

interface Sorted {
  works: OperationId[];
  unauthorized: OperationId[];
  readOnly: OperationId[];
  forbidden: OperationId[];
}

/** What a form was taken for. Statuses that say nothing of the credential count on neither side. */
function sorted(outcomes: readonly Outcome[], form: Form): Sorted {
  const ofForm = outcomes.filter((outcome) => outcome.form === form);
  const where = (is: (status: number, outcome: Outcome) => boolean): OperationId[] =>
    ofForm.filter((outcome) => is(outcome.exchange.answer?.status ?? 0, outcome)).map(({ operation }) => operation);
  return {
    works: where((status) => status >= 200 && status <= 299),
    unauthorized: where((status) => status === 401),
    readOnly: where((status, outcome) => status === 403 && isReadOnly(outcome)),
    forbidden: where((status, outcome) => status === 403 && !isReadOnly(outcome)),
  };
}

function refusedIn({ unauthorized, readOnly, forbidden }: Sorted): OperationId[] {
  return [...unauthorized, ...readOnly, ...forbidden];
}

function isReadOnly({ error }: Outcome): boolean {
  return error?.code === "read_only_credential_route_not_allowed";
}

function unrefused(seen: Sorted): Judged {
  return seen.works.length === 0
    ? { state: "not checked", seen: "no answer tells whether it is valid" }
    : { state: "ok", seen: `${inWords(seen)}. Whether it may change anything shows only when something is changed` };
}

function inWords({ works, unauthorized, readOnly, forbidden }: Sorted): string {
  const parts: [string, OperationId[]][] = [
    ["works for", works],
    ["refused (401) for", unauthorized],
    ["refused as read-only (403) for", readOnly],
    ["refused (403) for", forbidden],
  ];
  return parts
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `${what} ${ids.join(", ")}`)
    .join("; ");
}

function takesKey(id: OperationId): boolean {
  return operations[id].credential === "key";
}

function advice(operation: OperationId, status: number): string {
  return nextStep({ operation, certainty: "refused", status }) ?? "Use another credential.";
}

function isFirst(text: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(text) === index;
}
