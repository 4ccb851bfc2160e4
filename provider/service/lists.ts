import type { ServiceClient } from "./client";
import { ServiceError } from "./errors";
import type { Answer, OperationId, Parameters } from "./operations";
import type { Page } from "./shapes";

/** The operations that return a page of rows. */
export type ListId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];
export type Row<Id extends ListId> = Answer<Id> extends Page<infer R> ? R : never;

/** Where a page of a list ends. */
interface Position {
  readonly more: boolean;
  readonly cursor?: string | undefined;
  readonly rows: readonly unknown[];
}

const maxPages = 1_000;

/** Reads pages until one says that it is the last. Throws `endless(why)` where the list cannot be followed to its end. */
export async function* followCursor<P>(
  read: (cursor: string | undefined) => Promise<P>,
  positionOf: (page: P) => Position,
  endless: (why: string) => Error,
): AsyncGenerator<P> {
  const followed = new Set<string>();
  let next: string | undefined;
  let wasEmpty = false;
  for (let pages = 1; ; pages++) {
    const page = await read(next);
    yield page;
    const { more, cursor, rows } = positionOf(page);
    const isEmpty = rows.length === 0;
    if (isEmpty && wasEmpty) throw endless("has two pages in a row without a row");
    if (!more) return;
    if (cursor === undefined || followed.has(cursor)) throw endless(noNewCursor);
    if (pages === maxPages) throw endless(`has more than ${maxPages.toLocaleString("en")} pages`);
    followed.add(cursor);
    next = cursor;
    wasEmpty = isEmpty;
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
  const tally = newTally();
  let last: Page<unknown> | undefined;
  const read = (cursor: string | undefined): Promise<Page<unknown>> =>
    service.call(id, { parameters, hidden, ...(cursor === undefined ? {} : { query: { cursor } }) });
  for await (const page of followCursor(
    read,
    (page) => page,
    (why) => incomplete(service, id, why),
  )) {
    withRows(tally, page.rows);
    last = page;
    yield page.rows as Row<Id>[];
    if (page.part !== undefined) throw incomplete(service, id, page.part);
  }
  const gap = last && gapIn(last, tally);
  if (gap !== undefined) throw incomplete(service, id, gap);
}

const noNewCursor = "says that there is more, but gives no new next_cursor";

/** The rows that a list has shown so far. */
interface Tally {
  count: number;
  readonly ids: Set<unknown>;
}

const newTally = (): Tally => ({ count: 0, ids: new Set() });

function withRows(tally: Tally, rows: readonly unknown[]): Tally {
  tally.count += rows.length;
  for (const row of rows) tally.ids.add(idOf(row) ?? row);
  return tally;
}

/** Items of a folder have only the id of their app. */
function idOf(row: unknown): unknown {
  const { id, app_id } = (row ?? {}) as { id?: unknown; app_id?: unknown };
  return id ?? app_id;
}

/** A list that changed while it was read may show one object twice, and another one never. */
function gapIn({ total }: Page<unknown>, { count, ids }: Tally): string | undefined {
  if (total !== undefined && total > count) return `has ${String(count)} of ${String(total)} rows`;
  return ids.size < count ? "shows the same object twice and may lack another one" : undefined;
}

/** Why a list cannot be read to its end, by its first page; undefined when it can. */
export function gapOfFirstPage(page: Page<unknown>): string | undefined {
  if (page.part !== undefined) return page.part;
  if (page.more) return page.cursor === undefined ? noNewCursor : undefined;
  return gapIn(page, withRows(newTally(), page.rows));
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

function incomplete(service: ServiceClient, id: OperationId, why: string): ServiceError {
  const doubt = service.endpoints.doubt(id);
  return new ServiceError({
    code: "WA1516",
    operation: id,
    certainty: "uncertain",
    reason: `the list ${why}, so it cannot be read to its end`,
    known: [`Request: ${service.endpoints.withBaseUrl(id)}`, ...doubt.known],
    next: doubt.next,
  });
}
