import { pagesOf, type Row } from "../../service/lists";
import type { OperationId, Parameters } from "../../service/operations";
import type { Step } from "./deployment";

type SharedList = "webhook.list" | "test.list" | "record.list";

/** How an object is read: by a list that shows it, or by itself. */
interface ReadPlan<List extends SharedList> {
  readonly list: List;
  readonly parameters: Parameters<List>;
  /** From how many reads on the list is read. */
  readonly minReads: number;
  readonly get: OperationId;
}

/** The object's row in a list that several reads share. Undefined where it must be read by itself. */
export async function findInList<List extends SharedList>(
  id: string,
  { list, parameters, minReads, get }: ReadPlan<List>,
  { service, evidence }: Step,
): Promise<Row<List> | undefined> {
  // Until it was read by itself once, a later 404 would be no evidence.
  if (!service.can(list) || !evidence.isKnownBy(get)) return undefined;
  const { row } = await service.findInList<List, Row<List>>(list, parameters, id, {
    minReads,
    isBounded: true,
    pages: (reader) => pagesOf(reader, list, parameters),
    idOf: (row) => (row as { readonly id: string }).id,
  });
  return row;
}
