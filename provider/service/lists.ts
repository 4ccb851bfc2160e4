import type { Service } from "./client";
import { ServiceError } from "./errors";
import type { Answer, OperationId, Parameters } from "./operations";
import type { Page } from "./shapes";

/** The operations that answer with a page of rows. */
type ListId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];
type Row<Id extends ListId> = Answer<Id> extends Page<infer R> ? R : never;

/**
 * All rows of a list. One that says there is more is followed by its cursor; where that is not possible the list
 * counts as unreadable, because what is missing from half a list proves nothing.
 */
export async function readAll<Id extends ListId>(service: Service, id: Id, parameters: Parameters<Id>) {
  const rows: Row<Id>[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { query: { cursor } };
    const page: Page<unknown> = await service.call(id, { parameters, ...query });
    for (const row of page.rows) rows.push(row as Row<Id>);
    if (page.more && (page.cursor === undefined || seen.has(page.cursor)))
      throw incomplete(id, "says that there is more but not where (no new next_cursor)");
    if (!page.more && page.total !== undefined && page.total > rows.length)
      throw incomplete(id, `has ${String(rows.length)} of ${String(page.total)} rows`);
    cursor = page.more ? page.cursor : undefined;
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return rows;
}

function incomplete(id: OperationId, why: string): ServiceError {
  return new ServiceError({
    operation: id,
    certainty: "uncertain",
    message: `${id}: the list ${why}, so it cannot be read to its end.`,
  });
}
