import { campaignStatus } from "../provider/service/shapes";
import { justLaunched, liveFieldsOf, moveOn, trackingPendingReasons } from "./campaign-life";
import { isoTime } from "./times";
import type {
  AdvertisingAccount,
  AdvertisingControls,
  Campaign,
  CampaignObjects,
  PaymentProvider,
  SimulatorOptions,
} from "./types";

/** "Derived by the service; not a request field": from what is not shown. */
export const currencyCode = "USD";

/** What a launch depends on besides its request. */
interface LaunchConditions {
  paymentProvider: PaymentProvider;
  billingHold: boolean;
  landingPage: string | null;
}

export interface CampaignStore {
  objects: CampaignObjects;
  controls: AdvertisingControls;
  conditions: (appId: string) => LaunchConditions;
  launch: (appId: string, fields: Partial<Campaign>, account: AccountWishes) => Launch;
  all: () => Record<string, Campaign[]>;
}

/** Heard only while the app has no account yet. */
interface AccountWishes {
  name: string;
  timezone: string;
}

interface Launch {
  account: AdvertisingAccount;
  campaign: Campaign;
}

/** The campaigns and advertising accounts of all apps. What it gives out are copies. */
export function openCampaignStore(options: SimulatorOptions, now: () => number): CampaignStore {
  const byApp = new Map<string, Map<string, Campaign>>();
  /** Kept apart from the campaigns, so that one dropped or replaced since still counts. */
  const launched: { appId: string; campaign: Campaign }[] = [];
  const accounts = new Map<string, AdvertisingAccount>();
  /** Those whose pause ends with the verification of the app's tracking. */
  const awaitingTracking = new Set<Campaign>();
  const usedIds = new Set<string>();
  let created = 0;

  const verified = new Set<string>();
  const landingPages = new Map(Object.entries(options.landingPages ?? {}));
  let paymentProvider = options.paymentProvider ?? "reachable";
  let billingHold = options.billingHold ?? false;

  function seen(campaign: Campaign): Campaign {
    moveOn(campaign, now());
    return copyOf(campaign);
  }

  const campaignsOf = (appId: string) => [...(byApp.get(appId)?.values() ?? [])].map(seen);

  function put(appId: string, fields: Partial<Campaign>): Campaign {
    // An id that was put by hand is never given again.
    do created++;
    while (usedIds.has(`cmp_${String(created)}`));
    const live = fields.status === undefined ? {} : liveFieldsOf(fields.status);
    const campaign = copyOf({ ...justLaunched(created, now()), ...live, ...fields });
    usedIds.add(campaign.id);
    const present = byApp.get(appId) ?? new Map<string, Campaign>();
    byApp.set(appId, present.set(campaign.id, campaign));
    return campaign;
  }

  /** Any change of the status, a pause too, ends the wait for tracking: it is then the caller's. */
  function change(campaign: Campaign, fields: Partial<Campaign>): void {
    if (fields.status !== undefined) awaitingTracking.delete(campaign);
    const live = fields.status === undefined ? {} : liveFieldsOf(fields.status);
    Object.assign(campaign, copyOf({ ...campaign, ...live, ...fields }));
  }

  function accountOf(appId: string, { name, timezone }: AccountWishes): AdvertisingAccount {
    const present = accounts.get(appId);
    if (present !== undefined) return present;
    const account = newAccount(accounts.size + 1, name, timezone);
    accounts.set(appId, account);
    return account;
  }

  return {
    objects: {
      campaigns: (appId) => (appId === undefined ? [...byApp.keys()].flatMap(campaignsOf) : campaignsOf(appId)),

      campaign: (appId, id) => {
        const campaign = byApp.get(appId)?.get(id);
        return campaign && seen(campaign);
      },

      putCampaign: (appId, fields = {}) => seen(put(appId, fields)),

      changeCampaign: (appId, id, fields) => {
        const campaign = byApp.get(appId)?.get(id);
        if (campaign === undefined) throw new Error(`App ${appId} has no campaign ${id}.`);
        change(campaign, fields);
        return seen(campaign);
      },

      removeCampaign: (appId, id) => byApp.get(appId)?.delete(id) ?? false,

      launches: (appId) =>
        launched
          .filter((launch) => appId === undefined || launch.appId === appId)
          .map(({ campaign }) => seen(campaign)),

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

    controls: {
      trackingVerified: (appId) => {
        verified.add(appId);
        for (const campaign of byApp.get(appId)?.values() ?? [])
          if (awaitingTracking.has(campaign))
            change(campaign, { status: campaignStatus.enabled, updated_date: isoTime(now()) });
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

    conditions: (appId) => ({ paymentProvider, billingHold, landingPage: landingPages.get(appId) ?? null }),

    launch: (appId, fields, wishes) => {
      const account = accountOf(appId, wishes);
      // "Paused when conversion tracking is not yet wired."
      const waits = options.tracking === "pending" && !verified.has(appId);
      const paused = { status: campaignStatus.paused, primary_status_reasons: trackingPendingReasons };
      const campaign = put(appId, waits ? { ...fields, ...paused } : fields);
      if (waits) awaitingTracking.add(campaign);
      launched.push({ appId, campaign });
      return { account: { ...account }, campaign: seen(campaign) };
    },

    all: () => Object.fromEntries([...byApp.keys()].map((appId) => [appId, campaignsOf(appId)])),
  };
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
