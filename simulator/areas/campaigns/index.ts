import { z } from "zod";
import { campaignStatus, isPerformanceMax } from "../../../provider/service/shapes";
import { checkEditor, checkReach } from "../../app-access";
import type { Area } from "../../area";
import { id, ofApp, route, time } from "../../control/route";
import type { Caller } from "../../credentials";
import { byName, listBy } from "../../exported";
import type { Handlers } from "../../handler";
import { refusal } from "../../refusal";
import { isoTime, readBack } from "../../times";
import type { AdvertisingAccount, Campaign, SimulatorOptions } from "../../types";
import { validated } from "../../validation";
import { type CampaignStore, currencyCode, openStore } from "./store";

/** "Bounds (…) of the business-name length: not shown." */
const maxBusinessNameLength = 25;

const texts = z.array(z.string());

/** The input fields that the specification shows. It may have others, so they are accepted but not stored. */
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

function handlersOf(store: CampaignStore, options: SimulatorOptions, now: () => number): Handlers {
  const { objects } = store;

  /** Carries out an action on a campaign and returns its name, as the specification's States say. */
  function act(parameters: CampaignPath, caller: Caller, status: string, action: string) {
    const { app_id, campaign_id } = parameters;
    checkEditor(app_id, caller, "campaigns");
    const campaign = objects.campaign(app_id, campaign_id);
    const isRemoved = campaign?.status === campaignStatus.removed;
    // Only 200, 403 and 409 are shown for a deletion, and a deleted campaign can be deleted from "any" status.
    if (isRemoved && status === campaignStatus.removed) return { status: action };
    // Removal is permanent, so nothing is left to pause or resume. The response is assumed, as for an unknown campaign.
    if (campaign === undefined || isRemoved) throw refusal(404, "campaign_not_found", "There is no such campaign.");
    objects.changeCampaign(app_id, campaign_id, { status, updated_date: isoTime(now()) });
    return { status: action };
  }

  return {
    "campaign.launch": ({ parameters: { app_id }, caller, body }) => {
      const { campaign, timezone } = validated(launch, body);
      checkEditor(app_id, caller, "campaigns");
      checkInput(campaign);
      if (options.otherLandingPages !== "accepted") checkLandingPage(store, app_id, campaign);
      checkConditions(store, app_id);
      const account = store.openAccount(app_id, {
        name: campaign.business_name ?? campaign.campaign_name,
        timezone: timezone ?? "UTC",
      });
      checkAdPlatform(store, app_id);
      // "A record just created carries a Z suffix."
      return { account, campaign: store.launch(app_id, fieldsOf(campaign)) };
    },

    "campaign.list": ({ parameters: { app_id }, caller, isListed }) => {
      checkReach(app_id, caller);
      const listed = objects.campaigns(app_id).filter((campaign) => isListed(campaign.created_date));
      return { campaigns: listed.map(wire) };
    },

    "campaign.pause": ({ parameters, caller }) => act(parameters, caller, campaignStatus.paused, "paused"),

    // Even while tracking is pending: the specification does not say that the service refuses it.
    "campaign.resume": ({ parameters, caller }) => act(parameters, caller, campaignStatus.enabled, "resumed"),

    // "REMOVED; permanent; still listed with past performance counted."
    "campaign.delete": ({ parameters, caller }) => act(parameters, caller, campaignStatus.removed, "deleted"),

    "campaign.readiness": ({ parameters: { app_id }, caller }) => {
      checkReach(app_id, caller);
      const { landingPage, paymentProvider } = store.conditions(app_id);
      return {
        landing_page: landingPage,
        currency_code: currencyCode,
        // Launch, rule 4: "the readiness read reports that as `payment_provider_unavailable`". The field is assumed.
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
 * Launch, rule 2, "each failing with 400". Not checked, because not shown: the budget's upper bounds, and the field of
 * the EU declaration.
 */
function checkInput({ campaign_type, logo_url, daily_budget_micros, business_name }: CampaignInput): void {
  if (isPerformanceMax(campaign_type) && !logo_url)
    throw refusal(400, "logo_required", "A Performance Max campaign needs logo_url.");
  if (!Number.isInteger(daily_budget_micros) || daily_budget_micros <= 0)
    throw refusal(400, "budget_out_of_range", "The daily budget must be a positive whole number of micros.");
  if ((business_name ?? "").length > maxBusinessNameLength)
    throw refusal(400, "business_name_too_long", `At most ${String(maxBusinessNameLength)} characters.`);
}

/** Launch, rule 1: "send back the landing_page returned by the launch-readiness read". The refusal is assumed. */
function checkLandingPage(store: CampaignStore, appId: string, { landing_page }: CampaignInput): void {
  const { landingPage } = store.conditions(appId);
  if (landingPage !== null && landing_page !== landingPage)
    throw refusal(400, "landing_page_mismatch", "The landing page is not the one that launch readiness returns.");
}

/** Launch, rule 3: "fails after the account exists". The status is assumed. */
function checkAdPlatform(store: CampaignStore, appId: string): void {
  if (store.conditions(appId).adPlatform === "refusing")
    throw refusal(400, "ad_platform_refused", "The ad platform refused the campaign: the logo could not be fetched.");
}

const paymentProviderUnavailable = "payment_provider_unavailable";

function checkConditions(store: CampaignStore, appId: string): void {
  const { billingHold, paymentProvider } = store.conditions(appId);
  if (billingHold) throw refusal(409, "billing_hold", "The workspace is on billing hold: fix billing, then retry.");
  // "Status code of the refusal when the payment provider is unreachable: not shown." Assumed: 503.
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

/** The campaign as read back. */
function wire(campaign: Campaign): Campaign {
  return {
    ...campaign,
    created_date: readBack(campaign.created_date),
    updated_date: readBack(campaign.updated_date),
    learning_ends_at: readBack(campaign.learning_ends_at),
  };
}

/** Cached, because the check takes most of a launch's time. */
const knownTimezones = new Set<string>();

function isTimezone(name: string): boolean {
  if (knownTimezones.has(name)) return true;
  // Newer versions of Node also accept offsets, which are not IANA names.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    knownTimezones.add(name);
    return true;
  } catch {
    return false;
  }
}

const campaignShape = z.strictObject({
  id,
  platform_campaign_id: z.string(),
  campaign_name: z.string(),
  campaign_type: z.string(),
  status: z.string(),
  daily_budget_micros: z.int().positive(),
  landing_page: z.string(),
  geo_targets: texts,
  phone_number: z.string(),
  review_status: z.string(),
  serving_status: z.string(),
  primary_status: z.string(),
  primary_status_reasons: texts,
  created_date: time,
  updated_date: time,
  learning_ends_at: time,
});

const campaignFields: z.ZodType<Partial<Omit<Campaign, "id">>> = campaignShape.omit({ id: true }).exactPartial();

const accountFields: z.ZodType<Partial<AdvertisingAccount>> = z
  .strictObject({
    id: z.string(),
    status: z.string(),
    account_name: z.string(),
    currency_code: z.string(),
    timezone: z.string(),
    platform_customer_id: z.string(),
  })
  .exactPartial();

export const campaigns = {
  open: ({ options, now }) => {
    const store = openStore(options, now);
    const { objects, advertising, snapshot, restore } = store;
    return { objects, handlers: handlersOf(store, options, now), snapshot, restore, controls: { advertising } };
  },
  exported: { campaigns: byName(listBy((campaign: Campaign) => campaign.id, campaignShape)) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/campaigns",
      description:
        "Changes a campaign without Pulumi, or adds it without a launch. Without `campaignId`, it gets a new id.",
      input: ofApp.extend({ campaignId: id.optional(), fields: campaignFields }),
      examples: [{ appId: "a", campaignId: "c", fields: { status: "PAUSED" } }],
      handle: ({ objects }, { appId, campaignId, fields }) => {
        if (campaignId === undefined) return objects.putCampaign(appId, fields);
        return objects.campaign(appId, campaignId) === undefined
          ? objects.putCampaign(appId, { ...fields, id: campaignId })
          : objects.changeCampaign(appId, campaignId, fields);
      },
    }),
    route({
      endpoint: "DELETE objects/campaigns",
      description: "Removes a campaign from the list. (A deletion through the service keeps it there as `REMOVED`.)",
      input: ofApp.extend({ campaignId: id }),
      examples: [{ appId: "a", campaignId: "c" }],
      handle: ({ objects }, { appId, campaignId }) => ({ removed: objects.removeCampaign(appId, campaignId) }),
    }),
    route({
      endpoint: "GET launches",
      description:
        "Returns every campaign that a launch request created, even if it was deleted or removed later. Without `appId`, of all apps.",
      input: ofApp.partial(),
      examples: [{ appId: "a" }],
      handle: ({ objects }, { appId }) => ({ launches: objects.launches(appId) }),
    }),
    route({
      endpoint: "GET spending",
      description:
        "Returns what each campaign has spent so far, by the simulator's clock, in units of the currency. The simulator's own invention: the whole daily budget at the start of each 24 hours.",
      handle: ({ objects }) => ({ campaigns: objects.spending() }),
    }),
    route({
      endpoint: "PUT advertising",
      description:
        'Sets what launches depend on, any of three. At the start, `paymentProvider` is `"reachable"`, `billingHold` is false and `adPlatform` is `"accepting"`. While it is `"refusing"`, a launch creates the account and then fails.',
      input: z.strictObject({
        paymentProvider: z.enum(["reachable", "unreachable"]).optional(),
        billingHold: z.boolean().optional(),
        adPlatform: z.enum(["accepting", "refusing"]).optional(),
      }),
      examples: [{ paymentProvider: "unreachable", billingHold: true }, { adPlatform: "refusing" }],
      handle: ({ advertising }, { paymentProvider, billingHold, adPlatform }) => {
        if (paymentProvider !== undefined) advertising.setPaymentProvider(paymentProvider);
        if (billingHold !== undefined) advertising.setBillingHold(billingHold);
        if (adPlatform !== undefined) advertising.setAdPlatform(adPlatform);
      },
    }),
    route({
      endpoint: "PUT advertising/landing-pages",
      description:
        "Sets the landing page that launch readiness returns for the app, and that a launch must send. Null removes it.",
      input: ofApp.extend({ landingPage: id.nullable() }),
      examples: [{ appId: "a", landingPage: "https://example.com/" }],
      handle: ({ advertising }, { appId, landingPage }) => {
        advertising.setLandingPage(appId, landingPage);
      },
    }),
    route({
      endpoint: "PUT advertising/accounts",
      description: "Creates the app's advertising account without a launch, or changes it. `fields` is optional.",
      input: ofApp.extend({ fields: accountFields.optional() }),
      examples: [{ appId: "a", fields: { timezone: "Europe/Zurich" } }],
      handle: ({ objects }, { appId, fields }) => objects.putAdvertisingAccount(appId, fields),
    }),
    route({
      endpoint: "POST advertising/tracking",
      description: "Marks the app's conversion tracking as verified. Campaigns that waited for it are enabled.",
      input: ofApp,
      examples: [{ appId: "a" }],
      handle: ({ advertising }, { appId }) => {
        advertising.trackingVerified(appId);
      },
    }),
  ],
} satisfies Area;
