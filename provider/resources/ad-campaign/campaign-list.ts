import { listCampaigns, type ListedCampaign } from "../../service/campaigns";
import { isInterruption } from "../../service/clock";
import { knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { campaignStatus, filled } from "../../service/shapes";
import type { Freshness } from "../../service/shared-reads";
import type { Deployment } from "../shared/deployment";
import { baseName, sameArgument } from "./campaign-name";

/* Reading an app's campaign list, and what it says about a declared campaign. */

/** A campaign on the wire, in the response to a launch or in the list: only the id is sure to be there. */
export type WireCampaign = Answer<"campaign.launch">["campaign"];

/** The same list as `listCampaigns`, read once for all campaigns of the command that need it. */
export function readCampaigns(appId: string, { service }: Deployment, freshness: Freshness): Promise<ListedCampaign[]> {
  return service.shareRead(freshness, "campaign.list", { app_id: appId }, (reader) => listCampaigns(reader, appId));
}

/** Why the list could not be read, and how to set its path, which the specification does not show. */
export interface Unreadable {
  readonly known: readonly string[];
  readonly next: readonly string[];
}

export function unreadableList(error: unknown, { service, clock }: Deployment): Unreadable {
  if (isInterruption(clock, error)) return { known: knownFrom(error), next: [] };
  // A request that was never sent says nothing about the path.
  const wasSent = !(error instanceof ServiceError && error.certainty === "not-sent");
  const doubt = wasSent ? service.endpoints.doubt("campaign.list") : { known: [], next: [] };
  // This package's own errors say it themselves.
  const what = error instanceof ProviderError ? [] : ["The campaign list could not be read:"];
  return {
    known: [...new Set([...what, ...knownFrom(error), ...doubt.known])],
    next: [...new Set([...nextFrom(error), ...doubt.next])],
  };
}

/** The arguments that the list shows. */
export const listedArguments = [
  "campaignName",
  "campaignType",
  "dailyBudgetMicros",
  "landingPage",
  "geoTargets",
  "phoneNumber",
] as const satisfies readonly (keyof DeclaredValues)[];

/** The declared values that are compared with the list. */
interface DeclaredValues {
  campaignName: string;
  campaignType: string;
  dailyBudgetMicros: number;
  landingPage: string;
  geoTargets?: string[] | undefined;
  phoneNumber?: string | undefined;
}

/** The values that the list shows, as the service writes them. */
export type ListedValues = { [Key in keyof DeclaredValues]?: DeclaredValues[Key] | undefined };

export function findById(rows: readonly ListedCampaign[], campaignId: string): ListedCampaign | undefined {
  return rows.find((row) => row.id === campaignId);
}

/** The declared arguments that the list contradicts. A value that is not shown, or not declared, does not differ. */
export function differingValues(row: WireCampaign, declared: DeclaredValues): (keyof DeclaredValues)[] {
  const listed = listedValues(row);
  return listedArguments.filter((key) => {
    const value = listed[key];
    return value !== undefined && declared[key] !== undefined && !sameArgument(key, value, declared[key]);
  });
}

/** The declared values as the list shows them. A value that is equal in meaning, or not shown, stays as declared. */
export function asListed<D extends DeclaredValues>(declared: D, row: WireCampaign): D {
  const listed = listedValues(row);
  return { ...declared, ...Object.fromEntries(differingValues(row, declared).map((key) => [key, listed[key]])) };
}

export function listedValues(row: WireCampaign): ListedValues {
  return {
    campaignName: row.campaign_name === undefined ? undefined : baseName(row.campaign_name),
    campaignType: row.campaign_type ?? undefined,
    dailyBudgetMicros: row.daily_budget_micros ?? undefined,
    landingPage: filled(row.landing_page),
    geoTargets: row.geo_targets ?? undefined,
    phoneNumber: filled(row.phone_number),
  };
}

/**
 * The arguments that would declare the campaign, as far as the list shows them. Empty ones are left out, and so is `paused`:
 * nobody knows whose pause it is.
 */
export function declarableValues(row: ListedCampaign): ListedValues {
  const { geoTargets, ...values } = listedValues(row);
  return {
    ...(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as typeof values),
    ...(geoTargets === undefined || geoTargets.length === 0 ? {} : { geoTargets }),
  };
}

/** Undefined for a status that says neither. */
export function isPaused({ status }: { status?: string | undefined }): boolean | undefined {
  if (status?.toUpperCase() === campaignStatus.paused) return true;
  return status?.toUpperCase() === campaignStatus.enabled ? false : undefined;
}
