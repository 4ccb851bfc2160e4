import type { ServiceClient } from "./client";
import { ServiceError } from "./errors";
import type { Answer, OperationId, Parameters } from "./operations";
import type { Page } from "./shapes";

/** The operations that return a page of rows. */
export type ListId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];
export type Row<Id extends ListId> = Answer<Id> extends Page<infer R> ? R : never;

/**
 * Reads pages until one says that it is the last. Throws `noCursor()` after a page that says there is more but gives no new
 * cursor.
 */
export async function* followCursor<P>(
  read: (cursor: string | undefined) => Promise<P>,
  positionOf: (page: P) => { readonly more: boolean; readonly cursor?: string | undefined },
  noCursor: () => Error,
): AsyncGenerator<P> {
  const followed = new Set<string>();
  let next: string | undefined;
  for (;;) {
    const page = await read(next);
    yield page;
    const { more, cursor } = positionOf(page);
    if (!more) return;
    if (cursor === undefined || followed.has(cursor)) throw noCursor();
    followed.add(cursor);
    next = cursor;
  }
}

/**
 * The pages of a list. A list that cannot be read to its end fails after its last page, because half a list does not prove
 * that something is missing. A caller that finds its row on an earlier page stops there, and never sees that failure.
 */
export async function* pagesOf<Id extends ListId>(
  service: ServiceClient,
  id: Id,
  parameters: Parameters<Id>,
  hidden?: unknown,
) {
  let rows = 0;
  let last: Page<unknown> | undefined;
  const read = (cursor: string | undefined): Promise<Page<unknown>> =>
    service.call(id, { parameters, hidden, ...(cursor === undefined ? {} : { query: { cursor } }) });
  for await (const page of followCursor(
    read,
    (page) => page,
    () => incomplete(service, id, noNewCursor),
  )) {
    rows += page.rows.length;
    last = page;
    yield page.rows as Row<Id>[];
    if (page.part !== undefined) throw incomplete(service, id, page.part);
  }
  const gap = last && missingRows(last, rows);
  if (gap !== undefined) throw incomplete(service, id, gap);
}

const noNewCursor = "says that there is more, but gives no new next_cursor";

function missingRows({ total }: Page<unknown>, rows: number): string | undefined {
  return total !== undefined && total > rows ? `has ${String(rows)} of ${String(total)} rows` : undefined;
}

/** Why a list cannot be read to its end, by its first page; undefined when it can. */
export function gapAfterFirst(page: Page<unknown>): string | undefined {
  if (page.part !== undefined) return page.part;
  if (page.more) return page.cursor === undefined ? noNewCursor : undefined;
  return missingRows(page, page.rows.length);
}

/** All rows of a list. `hidden`: values that the service may repeat in an error and that are never shown. */
export async function readAll<Id extends ListId>(
  service: ServiceClient,
  id: Id,
  parameters: Parameters<Id>,
  hidden?: unknown,
) {
  const pages: Row<Id>[][] = [];
  for await (const page of pagesOf(service, id, parameters, hidden)) pages.push(page);
  return pages.flat();
}

/** The same, each object once: a list that changes while it is read may show one on two pages. */
export async function readEach<Id extends ListId>(
  service: ServiceClient,
  id: Id,
  parameters: Parameters<Id>,
  hidden?: unknown,
) {
  const rows = await readAll(service, id, parameters, hidden);
  const idOf = (row: { readonly id?: string; readonly app_id?: string }): string | undefined => row.id ?? row.app_id;
  return [...new Map(rows.map((row) => [idOf(row as object), row])).values()];
}

function incomplete(service: ServiceClient, id: OperationId, why: string): ServiceError {
  const doubt = service.endpoints.doubt(id);
  return new ServiceError({
    operation: id,
    certainty: "uncertain",
    reason: `the list ${why}, so it cannot be read to its end`,
    known: [`Request: ${service.endpoints.withBaseUrl(id)}`, ...doubt.known],
    next: doubt.next,
  });
}
