import { z } from "zod";
import { campaignStatus } from "../provider/service/shapes";
import { checkEditor, checkReach } from "./app-access";
import { type CampaignStore, currencyCode } from "./campaign-store";
import type { Caller } from "./credentials";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";
import { isoTime, readBack } from "./times";
import type { Campaign } from "./types";
import { validated } from "./validation";

/** "Bounds (…) of the business-name length: not shown." */
const maxBusinessNameLength = 25;

const texts = z.array(z.string());

/** The input fields that are shown; "the complete list" is not, so others pass and are not stored. */
const campaignInput = z.object({
  campaign_name: z.string().min(1),
  campaign_type: z.string().min(1),
  daily_budget_micros: z.number(),
  landing_page: z.url({ protocol: /^https?$/ }),
  keyword_themes: texts.nullish(),
  business_name: z.string().nullish(),
  logo_url: z.string().nullish(),
  search_themes: texts.nullish(),
  geo_targets: texts.nullish(),
  phone_number: z.string().nullish(),
});
type CampaignInput = z.output<typeof campaignInput>;

const launch = z.object({
  campaign: campaignInput,
  timezone: z.string().refine(isTimezone, "Input should be an IANA time zone").nullish(),
});

export function campaignHandlers(store: CampaignStore, now: () => number): Handlers {
  const { objects } = store;

  /** Carries an action out on a campaign and names it, as the specification's States have it. */
  function act(parameters: CampaignPath, caller: Caller, status: string, action: string) {
    const { app_id, campaign_id } = parameters;
    checkEditor(app_id, caller, "campaigns");
    const campaign = objects.campaign(app_id, campaign_id);
    // What a campaign that is REMOVED answers is not shown: removal is permanent, so nothing is left to act on.
    if (campaign === undefined || campaign.status === campaignStatus.removed)
      throw refusal(404, "campaign_not_found", "There is no such campaign.");
    objects.changeCampaign(app_id, campaign_id, { status, updated_date: isoTime(now()) });
    return { status: action };
  }

  return {
    "campaign.launch": ({ parameters: { app_id }, caller, body }) => {
      const { campaign, timezone } = validated(launch, body);
      checkEditor(app_id, caller, "campaigns");
      checkInput(campaign);
      checkConditions(store, app_id);
      // "A record just created carries a Z suffix."
      return store.launch(app_id, fieldsOf(campaign), {
        name: campaign.business_name ?? campaign.campaign_name,
        timezone: timezone ?? "UTC",
      });
    },

    "campaign.list": ({ parameters: { app_id }, caller, isListed }) => {
      checkReach(app_id, caller);
      const listed = objects.campaigns(app_id).filter((campaign) => isListed(campaign.created_date));
      return { campaigns: listed.map(wire) };
    },

    "campaign.pause": ({ parameters, caller }) => act(parameters, caller, campaignStatus.paused, "paused"),

    // Also while tracking is pending: whether the service refuses that is not shown.
    "campaign.resume": ({ parameters, caller }) => act(parameters, caller, campaignStatus.enabled, "resumed"),

    // "REMOVED; permanent; still listed with past performance counted."
    "campaign.delete": ({ parameters, caller }) => act(parameters, caller, campaignStatus.removed, "deleted"),

    "campaign.readiness": ({ parameters: { app_id }, caller }) => {
      checkReach(app_id, caller);
      const { landingPage, paymentProvider } = store.conditions(app_id);
      return {
        landing_page: landingPage,
        currency_code: currencyCode,
        // Launch, rule 4: "the readiness read reports that as `payment_provider_unavailable`"; in which field is not shown.
        error: paymentProvider === "unreachable" ? paymentProviderUnavailable : null,
      };
    },
  };
}

interface CampaignPath {
  app_id: string;
  campaign_id: string;
}

/**
 * Launch, rule 2, "each failing with 400". Not checked: the budget's upper bounds, which are not shown, and the EU
 * declaration, whose field is not.
 */
function checkInput({ campaign_type, logo_url, daily_budget_micros, business_name }: CampaignInput): void {
  if (isPerformanceMax(campaign_type) && !logo_url)
    throw refusal(400, "logo_required", "A Performance Max campaign needs logo_url.");
  if (!Number.isInteger(daily_budget_micros) || daily_budget_micros <= 0)
    throw refusal(400, "budget_out_of_range", "The daily budget must be a positive whole number of micros.");
  if ((business_name ?? "").length > maxBusinessNameLength)
    throw refusal(400, "business_name_too_long", `At most ${String(maxBusinessNameLength)} characters.`);
}

/** "A Performance Max type also exists", whose spelling is not shown. */
function isPerformanceMax(campaignType: string): boolean {
  const letters = campaignType.toUpperCase().replace(/[^A-Z]/g, "");
  return letters === "PERFORMANCEMAX" || letters === "PMAX";
}

const paymentProviderUnavailable = "payment_provider_unavailable";

function checkConditions(store: CampaignStore, appId: string): void {
  const { billingHold, paymentProvider } = store.conditions(appId);
  if (billingHold) throw refusal(409, "billing_hold", "The workspace is on billing hold: fix billing, then retry.");
  // "Status code of the refusal when the payment provider is unreachable: not shown": that of a service which lacks for
  // a while what it depends on.
  if (paymentProvider === "unreachable")
    throw refusal(503, paymentProviderUnavailable, "The payment provider cannot be reached to confirm a card.");
}

function fieldsOf(input: CampaignInput): Partial<Campaign> {
  return {
    campaign_name: input.campaign_name,
    campaign_type: input.campaign_type,
    daily_budget_micros: input.daily_budget_micros,
    landing_page: input.landing_page,
    geo_targets: input.geo_targets ?? [],
    phone_number: input.phone_number ?? "",
  };
}

/** The campaign as it is read back. */
function wire(campaign: Campaign): Campaign {
  return {
    ...campaign,
    created_date: readBack(campaign.created_date),
    updated_date: readBack(campaign.updated_date),
    learning_ends_at: readBack(campaign.learning_ends_at),
  };
}

/** Remembered, because asking takes most of a launch's time. */
const knownTimezones = new Set<string>();

function isTimezone(name: string): boolean {
  if (knownTimezones.has(name)) return true;
  // Newer versions of Node also take offsets, which are no IANA names.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    knownTimezones.add(name);
    return true;
  } catch {
    return false;
  }
}
