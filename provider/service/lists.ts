import type { Service } from "./client";
import { ServiceError } from "./errors";
import type { Answer, OperationId, Parameters } from "./operations";
import type { Page } from "./shapes";

/** The operations that answer with a page of rows. */
export type ListId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];
export type Row<Id extends ListId> = Answer<Id> extends Page<infer R> ? R : never;

/**
 * The pages of a list. One that says there is more is followed by its cursor; where that is not possible it
 * fails at its end, because what is missing from half a list proves nothing. A row that was found is found all the same.
 */
export async function* pagesOf<Id extends ListId>(
  service: Service,
  id: Id,
  parameters: Parameters<Id>,
  hidden?: unknown,
) {
  const seen = new Set<string>();
  let rows = 0;
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { query: { cursor } };
    const page: Page<unknown> = await service.call(id, { parameters, hidden, ...query });
    rows += page.rows.length;
    yield page.rows as Row<Id>[];
    const gap = gapAfter(page, rows, seen);
    if (gap !== undefined) throw incomplete(service, id, gap);
    cursor = page.more ? page.cursor : undefined;
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
}

/** Why a list cannot be read on to its end after this page; undefined when it can. */
export function gapAfter(page: Page<unknown>, rowsSoFar: number, seen: ReadonlySet<string>): string | undefined {
  if (page.more && (page.cursor === undefined || seen.has(page.cursor)))
    return "says that there is more but not where (no new next_cursor)";
  if (!page.more && page.total !== undefined && page.total > rowsSoFar)
    return `has ${String(rowsSoFar)} of ${String(page.total)} rows`;
  return undefined;
}

/** All rows of a list. `hidden` is what the service may repeat and must not be shown. */
export async function readAll<Id extends ListId>(
  service: Service,
  id: Id,
  parameters: Parameters<Id>,
  hidden?: unknown,
) {
  const pages: Row<Id>[][] = [];
  for await (const page of pagesOf(service, id, parameters, hidden)) pages.push(page);
  return pages.flat();
}

function incomplete(service: Service, id: OperationId, why: string): ServiceError {
  const endpoint = service.endpoints.endpoint(id) ?? "";
  return new ServiceError({
    operation: id,
    certainty: "uncertain",
    message: `${id} (${endpoint}): the list ${why}, so it cannot be read to its end. ${service.endpoints.doubt(id) ?? ""}`,
  });
}
