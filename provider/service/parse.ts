import { readJson } from "./json";
import { type Answer, isRead, type Operation, type OperationId, operations } from "./operations";
import { oneLine } from "./redaction";
import { isPage, type Page } from "./shapes";
import type { HttpAnswer } from "./transport";

/** The result of a call, or why the response proves nothing. */
export type Parsed<Id extends OperationId> = { readonly result: Answer<Id> } | { readonly problem: string };

/** How many problems of one response a message shows. */
const maxProblems = 5;

/** Checks a 2xx response against the operations table. */
export function parse<Id extends OperationId>(id: Id, method: string, answer: HttpAnswer): Parsed<Id> {
  const { answer: shape, doneOn204, doneOnlyOn200 }: Operation = operations[id];
  if (answer.status === 204 && doneOn204 === true) return { result: undefined as Answer<Id> };
  if (answer.status !== 200 && doneOnlyOn200 === true) return { problem: "only a 200 says that it was carried out" };
  const body = readJson(answer.text);
  // Even if any JSON will do: a proxy's page with status 200 says nothing about the service.
  if ("problem" in body) return { problem: `body: ${body.problem}` };
  const { success, data, error } = shape.safeParse(body.json);
  if (!success) return { problem: describe(error.issues) };
  if (isPage(data)) return { result: withHeaders(data, answer) as Answer<Id> };
  const part = isRead(id, method) ? whyPartial(answer) : undefined;
  return part === undefined ? { result: data as Answer<Id> } : { problem: `it ${part}` };
}

/** Names each field and what was expected, never the value, which is the user's. */
function describe(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  const problems = issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  const more = problems.length > maxProblems ? ["and more"] : [];
  return oneLine([...problems.slice(0, maxProblems), ...more].join("; "));
}

/* How much of the whole a response is, by its status and headers. */

type Head = Pick<HttpAnswer, "status" | "headers">;

/** Why a response is not the whole, to complete "the list …"; undefined where nothing says so. */
function whyPartial({ status, headers }: Head): string | undefined {
  const range = headers["content-range"];
  if (range !== undefined && !isWholeRange(String(range))) return `is only a part (Content-Range: ${String(range)})`;
  return status === 206 ? "is only a part (status 206)" : undefined;
}

/** A page with what the headers add to its body. A link to the next page is followed only by a cursor in the body. */
function withHeaders<Row>(page: Page<Row>, head: Head): Page<Row> {
  const part = page.part ?? whyPartial(head);
  const total = Math.max(page.total ?? 0, totalIn(head));
  return {
    ...page,
    more: page.more || linksToNext(head),
    ...(part === undefined ? {} : { part }),
    ...(total > 0 ? { total } : {}),
  };
}

/** `items 0-49/50`. */
function isWholeRange(range: string): boolean {
  const [, last, total] = /^\w+ 0-(\d+)\/(\d+)$/.exec(range) ?? [];
  return total !== undefined && Number(last) + 1 === Number(total);
}

/** A repeated header is joined with commas. */
function totalIn({ headers }: Head): number {
  const totals = String(headers["x-total-count"] ?? "").match(/\d+/g) ?? [];
  return Math.max(0, ...totals.map(Number));
}

function linksToNext({ headers }: Head): boolean {
  // Without the addresses, which may hold anything.
  const links = String(headers["link"] ?? "").replace(/<[^>]*>/g, "");
  return [...links.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^";,\s]*))/g)].some(
    ([, name = "", quoted, bare = ""]) =>
      name.toLowerCase() === "rel" && (quoted ?? bare).toLowerCase().split(/\s+/).includes("next"),
  );
}
