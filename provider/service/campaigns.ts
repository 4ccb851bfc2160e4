import type { ServiceClient } from "./client";
import { readAll, type Row } from "./lists";
import { campaignStatus } from "./shapes";

/** How long nothing is launched again after a launch with an uncertain outcome, unless the user sets another time. */
export const defaultLaunchQuarantineSeconds = 900;

/** A campaign as the list shows it. */
export type ListedCampaign = Row<"campaign.list">;

/** The app's whole list of campaigns; throws when it cannot be read to its end. */
export function listCampaigns(service: ServiceClient, appId: string): Promise<ListedCampaign[]> {
  return readAll(service, "campaign.list", { app_id: appId });
}

export function isRemoved({ status }: { status: string }): boolean {
  return status.toUpperCase() === campaignStatus.removed;
}
