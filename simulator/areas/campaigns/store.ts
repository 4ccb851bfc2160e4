import { campaignStatus } from "../../../provider/service/shapes";
import { Collection, MissingObjectError } from "../../collection";
import { isoTime } from "../../times";
import type {
  AdPlatform,
  AdvertisingAccount,
  AdvertisingControls,
  AllObjects,
  Campaign,
  CampaignObjects,
  PaymentProvider,
  SimulatorOptions,
} from "../../types";
import { advance, liveFieldsOf, newCampaign, trackingPendingReasons } from "./live-status";
import { Meter } from "./spending";

/** "Derived by the service; not a request field." How is not shown. */
export const currencyCode = "USD";

/** The conditions that a launch depends on besides its request. */
interface LaunchConditions {
  paymentProvider: PaymentProvider;
  billingHold: boolean;
  landingPage: string | null;
  adPlatform: AdPlatform;
}

export interface CampaignStore {
  objects: CampaignObjects;
  advertising: AdvertisingControls;
  conditions: (appId: string) => LaunchConditions;
  /** Creates the app's account if it has none. */
  openAccount: (appId: string, account: NewAccount) => AdvertisingAccount;
  launch: (appId: string, fields: Partial<Campaign>) => Campaign;
  snapshot: () => { campaigns: Record<string, Campaign[]> };
  restore: (objects: AllObjects) => void;
}

/** Used only if the app has no account yet. */
interface NewAccount {
  name: string;
  timezone: string;
}

