import type { OperationId } from "../../provider/service/operations";

/** Only `fail` makes the command fail. */
export type CheckState = "ok" | "warn" | "fail" | "not checked";

/** Why a check failed or warns, for programs. These words are stable; the texts beside them may change. */
export type Cause =
  // Settings.
  | "stack-unreadable"
  | "missing"
  | "malformed"
  | "unknown-setting"
  | "plain-text-secret"
  // Connecting to the service.
  | "proxy"
  | "dns"
  | "connection"
  | "tls"
  | "timeout"
  | "broken-connection"
  | "redirect"
  | "foreign-answer"
  // Responses of the service.
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

/** The result of one check. The names of the properties are the keys of `--json`. */
export interface CheckResult {
  readonly state: CheckState;
  /** The finding. */
  readonly seen: string;
  /** How to fix it. Present whenever `state` is `fail` or `warn`. */
  readonly fix?: string;
  /** Present whenever `fix` is. */
  readonly cause?: Cause;
}

export interface Check extends CheckResult {
  readonly check: string;
}

/** How a credential is sent. */
export type CredentialForm = "bearer" | "api_key";

/** The status of a response, or that none came. */
export type ResponseStatus = number | "no answer";

export interface OperationCheck extends CheckResult {
  readonly operation: OperationId;
  /** `set`: by `workspace-apps:endpoints`. */
  readonly source: "documented" | "assumed" | "set";
  /** Undefined if the settings turn the operation off. */
  readonly endpoint: string | undefined;
  /** By the form in which the credential was sent. Empty if the operation was not called. */
  readonly results: Partial<Record<CredentialForm, ResponseStatus>>;
}

export interface DoctorReport {
  readonly checks: readonly Check[];
  readonly operations: readonly OperationCheck[];
  /** Operations that doctor never calls, because they do more than read. */
  readonly neverCalled: readonly OperationId[];
  /** How many requests were sent. */
  readonly requests: number;
}

export function hasFailed(report: DoctorReport): boolean {
  return countByState(report, "fail") > 0;
}

export function countByState({ checks, operations }: DoctorReport, state: CheckState): number {
  return [...checks, ...operations].filter((result) => result.state === state).length;
}

export function notChecked(reason: string): CheckResult {
  return { state: "not checked", seen: reason };
}
