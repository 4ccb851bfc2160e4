import { pagesOf, type Row } from "../../service/lists";
import type { OperationId, Parameters } from "../../service/operations";
import { canonicalJson } from "./compare";
import type { Deployment } from "./deployment";

/** How an object is read: by a list that shows it, or by itself. */
interface Reading<List extends "webhook.list" | "test.list" | "record.list"> {
  readonly list: List;
  readonly parameters: Parameters<List>;
  /** From how many reads on the list is read. */
  readonly minReads: number;
  readonly get: OperationId;
}

/** The object as a list shows it that many reads share. Undefined where it must be read by itself. */
export async function findInList<List extends "webhook.list" | "test.list" | "record.list">(
  id: string,
  { list, parameters, minReads, get }: Reading<List>,
  readBy: string | undefined,
  { service, batched }: Deployment,
): Promise<Row<List> | undefined> {
  // A 404 counts only after the object was read by itself once.
  if (!service.can(list) || readBy !== service.endpoints.mark(get)) return undefined;
  const { row } = await batched.find<Row<List>>(id, {
    key: canonicalJson([list, parameters]),
    minReads,
    pages: () => pagesOf(service, list, parameters),
    idOf: (row) => (row as { readonly id: string }).id,
  });
  return row;
}
