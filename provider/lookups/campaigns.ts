import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { listCampaigns, type ListedCampaign } from "../service/campaigns";
import { ProviderError, type Report } from "../service/errors";
import { campaign } from "../service/shapes";
import { fromWire } from "./shared/fields";
import type { Lookup, LookupContext } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getCampaigns}. */
export interface GetCampaignsArgs {
  /** The app whose campaigns are listed. */
  appId: string;
}

/** The arguments of {@link getCampaign}. */
export interface GetCampaignArgs {
  /** The advertised app. */
  appId: string;
  /** The service's own id of the campaign, not the ad platform's. */
  campaignId: string;
}

/** A campaign with its live values. The service does not document all values of the status fields. */
export interface Campaign {
  /** The service's own id. */
  campaignId: string;
  /** Its name. */
  campaignName: string;
  /** `ENABLED`, `REMOVED` for a deleted campaign, or another value. */
  status: string;
  /** The ad platform's id. */
  platformCampaignId?: string;
  /** `SMART`, or another type: the service does not document all of them. */
  campaignType?: string;
  /** The daily budget in micros of the account's currency. */
  dailyBudgetMicros?: number;
  /** The page that its ads lead to. */
  landingPage?: string;
  /** The ids of its locations, as `getGeoTargets` returns them. */
  geoTargets?: string[];
  /** The phone number in its ads. */
  phoneNumber?: string;
  /** The state of the ad platform's review. The values are not documented. */
  reviewStatus?: string;
  /** Whether its ads are shown. The values are not documented. */
  servingStatus?: string;
  /** The ad platform's summary. The values are not documented. */
  primaryStatus?: string;
  /** The reasons for `primaryStatus`. */
  primaryStatusReasons?: string[];
  /** When it was created, ISO 8601. */
  createdDate?: string;
  /** When it was last changed, ISO 8601. */
  updatedDate?: string;
  /** When its learning phase ends, ISO 8601. */
  learningEndsAt?: string;
}

/** The result of {@link getCampaigns}. */
export interface GetCampaignsResult {
  /** Every campaign of the app, in the service's order, with deleted ones (`REMOVED`). */
  campaigns: Campaign[];
}

/** @internal */
export const campaignsLookup: Lookup<GetCampaignsArgs, GetCampaignsResult> = {
  name: "getCampaigns",
  operation: "campaign.list",
  purpose: "An app's campaigns with their live status",
  args: z.strictObject({ appId: identifier() }),
  run: async ({ appId }, context) => ({ campaigns: (await listed(appId, context)).map(campaignOf) }),
};

/** @internal */
export const campaignLookup: Lookup<GetCampaignArgs, Campaign> = {
  name: "getCampaign",
  operation: "campaign.list",
  purpose: "One campaign with its live status",
  args: z.strictObject({ appId: identifier(), campaignId: identifier() }),
  async run({ appId, campaignId }, context) {
    const rows = await listed(appId, context);
    const row = rows.find(({ id }) => id === campaignId);
    if (row === undefined) throw new ProviderError(notFound(rows, appId, campaignId));
    return campaignOf(row);
  },
};

/** The app's whole list, read once for all look-ups of the program run. */
function listed(appId: string, { service, shared }: LookupContext): Promise<ListedCampaign[]> {
  return shared(`campaigns of ${appId}`, () => listCampaigns(service, appId));
}

/** "The service's `id`, not platform_campaign_id": the two are easily confused. */
function notFound(rows: readonly ListedCampaign[], appId: string, campaignId: string): Report {
  const intended = rows.find((row) => row.platform_campaign_id === campaignId);
  if (intended === undefined)
    return {
      code: "WA1703",
      what: `App ${appId} has no campaign ${campaignId}.`,
      known: [`campaign.list returned ${String(rows.length)} campaigns.`],
    };
  return {
    code: "WA1703",
    what: `App ${appId} has no campaign ${campaignId}: that is the ad platform's id.`,
    next: [`Use the service's id of the same campaign: ${intended.id}.`],
  };
}

/** From wire to result. */
function campaignOf(wire: ListedCampaign): Campaign {
  const { id, ...shown } = fromWire(campaign, wire);
  return { campaignId: id, ...shown };
}

/**
 * Lists all campaigns of an app, with the live values that `AdCampaign` does not keep in its state.
 *
 * The service does not document the path of this operation (`campaign.list`). The assumed path can be changed in
 * `workspace-apps:endpoints`. A list that cannot be read to its end is an error.
 *
 * ```ts
 * const { campaigns } = await apps.getCampaigns({ appId: "app-1" });
 * export const serving = campaigns.filter((campaign) => campaign.status === "ENABLED").length;
 * ```
 */
export function getCampaigns(args: GetCampaignsArgs, opts?: LookupOptions): Promise<GetCampaignsResult> {
  return lookUp(campaignsLookup, args, opts);
}

/** {@link getCampaigns} with inputs. Sends its requests once all inputs are known. */
export function getCampaignsOutput(
  args: LookupInputs<GetCampaignsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetCampaignsResult> {
  return lookUpOutput(campaignsLookup, args, opts);
}

/**
 * Reads one campaign of an app, with the live values that `AdCampaign` does not keep in its state.
 *
 * It reads the list of campaigns, whose path is assumed (`campaign.list`). A campaign that is not in the list is an error.
 * A deleted campaign stays in the list, with the status `REMOVED`.
 *
 * ```ts
 * const live = apps.getCampaignOutput({ appId: "app-1", campaignId: spring.id });
 * export const review = live.reviewStatus;
 * ```
 */
export function getCampaign(args: GetCampaignArgs, opts?: LookupOptions): Promise<Campaign> {
  return lookUp(campaignLookup, args, opts);
}

/** {@link getCampaign} with inputs. Sends its requests once all inputs are known. */
export function getCampaignOutput(
  args: LookupInputs<GetCampaignArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<Campaign> {
  return lookUpOutput(campaignLookup, args, opts);
}
