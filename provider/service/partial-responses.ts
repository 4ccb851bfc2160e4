import type { Page } from "./shapes";
import type { HttpAnswer } from "./transport";

/* How much of the whole a response is, by its status and headers. */

type Head = Pick<HttpAnswer, "status" | "headers">;

/** Why a response is not the whole, to complete "the list …"; undefined where nothing says so. */
export function whyPartial({ status, headers }: Head): string | undefined {
  const range = headers["content-range"];
  if (range !== undefined && !isWholeRange(String(range))) return `is only a part (Content-Range: ${String(range)})`;
  return status === 206 ? "is only a part (status 206)" : undefined;
}

/** A page with what the headers add to its body. A link to the next page is followed only by a cursor in the body. */
export function withHeaders<Row>(page: Page<Row>, head: Head): Page<Row> {
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
