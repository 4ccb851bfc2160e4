import type { OperationId } from "../../provider/service/operations";

/** `fail` alone makes the command fail. */
export type State = "ok" | "warn" | "fail" | "not checked";

/** Why something is not in order, for programs: the words beside it may change, these do not. */
export type Cause =
  // Settings.
  | "stack-unreadable"
  | "missing"
  | "malformed"
  | "unknown-setting"
  | "plain-text-secret"
  // On the way to the service.
  | "dns"
  | "connection"
  | "tls"
  | "timeout"
  | "broken-connection"
  | "redirect"
  | "foreign-answer"
  // What the service says.
  | "unauthorized"
  | "read-only"
  | "forbidden"
  | "key-refused"
  | "form-refused"
  | "plan"
  | "not-found"
  | "wrong-path"
  | "rate-limited"
  | "server-error"
  | "refused"
  | "shape"
  | "half-list"
  | "payment-provider"
  | "clock";

/** What was seen of one thing, and what to do about it. */
export interface Finding {
  readonly state: State;
  readonly seen: string;
  /** There is one wherever `state` is `fail` or `warn`. */
  readonly fix?: string;
  readonly cause?: Cause;
}

export interface Check extends Finding {
  readonly check: string;
}

/** How a credential is sent. */
export type Form = "bearer" | "api_key";

/** What came back: a status, or why there is none. */
export type Result = number | "no answer";

export interface OperationCheck extends Finding {
  readonly operation: OperationId;
  /** `set`: by `workspace-apps:endpoints`. */
  readonly source: "documented" | "assumed" | "set";
  /** Undefined where the settings take the operation away. */
  readonly endpoint: string | undefined;
  /** By the form in which the credential was sent; empty when it was not called. */
  readonly results: Partial<Record<Form, Result>>;
}

export interface Report {
  readonly checks: readonly Check[];
  readonly operations: readonly OperationCheck[];
  /** The operations that doctor does not call whatever it is given, because they are no mere reads. */
  readonly neverCalled: readonly OperationId[];
  /** How many requests were sent. */
  readonly requests: number;
}

export function findingsOf({ checks, operations }: Report): readonly Finding[] {
  return [...checks, ...operations];
}

export function hasFailed(report: Report): boolean {
  return findingsOf(report).some(({ state }) => state === "fail");
}

export function notChecked(seen: string): Finding {
  return { state: "not checked", seen };
}
