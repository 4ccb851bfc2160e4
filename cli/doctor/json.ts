import { findingsOf, hasFailed, type Report, type State } from "./finding";

/** The report for programs. */
export function jsonOf(report: Report): string {
  const count = (state: State): number => findingsOf(report).filter((finding) => finding.state === state).length;
  const summary = { fail: count("fail"), warn: count("warn"), ok: count("ok"), notChecked: count("not checked") };
  const { requests, checks, operations, neverCalled } = report;
  return `${JSON.stringify({ ok: !hasFailed(report), summary, requests, checks, operations, neverCalled }, null, 2)}\n`;
}
