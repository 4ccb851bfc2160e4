import { wrapText } from "../wrap-text";
import { type CheckResult, type CheckState, countByState, type DoctorReport, type OperationCheck } from "./report";

const minimumWidth = 72;
const maximumWidth = 140;
/** The last column is never narrower than this, whatever the terminal. */
const minimumTextWidth = 30;

interface Row {
  readonly cells: readonly string[];
  /** The last column: each text starts on a new line. */
  readonly texts: readonly string[];
}

/** The report for people: aligned plain text. */
export function tableOf(report: DoctorReport, columns: number): string {
  const width = Math.min(maximumWidth, Math.max(minimumWidth, columns));
  return [
    alignedTable(["STATE", "CHECK"], report.checks.map(checkRow), width),
    operationTable(report, width),
    notCheckedList(report.operations, width),
    wrapText(summary(report), width).join("\n"),
  ]
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n");
}

function checkRow(check: DoctorReport["checks"][number]): Row {
  return { cells: [stateName(check.state), check.check], texts: textsOf(check) };
}

function textsOf({ seen, fix }: CheckResult): string[] {
  return fix === undefined ? [seen] : [seen, `fix: ${fix}`];
}

/** Failures stand out without colour. */
function stateName(state: CheckState): string {
  return state === "fail" ? "FAIL" : state;
}

function operationTable({ operations }: DoctorReport, width: number): string {
  const rows = operations
    .filter(({ state }) => state !== "not checked")
    .map((check, index, all): Row => {
      const { bearer = "-", api_key = "-" } = check.results;
      const cells = [stateName(check.state), check.operation, check.source, String(bearer), String(api_key)];
      // One credential can fail many rows. A fix is printed only with the first of them.
      const isRepeated = all.slice(0, index).some(({ fix }) => fix === check.fix);
      return { cells, texts: isRepeated ? [check.seen] : textsOf(check) };
    });
  return rows.length === 0 ? "" : alignedTable(["STATE", "OPERATION", "PATH IS", "BEARER", "API_KEY"], rows, width);
}

/** Grouped by reason, because many operations need the same id. */
function notCheckedList(operations: readonly OperationCheck[], width: number): string {
  const byReason = new Map<string, string[]>();
  for (const { state, seen, operation } of operations)
    if (state === "not checked") byReason.set(seen, [...(byReason.get(seen) ?? []), operation]);
  if (byReason.size === 0) return "";
  const lines = [...byReason].flatMap(([reason, ids]) => [
    ...wrapText(ids.join(", "), width - 2).map((line) => `  ${line}`),
    ...wrapText(reason, width - 6).map((line) => `      ${line}`),
  ]);
  return ["Operations that were not checked:", ...lines].join("\n");
}

function summary(report: DoctorReport): string {
  const count = (state: CheckState): string => String(countByState(report, state));
  const warnings = `${count("warn")} ${count("warn") === "1" ? "warning" : "warnings"}`;
  return (
    `${count("fail")} failed, ${warnings}, ${count("ok")} ok, ${count("not checked")} not checked. ` +
    `${requestCount(report)} Doctor never calls the ${String(report.neverCalled.length)} operations ` +
    "that create, change, delete or generate something."
  );
}

function requestCount({ requests }: DoctorReport): string {
  return requests === 0 ? "No request was sent." : `Requests sent: ${String(requests)}, all of them reads.`;
}

function alignedTable(names: readonly string[], rows: readonly Row[], width: number): string {
  const widths = names.map((name, column) =>
    Math.max(name.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], text: string): string =>
    [...widths.map((size, column) => (cells[column] ?? "").padEnd(size)), text].join("  ").trimEnd();
  const indent = widths.reduce((sum, size) => sum + size + 2, 0);
  const lines = rows.flatMap(({ cells, texts }) =>
    texts
      .flatMap((text) => wrapText(text, Math.max(minimumTextWidth, width - indent)))
      .map((text, index) => line(index === 0 ? cells : [], text)),
  );
  return [line(names, "RESULT"), ...lines].join("\n");
}
