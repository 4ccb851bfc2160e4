import { listCampaigns, type ListedCampaign } from "../../service/campaigns";
import { isInterruption, unlessInterrupted } from "../../service/clock";
import { knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { campaignStatus, filled } from "../../service/shapes";
import { sameUrl } from "../shared/compare";
import type { Deployment } from "../shared/deployment";
import { baseName, sameArgument } from "./identity";

/* Reading an app's campaign list, and what it says about a declared campaign. */

export type { ListedCampaign };

/** A campaign as a launch returns it: only the id is sure to be there. */
export type KnownCampaign = Answer<"campaign.launch">["campaign"];

/** `recent`: shared by all that ask within seconds. `fresh`: a read that begins after this call. */
export type Freshness = "fresh" | "recent";

/** The app's whole list of campaigns; throws when it cannot be read to its end. */
export function readCampaigns(
  appId: string,
  { service, reads, clock }: Deployment,
  freshness: Freshness,
): Promise<ListedCampaign[]> {
  const read = reads[freshness](listKey(appId), () => listCampaigns(service.forSharedReads, appId));
  return unlessInterrupted(clock, read);
}

/** Runs a request that may change the list: no read from before it may count as one from after. */
export async function changingList<T>(appId: string, { reads }: Deployment, request: () => Promise<T>): Promise<T> {
  reads.changed(listKey(appId));
  try {
    return await request();
  } finally {
    reads.changed(listKey(appId));
  }
}

function listKey(appId: string): string {
  return `campaigns of ${appId}`;
}

/** Why the list could not be read, and how to set its path, which the specification does not show. */
export function unreadableList(error: unknown, { service, clock }: Deployment): { known: string[]; next: string[] } {
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

const noPayment = {
  known: [
    "The service cannot reach its payment provider to confirm a card (payment_provider_unavailable). It refuses every launch until then.",
  ],
  next: ["Run `pulumi up` again later."],
};

/** What launch readiness tells. Empty where it tells nothing. */
interface Readiness {
  /** Why a launch would be refused. */
  whyNot?: { known: string[]; next: string[] };
  /** The declared landing page as the service spells it. */
  landingPage?: string;
}

export async function readLaunchReadiness(
  { appId, landingPage }: { appId: string; landingPage: string },
  { service, reads, clock, log }: Deployment,
): Promise<Readiness> {
  if (!service.can("campaign.readiness")) return {};
  try {
    const read = reads.recent(`readiness of ${appId}`, () =>
      // One attempt: it only advises, and the list that was read before it grows old.
      service.forSharedReads.call("campaign.readiness", { parameters: { app_id: appId }, once: true }),
    );
    const ready = await unlessInterrupted(clock, read);
    if (ready.paymentProviderUnavailable) return { whyNot: noPayment };
    if (ready.landingPage === undefined) return {};
    if (sameUrl(ready.landingPage, landingPage)) return { landingPage: ready.landingPage };
    return {
      whyNot: {
        known: [`The service expects the landing page ${ready.landingPage} (campaign.readiness).`],
        next: ["Declare it as landingPage."],
      },
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "payment_provider_unavailable") return { whyNot: noPayment };
    const doubt = service.endpoints.doubt("campaign.readiness");
    // The launch would be refused too.
    if (error.status === 401 || error.status === 403)
      return {
        whyNot: { known: [...knownFrom(error), ...doubt.known], next: [...nextFrom(error), ...doubt.next] },
      };
    // The specification does not show its path. Where it does not exist, launching works without it.
    if (error.status !== 404 && error.status !== 405)
      log(`The landing page was not compared: launch readiness of app ${appId} could not be read. ${error.message}`);
    return {};
  }
}

/** The arguments that the list shows. */
export const listedArguments = [
  "campaignName",
  "campaignType",
  "dailyBudgetMicros",
  "landingPage",
  "geoTargets",
  "phoneNumber",
] as const satisfies readonly (keyof ListedValues)[];

export interface ListedValues {
  campaignName: string;
  campaignType: string;
  dailyBudgetMicros: number;
  landingPage: string;
  geoTargets?: string[] | undefined;
  phoneNumber?: string | undefined;
}

/** Some of the listed arguments, as the service writes them. */
export type ListedArguments = { [Key in keyof ListedValues]?: ListedValues[Key] | undefined };

export function findById(rows: readonly ListedCampaign[], campaignId: string): ListedCampaign | undefined {
  return rows.find((row) => row.id === campaignId);
}

/** The declared arguments that the list contradicts. What it does not show, or what is not declared, does not differ. */
export function differingValues(row: KnownCampaign, declared: ListedValues): (keyof ListedValues)[] {
  const listed = listedValues(row);
  return listedArguments.filter((key) => {
    const value = listed[key];
    return value !== undefined && declared[key] !== undefined && !sameArgument(key, value, declared[key]);
  });
}

/** The declared values as the list shows them. What is equal in meaning, or not shown, stays as declared. */
export function asListed<D extends ListedValues>(declared: D, row: KnownCampaign): D {
  const listed = listedValues(row);
  return { ...declared, ...Object.fromEntries(differingValues(row, declared).map((key) => [key, listed[key]])) };
}

export function listedValues(row: KnownCampaign): ListedArguments {
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
 * What would declare the campaign, as far as the list shows it. What is empty is left out, and so is `paused`: nobody knows
 * whose pause it is.
 */
export function declarableValues(row: ListedCampaign): ListedArguments {
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
