import { type Finding, findingsOf, type OperationCheck, type Report, type State } from "./finding";

const narrowest = 72;
const widest = 140;
/** The last column never gets narrower than this, whatever the terminal. */
const leastText = 30;

interface Row {
  readonly cells: readonly string[];
  /** The last column, each on a line of its own. */
  readonly texts: readonly string[];
}

/** The report for people: plain text, aligned, each fix with the first row that it mends. */
export function tableOf(report: Report, columns: number): string {
  const width = Math.min(widest, Math.max(narrowest, columns));
  return [
    aligned(["STATE", "CHECK"], "SEEN", report.checks.map(checkRow), width),
    operationTable(report, width),
    notCheckedList(report.operations, width),
    wrapped(summary(report), width).join("\n"),
  ]
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n");
}

function checkRow(check: Report["checks"][number]): Row {
  return { cells: [stateName(check.state), check.check], texts: textsOf(check) };
}

function textsOf({ seen, fix }: Finding): string[] {
  return fix === undefined ? [seen] : [seen, `fix: ${fix}`];
}

/** What failed must be found at a glance, without colour. */
function stateName(state: State): string {
  return state === "fail" ? "FAIL" : state;
}

function operationTable({ operations }: Report, width: number): string {
  const rows = operations
    .filter(({ state }) => state !== "not checked")
    .map((check, index, all): Row => {
      const { bearer = "-", api_key = "-" } = check.results;
      const cells = [stateName(check.state), check.operation, check.source, String(bearer), String(api_key)];
      // One credential fails many rows: what mends them all is said with the first.
      const isSaid = all.slice(0, index).some(({ fix }) => fix === check.fix);
      return { cells, texts: isSaid ? [check.seen] : textsOf(check) };
    });
  return rows.length === 0 ? "" : aligned(["STATE", "OPERATION", "PATH IS", "BEARER", "API_KEY"], "SEEN", rows, width);
}

/** Many operations wait for the same: it is said once for all of them. */
function notCheckedList(operations: readonly OperationCheck[], width: number): string {
  const byReason = new Map<string, string[]>();
  for (const { state, seen, operation } of operations)
    if (state === "not checked") byReason.set(seen, [...(byReason.get(seen) ?? []), operation]);
  if (byReason.size === 0) return "";
  const lines = [...byReason].flatMap(([reason, ids]) => [
    ...wrapped(ids.join(", "), width - 2).map((line) => `  ${line}`),
    ...wrapped(reason, width - 6).map((line) => `      ${line}`),
  ]);
  return ["Operations that were not checked:", ...lines].join("\n");
}

function summary(report: Report): string {
  const count = (state: State): string =>
    String(findingsOf(report).filter((finding) => finding.state === state).length);
  return (
    `${count("fail")} failed, ${count("warn")} to look at, ${count("ok")} ok, ${count("not checked")} not checked. ` +
    `${requestsIn(report)}; the ${String(report.neverCalled.length)} operations ` +
    "that create, change, delete or generate something are never called."
  );
}

function requestsIn({ requests }: Report): string {
  return requests === 0 ? "No request was sent" : `Requests sent: ${String(requests)}, all of them reads`;
}

function aligned(names: readonly string[], lastName: string, rows: readonly Row[], width: number): string {
  const widths = names.map((name, column) =>
    Math.max(name.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], text: string): string =>
    [...widths.map((size, column) => (cells[column] ?? "").padEnd(size)), text].join("  ").trimEnd();
  const indent = widths.reduce((sum, size) => sum + size + 2, 0);
  const lines = rows.flatMap(({ cells, texts }) =>
    texts
      .flatMap((text) => wrapped(text, Math.max(leastText, width - indent)))
      .map((text, index) => line(index === 0 ? cells : [], text)),
  );
  return [line(names, lastName), ...lines].join("\n");
}

/** Broken between words; a word that is too long for a line, such as a URL, stays whole so that it can be copied. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
