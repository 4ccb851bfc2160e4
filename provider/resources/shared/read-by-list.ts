import { pagesOf, type Row } from "../../service/lists";
import type { OperationId, Parameters } from "../../service/operations";
import { canonicalJson } from "./compare";
import { unlessInterrupted } from "../../service/clock";
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
  { service, batched, clock, evidence }: Step,
): Promise<Row<List> | undefined> {
  // Until it was read by itself once, a later 404 would be no evidence.
  if (!service.can(list) || !evidence.isKnownBy(get)) return undefined;
  const found = batched.find<Row<List>>(id, {
    key: canonicalJson([list, parameters]),
    minReads,
    isBounded: true,
    pages: () => pagesOf(service.forSharedReads, list, parameters),
    idOf: (row) => (row as { readonly id: string }).id,
  });
  return (await unlessInterrupted(clock, found)).row;
}
