import { z } from "zod";
import { flag, identifier, oneOf, sized, text, webUrl } from "../../arguments";
import type { ServiceClient } from "../../service/client";
import { currencyCode, money } from "../../service/money";
import type { Answer } from "../../service/operations";
import { everyArgument } from "../shared/lifecycle";
import type { Origin } from "../shared/ownership";
import { asListed, isPaused, type WireCampaign } from "./campaign-list";
import { keyIn, keyPattern, launchArguments, normalizedName } from "./campaign-name";

/* The arguments and the state of a campaign, the body of a launch, and the way from the wire to state. */

export const kind = "AdCampaign";

export const deletionPolicies = ["delete", "pause", "retain"] as const;
export type DeletionPolicy = (typeof deletionPolicies)[number];

const maxSearchThemes = 10;
const maxSearchThemeLength = 80;

const filled = () => text().refine((value) => value.trim() !== "", "must not be empty");
const texts = () => z.array(filled(), "must be a list of strings");

export const schema = z.strictObject({
  appId: identifier(),
  // Left out, it is the resource's name.
  campaignName: filled().refine(
    (name) => keyIn(name) === undefined,
    "must not end like the name of a launched campaign (a hyphen and 12 hexadecimal digits). Leave the ending out",
  ),
  campaignType: filled(),
  dailyBudgetMicros: z
    .int({
      error: ({ input }) => {
        if (input === undefined) return "is required";
        const isText = typeof input === "string" ? ", not a string" : "";
        return `must be a whole number of micros${isText}: 5000000 is 5 units of currency`;
      },
    })
    .positive("must be above 0"),
  landingPage: webUrl(),
  businessName: filled().optional(),
  keywordThemes: texts().optional(),
  searchThemes: z
    .array(sized(1, maxSearchThemeLength), "must be a list of strings")
    .max(maxSearchThemes, `must hold at most ${String(maxSearchThemes)} themes`)
    .optional(),
  geoTargets: texts().optional(),
  logoUrl: webUrl().optional(),
  phoneNumber: filled().optional(),
  timezone: text().refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin or UTC").optional(),
  extraFields: z
    .record(z.string(), z.unknown(), "must be an object of campaign fields")
    .superRefine((fields, context) => {
      for (const key of Object.keys(fields))
        if (Object.hasOwn(schema.shape, camelCase(key)))
          context.addIssue({
            code: "custom",
            path: [key],
            params: { ofName: true },
            message: `shadows the argument ${camelCase(key)}; give it there`,
          });
    })
    .optional(),
  paused: flag().optional(),
  campaignId: identifier().optional(),
  deletionPolicy: oneOf(deletionPolicies).optional(),
  /** The id of the launch intent, its key. Node's classes give it themselves. */
  launchIntent: text().regex(keyPattern, "must be the id of a LaunchIntent of the program").optional(),
});

export type Inputs = z.output<typeof schema>;

/** A campaign cannot be changed in place: these arguments replace it. */
export const replacing = [...launchArguments, "campaignId"] as const;

/**
 * Who paused a campaign, as far as is known. Left out: it has been seen `ENABLED`.
 * - `us`: the service confirmed a pause of this package.
 * - `service`: listed as paused before it was ever seen `ENABLED`; the service may enable it by itself.
 * - `other`: somebody else, after it was seen `ENABLED`.
 * - `unknown`: a pause or resume of this package was sent and not confirmed.
 */
export type PausedBy = "us" | "service" | "other" | "unknown";

export interface State extends Inputs {
  /** The service's id, used for every call. Unknown while the launch is unconfirmed. */
  campaignId?: string | undefined;
  platformCampaignId?: string | undefined;
  accountId?: string | undefined;
  accountCurrencyCode?: string | undefined;
  accountTimezone?: string | undefined;
  platformCustomerId?: string | undefined;
  createdDate?: string | undefined;
  launchState: "confirmed" | "unconfirmed";
  /** The name that the service has. */
  launchedName?: string | undefined;
  /** When the outcome of an unconfirmed launch became uncertain, by the service's clock where it is known. */
  launchAttemptedAt?: string | undefined;
  origin?: Origin | undefined;
  pausedBy?: PausedBy | undefined;
  /** Every app of its launch intent. */
  apps?: readonly string[] | undefined;
  /** Other live campaigns of its key, which the next `up` deletes or pauses. */
  duplicates?: string[] | undefined;
  /** Those that this package paused, by the policy "pause". */
  pausedDuplicates?: string[] | undefined;
  /** The credential and the list that have shown it, or would have. */
  readBy: string;
}

/** A campaign whose service id is known. */
export type Confirmed = State & { campaignId: string };

export function isConfirmed(state: State): state is Confirmed {
  return state.campaignId !== undefined;
}