/** The campaigns and advertising accounts of all apps. All returned objects are copies. */
export function openStore(options: SimulatorOptions, now: () => number): CampaignStore {
  const stored = new Collection<Campaign>();
  /** Separate from the stored campaigns, because one that was removed or replaced still counts. */
  const launched: { appId: string; campaign: Campaign }[] = [];
  const accounts = new Map<string, AdvertisingAccount>();
  const meters = new WeakMap<Campaign, Meter>();
  /** IDs of the service and of the ad platform. */
  const usedIds = new Set<string>();
  let created = 0;

  const verifiedApps = new Set<string>();
  const landingPages = new Map(Object.entries(options.landingPages ?? {}));
  let paymentProvider = options.paymentProvider ?? "reachable";
  let billingHold = options.billingHold ?? false;
  let adPlatform = options.adPlatform ?? "accepting";

  function upToDate(campaign: Campaign): Campaign {
    advance(campaign, now());
    return copyOf(campaign);
  }

  function spentOn(campaign: Campaign): number {
    const meter = meters.get(campaign) ?? new Meter(campaign);
    meters.set(campaign, meter);
    return meter.spentUntil(now(), campaign);
  }

  /** Skips ids that a test or an import used. */
  function nextCampaign(): Campaign {
    let campaign: Campaign;
    do campaign = newCampaign(++created, now());
    while (usedIds.has(campaign.id) || usedIds.has(campaign.platform_campaign_id));
    return campaign;
  }

  function put(appId: string, fields: Partial<Campaign>): Campaign {
    const live = fields.status === undefined ? {} : liveFieldsOf(fields.status);
    const campaign = copyOf({ ...nextCampaign(), ...live, ...fields });
    usedIds.add(campaign.id).add(campaign.platform_campaign_id);
    stored.set(appId, campaign.id, campaign);
    spentOn(campaign);
    return campaign;
  }

  /** Any change of the status ends the wait for tracking, even a pause: the live fields then say whose it is. */
  function change(campaign: Campaign, fields: Partial<Campaign>): void {
    spentOn(campaign);
    const live = fields.status === undefined ? {} : liveFieldsOf(fields.status);
    Object.assign(campaign, copyOf({ ...campaign, ...live, ...fields }));
  }

  function accountOf(appId: string, { name, timezone }: NewAccount): AdvertisingAccount {
    const present = accounts.get(appId);
    if (present !== undefined) return present;
    const account = newAccount(accounts.size + 1, name, timezone);
    accounts.set(appId, account);
    return account;
  }

  return {
    objects: {
      campaigns: (appId) => stored.list(appId).map(upToDate),

      campaign: (appId, campaignId) => {
        const campaign = stored.get(appId, campaignId);
        return campaign && upToDate(campaign);
      },

      putCampaign: (appId, fields = {}) => upToDate(put(appId, fields)),

      changeCampaign: (appId, campaignId, fields) => {
        const campaign = stored.get(appId, campaignId);
        if (campaign === undefined) throw new MissingObjectError(`App ${appId} has no campaign ${campaignId}.`);
        change(campaign, fields);
        return upToDate(campaign);
      },

      removeCampaign: (appId, campaignId) => stored.delete(appId, campaignId),

      launches: (appId) =>
        launched
          .filter((launch) => appId === undefined || launch.appId === appId)
          .map(({ campaign }) => upToDate(campaign)),

      spending: () =>
        Object.entries(stored.byOwner((campaign) => campaign)).flatMap(([appId, campaigns]) =>
          campaigns.map((campaign) => ({
            appId,
            campaignId: campaign.id,
            currency: accounts.get(appId)?.currency_code ?? currencyCode,
            dailyBudget: campaign.daily_budget_micros / micros,
            spent: spentOn(campaign) / micros,
          })),
        ),

      advertisingAccount: (appId) => {
        const account = accounts.get(appId);
        return account && { ...account };
      },

      putAdvertisingAccount: (appId, fields = {}) => {
        const account = { ...accountOf(appId, { name: "Account", timezone: "UTC" }), ...fields };
        accounts.set(appId, account);
        return { ...account };
      },
    },

    advertising: {
      trackingVerified: (appId) => {
        verifiedApps.add(appId);
        for (const campaign of stored.list(appId))
          if (awaitsTracking(campaign))
            change(campaign, { status: campaignStatus.enabled, updated_date: isoTime(now()) });
      },
      setAdPlatform: (state) => {
        adPlatform = state;
      },
      setPaymentProvider: (state) => {
        paymentProvider = state;
      },
      setBillingHold: (onHold) => {
        billingHold = onHold;
      },
      setLandingPage: (appId, landingPage) => {
        if (landingPage === null) landingPages.delete(appId);
        else landingPages.set(appId, landingPage);
      },
    },

    conditions: (appId) => ({ paymentProvider, billingHold, adPlatform, landingPage: landingPages.get(appId) ?? null }),

    openAccount: (appId, forNewAccount) => ({ ...accountOf(appId, forNewAccount) }),

    launch: (appId, fields) => {
      // "Paused when conversion tracking is not yet wired."
      const waits = options.tracking === "pending" && !verifiedApps.has(appId);
      const paused = { status: campaignStatus.paused, primary_status_reasons: trackingPendingReasons };
      const campaign = put(appId, waits ? { ...fields, ...paused } : fields);
      launched.push({ appId, campaign });
      return upToDate(campaign);
    },

    snapshot: () => ({ campaigns: stored.byOwner(upToDate) }),

    restore: ({ campaigns }) => {
      stored.replaceAll(campaigns, (campaign) => campaign.id);
      for (const campaign of stored.list()) usedIds.add(campaign.id).add(campaign.platform_campaign_id);
    },
  };
}

const micros = 1_000_000;

/** Whether the service holds it: it was launched while tracking was pending, and nobody has paused it since. */
function awaitsTracking({ status, primary_status_reasons: reasons }: Campaign): boolean {
  return status === campaignStatus.paused && trackingPendingReasons.every((reason) => reasons.includes(reason));
}

function copyOf(campaign: Campaign): Campaign {
  return {
    ...campaign,
    geo_targets: [...campaign.geo_targets],
    primary_status_reasons: [...campaign.primary_status_reasons],
  };
}

function newAccount(number: number, name: string, timezone: string): AdvertisingAccount {
  return {
    id: `acc_${String(number)}`,
    status: "ACTIVE",
    account_name: name,
    currency_code: currencyCode,
    timezone,
    platform_customer_id: String(7_000_000_000 + number),
  };
}
