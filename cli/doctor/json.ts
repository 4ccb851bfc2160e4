import { countByState, type DoctorReport, hasFailed } from "./report";

/** The report for programs. */
export function jsonOf(report: DoctorReport): string {
  const summary = {
    fail: countByState(report, "fail"),
    warn: countByState(report, "warn"),
    ok: countByState(report, "ok"),
    notChecked: countByState(report, "not checked"),
  };
  const { requests, checks, operations, neverCalled } = report;
  return `${JSON.stringify({ ok: !hasFailed(report), summary, requests, checks, operations, neverCalled }, null, 2)}\n`;
}
