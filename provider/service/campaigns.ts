import { campaignStatus } from "./shapes";

/** Each campaign once. A list that changes while it is read may show one twice; REMOVED wins, because it is permanent. */
export function eachOnce<Row extends { id: string; status: string }>(rows: readonly Row[]): Row[] {
  const shown = new Map<string, Row>();
  for (const row of rows) {
    const before = shown.get(row.id);
    if (before === undefined || !isRemoved(before)) shown.set(row.id, row);
  }
  return [...shown.values()];
}

export function isRemoved({ status }: { status: string }): boolean {
  return status.toUpperCase() === campaignStatus.removed;
}
