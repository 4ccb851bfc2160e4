import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import type { Lookup, LookupContext } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import { eachOnce } from "../service/campaigns";
import { ProviderError } from "../service/errors";
import { readAll, type Row } from "../service/lists";
import { withoutAbsent } from "./shared/result";

/** Whose campaigns. */
export interface GetCampaignsArgs {
  /** The app whose campaigns are listed. */
  appId: string;
}

/** Which campaign. */
export interface GetCampaignArgs {
  /** The app that the campaign advertises. */
  appId: string;
  /** The service's own id, not the ad platform's. */
  campaignId: string;
}

/** A campaign as it is now. The allowed values of its statuses are not all documented. */
export interface Campaign {
  /** The service's own id. */
  campaignId: string;
  /** Its name in the list. */
  campaignName: string;
  /** `ENABLED`, `REMOVED` for a deleted one, and others. */
  status: string;
  /** The ad platform's id. */
  platformCampaignId?: string;
  /** Such as `SMART` or `PERFORMANCE_MAX`. */
  campaignType?: string;
  /** Micros of the account's currency. */
  dailyBudgetMicros?: number;
  /** Where its advertisements lead. */
  landingPage?: string;
  /** The ids of its locations. */
  geoTargets?: string[];
  /** The number in its advertisements. */
  phoneNumber?: string;
  /** Of the ad platform's review; the values are not documented. */
  reviewStatus?: string;
  /** Whether it is shown; the values are not documented. */
  servingStatus?: string;
  /** The ad platform's summary; the values are not documented. */
  primaryStatus?: string;
  /** Why `primaryStatus` is what it is. */
  primaryStatusReasons?: string[];
  /** ISO 8601. */
  createdDate?: string;
  /** ISO 8601. */
  updatedDate?: string;
  /** ISO 8601. */
  learningEndsAt?: string;
}

/** All campaigns of the app. */
export interface GetCampaignsResult {
  /** In the service's order, deleted ones (`REMOVED`) included. */
  campaigns: Campaign[];
}

export const campaignsLookup: Lookup<GetCampaignsArgs, GetCampaignsResult> = {
  name: "getCampaigns",
  purpose: "An app's campaigns with their live status",
  args: z.strictObject({ appId: identifier() }),
  run: async ({ appId }, context) => ({ campaigns: (await listed(appId, context)).map(campaignOf) }),
};

export const campaignLookup: Lookup<GetCampaignArgs, Campaign> = {
  name: "getCampaign",
  purpose: "One campaign with its live status",
  args: z.strictObject({ appId: identifier(), campaignId: identifier() }),
  async run({ appId, campaignId }, context) {
    const rows = await listed(appId, context);
    const row = rows.find(({ id }) => id === campaignId);
    if (row === undefined)
      throw new ProviderError(`App ${appId} has no campaign ${campaignId}${hint(rows, campaignId)}.`);
    return campaignOf(row);
  },
};

type Listed = Row<"campaign.list">;

/** The app's whole list, read once for all that are looked up in it. */
async function listed(appId: string, { service, shared }: LookupContext): Promise<Listed[]> {
  const rows = await shared(`campaigns of ${appId}`, () => readAll(service, "campaign.list", { app_id: appId }));
  return eachOnce(rows);
}

/** "The service's `id`, not platform_campaign_id": the two are easily taken for each other. */
function hint(rows: readonly Listed[], campaignId: string): string {
  const meant = rows.find((row) => row.platform_campaign_id === campaignId);
  if (meant !== undefined) return `: that is the ad platform's id of ${meant.id}, which is the id to give`;
  return ` among the ${String(rows.length)} that campaign.list shows`;
}

/** From wire to result. */
function campaignOf(wire: Listed): Campaign {
  return withoutAbsent<Campaign>({
    campaignId: wire.id,
    campaignName: wire.campaign_name,
    status: wire.status,
    platformCampaignId: wire.platform_campaign_id,
    campaignType: wire.campaign_type,
    dailyBudgetMicros: wire.daily_budget_micros,
    landingPage: wire.landing_page,
    geoTargets: wire.geo_targets,
    phoneNumber: wire.phone_number,
    reviewStatus: wire.review_status,
    servingStatus: wire.serving_status,
    primaryStatus: wire.primary_status,
    primaryStatusReasons: wire.primary_status_reasons,
    createdDate: wire.created_date,
    updatedDate: wire.updated_date,
    learningEndsAt: wire.learning_ends_at,
  });
}

/**
 * All campaigns of an app, with the live values that `AdCampaign` does not keep.
 *
 * The list is an assumed path (`campaign.list`), which `workspace-apps:endpoints` can change. A list that cannot be read
 * to its end is an error.
 *
 * ```ts
 * const { campaigns } = await apps.getCampaigns({ appId: "app-1" });
 * export const serving = campaigns.filter((campaign) => campaign.servingStatus === "SERVING").length;
 * ```
 */
export function getCampaigns(args: GetCampaignsArgs, opts?: LookupOptions): Promise<GetCampaignsResult> {
  return lookUp(campaignsLookup, args, opts);
}

/** {@link getCampaigns} with inputs: asks once they are known. */
export function getCampaignsOutput(
  args: LookupInputs<GetCampaignsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetCampaignsResult> {
  return lookUpOutput(campaignsLookup, args, opts);
}

/**
 * One campaign of an app, with the live values that `AdCampaign` does not keep.
 *
 * It is found in the list of campaigns, an assumed path (`campaign.list`); one that is not in it is an error. A deleted
 * one is found, with the status `REMOVED`.
 *
 * ```ts
 * const live = apps.getCampaignOutput({ appId: "app-1", campaignId: spring.id });
 * export const review = live.reviewStatus;
 * ```
 */
export function getCampaign(args: GetCampaignArgs, opts?: LookupOptions): Promise<Campaign> {
  return lookUp(campaignLookup, args, opts);
}

/** {@link getCampaign} with inputs: asks once they are known. */
export function getCampaignOutput(
  args: LookupInputs<GetCampaignArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<Campaign> {
  return lookUpOutput(campaignLookup, args, opts);
}