/** From wire to state, with the values that were sent. `kept`: what the state holds besides what the list shows. */
export function toState(
  declared: Inputs,
  campaign: WireCampaign,
  kept: Partial<Confirmed> & Pick<Confirmed, "readBy">,
): Confirmed {
  const pausedBy = nextPausedBy(kept.pausedBy, isPaused(campaign));
  return {
    ...kept,
    ...everyArgument<Inputs, "campaignId">(schema, declared, "campaignId"),
    paused: shownPaused(declared.paused, pausedBy),
    pausedBy,
    campaignId: campaign.id,
    launchedName: campaign.campaign_name ?? kept.launchedName,
    platformCampaignId: campaign.platform_campaign_id ?? kept.platformCampaignId,
    createdDate: kept.createdDate ?? campaign.created_date ?? undefined,
    launchState: "confirmed",
    launchAttemptedAt: undefined,
    duplicates: undefined,
  };
}

/** The outputs that only a launch returns. */
export function accountOutputs(account: Answer<"campaign.launch">["account"]): Partial<Confirmed> {
  return {
    accountId: account?.id ?? undefined,
    accountCurrencyCode: account?.currency_code ?? undefined,
    accountTimezone: account?.timezone ?? undefined,
    platformCustomerId: account?.platform_customer_id ?? undefined,
  };
}

/** Who paused a campaign, by what was known and the status of now. */
function nextPausedBy(known: PausedBy | undefined, isPausedNow: boolean | undefined): PausedBy | undefined {
  if (isPausedNow === undefined) return known;
  if (!isPausedNow) return undefined;
  return known ?? "other";
}

/** `paused` as the state shows it. If it is not declared, the campaign is left alone. */
export function shownPaused(declared: boolean | undefined, by: PausedBy | undefined): boolean | undefined {
  return declared === undefined ? undefined : by === "us" || by === "other";
}

/**
 * The campaign as the list shows it. Values that are equal in meaning stay as declared, so that they show no difference. From
 * then on, its absence from the list is evidence.
 */
export function toStateFromList(
  declared: Inputs,
  campaign: WireCampaign,
  kept: Partial<Confirmed>,
  service: ServiceClient,
): Confirmed {
  const readBy = service.endpoints.readBy("campaign.list", kept.readBy);
  return toState(asListed(declared, campaign), campaign, { ...kept, readBy });
}

/** A launch that may or may not have been carried out. `attemptedAt`: when that became uncertain. */
export function unconfirmedState(
  declared: Inputs,
  attemptedAt: number,
  kept: Pick<State, "launchedName" | "apps" | "readBy">,
): State {
  return {
    ...everyArgument<Inputs, "campaignId">(schema, declared, "campaignId"),
    launchState: "unconfirmed",
    launchAttemptedAt: new Date(attemptedAt).toISOString(),
    ...kept,
  };
}

/** Names a campaign; by its name while the service's id is not known. */
export function objectName(campaign: Address): string {
  const { appId, campaignId } = campaign;
  return campaignId === undefined ? declaredName(campaign) : identifiedName({ appId, campaignId });
}

/** Names a campaign by the service's id. */
export function identifiedName({ appId, campaignId }: Identified): string {
  return `campaign ${campaignId} of app ${appId}`;
}

/** Names a campaign by its name, even if its id is known. */
export function declaredName({ appId, campaignName }: Pick<Address, "appId" | "campaignName">): string {
  return `campaign "${normalizedName(campaignName)}" of app ${appId}`;
}

type Address = Pick<Inputs, "appId" | "campaignName" | "campaignId">;

export type Identified = Pick<Confirmed, "appId" | "campaignId">;

/** `campaign "Spring sale" (app-shop, USD 5.00 a day)`, or `campaign cmp_1 (…)` once its id is known, for people. */
export function describeCampaign(campaign: Inputs & { accountCurrencyCode?: string | undefined }): string {
  const { campaignName, campaignId = `"${campaignName}"`, appId, dailyBudgetMicros, accountCurrencyCode } = campaign;
  return `campaign ${campaignId} (${appId}, ${money(dailyBudgetMicros, currencyCode(accountCurrencyCode))} a day)`;
}

/** The body of a launch: only what is declared, under the name of the launch. */
export function launchBody(declared: Inputs, name: string): Record<string, unknown> {
  return {
    campaign: {
      ...declared.extraFields,
      campaign_name: name,
      campaign_type: declared.campaignType,
      daily_budget_micros: declared.dailyBudgetMicros,
      landing_page: declared.landingPage,
      business_name: declared.businessName,
      keyword_themes: declared.keywordThemes,
      search_themes: declared.searchThemes,
      geo_targets: declared.geoTargets,
      logo_url: declared.logoUrl,
      phone_number: declared.phoneNumber,
    },
    timezone: declared.timezone,
  };
}

function isTimeZone(name: string): boolean {
  // Newer versions of Node take an offset such as +01:00 too, which is not a name.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
