import type { ServiceClient } from "./client";
import { readAll, type Row } from "./lists";
import { campaignStatus } from "./shapes";

/** A campaign as the list shows it. */
export type ListedCampaign = Row<"campaign.list">;

/** The app's whole list of campaigns; throws when it cannot be read to its end. */
export async function listCampaigns(service: ServiceClient, appId: string): Promise<ListedCampaign[]> {
  return eachOnce(await readAll(service, "campaign.list", { app_id: appId }));
}

/** Each campaign once. A list that moves while it is read may show one twice, and removal is permanent. */
export function eachOnce<Campaign extends { id: string; status: string }>(rows: readonly Campaign[]): Campaign[] {
  const shown = new Map<string, Campaign>();
  for (const row of rows) {
    const before = shown.get(row.id);
    if (before === undefined || !isRemoved(before)) shown.set(row.id, row);
  }
  return [...shown.values()];
}

export function isRemoved({ status }: { status: string }): boolean {
  return status.toUpperCase() === campaignStatus.removed;
}
