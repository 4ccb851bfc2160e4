import { z } from "zod";
import type { Answer } from "../../service/operations";
import type { Service } from "../../service/client";
import { flag, identifier, oneOf, sized, text } from "../../arguments";
import { asListed, isPaused, type Known, nameKey, type Rewritten } from "./listing";
import type { Attempt } from "./protocol";
import type { Origin } from "../ownership";
import { webUrlProblem } from "../urls";

/* What a campaign is declared as, what is kept of it, and the ways between: to a launch, from the list to state. */

/** "Search themes: at most 10, each at most 80 characters." */
const mostSearchThemes = 10;
const longestSearchTheme = 80;

const filled = () => text().refine((value) => value.trim() !== "", "must not be empty");
const webUrl = () =>
  text().superRefine((url, context) => {
    const problem = webUrlProblem(url);
    if (problem !== undefined) context.addIssue(problem);
  });
const texts = () => z.array(filled(), "must be a list of texts");

export const inputs = z.strictObject({
  appId: identifier(),
  campaignName: filled(),
  campaignType: filled(),
  dailyBudgetMicros: z
    .int({
      error: (issue) =>
        issue.input === undefined ? "is required" : "must be a whole number of micros: 5000000 is 5 units of currency",
    })
    .positive("must be above 0"),
  landingPage: webUrl(),
  businessName: filled().optional(),
  keywordThemes: texts().optional(),
  searchThemes: z
    .array(sized(1, longestSearchTheme), "must be a list of texts")
    .max(mostSearchThemes, `must hold at most ${String(mostSearchThemes)} themes`)
    .optional(),
  geoTargets: texts().optional(),
  logoUrl: webUrl().optional(),
  phoneNumber: filled().optional(),
  timezone: text().refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin or UTC").optional(),
  extraFields: z
    .record(z.string(), z.unknown(), "must be an object of campaign fields")
    .superRefine((fields, context) => {
      for (const key of Object.keys(fields))
        if (argumentSpellings().has(key))
          context.addIssue({
            code: "custom",
            path: [key],
            params: { ofName: true },
            message: `shadows the argument ${camelCase(key)}: give it there`,
          });
    })
    .optional(),
  paused: flag().optional(),
  campaignId: identifier().optional(),
  deletionPolicy: oneOf(["delete", "pause", "retain"]).optional(),
});

export type Inputs = z.output<typeof inputs>;

export type Declared = Omit<Inputs, "campaignId">;

export interface State extends Declared {
  /** The service's id, used for every call. Unknown while the launch is unconfirmed. */
  campaignId?: string | undefined;
  platformCampaignId?: string | undefined;
  accountId?: string | undefined;
  accountCurrencyCode?: string | undefined;
  accountTimezone?: string | undefined;
  platformCustomerId?: string | undefined;
  createdDate?: string | undefined;
  launchState: "confirmed" | "unconfirmed";
  /** When an unconfirmed launch was sent. */
  launchAttemptedAt?: string | undefined;
  origin?: Origin | undefined;
  /** Live campaigns of its name that were set aside for this launch, so that none of them is taken for it. */
  setAside?: string[] | undefined;
  /** How the service wrote declared values right after the launch, where that is another way: no drift. */
  rewritten?: Rewritten | undefined;
  /** The answer to a pause or resume was lost: the next `up` reads before it sends. */
  pauseState?: "uncertain" | undefined;
  /** Other live campaigns of its name, found right after the launch: looked for again until they are gone. */
  twins?: string[] | undefined;
  /** Where it was launched, or the list in which it has been seen since, which makes its absence from it evidence. */
  readBy: string;
}

/** A campaign of which the service's id is known. */
export type Confirmed = State & { campaignId: string };

export function isConfirmed(state: State): state is Confirmed {
  return state.campaignId !== undefined;
}

type Account = Answer<"campaign.launch">["account"];

/** What state holds beside what the list shows. */
type Kept = Partial<Confirmed> & Pick<Confirmed, "origin" | "readBy">;

/** From wire to state. What is equal in meaning stays as it was declared, so that it shows no difference. */
export function stateOf(declared: Declared, campaign: Known, kept: Kept, account?: Account): Confirmed {
  return {
    ...asListed(declaredIn(declared), campaign, kept.rewritten),
    // Unset it is left alone: the service pauses a campaign itself until its tracking is wired.
    paused: declared.paused === undefined ? undefined : isPaused(campaign),
    campaignId: campaign.id,
    platformCampaignId: campaign.platform_campaign_id ?? kept.platformCampaignId,
    accountId: account?.id ?? kept.accountId,
    accountCurrencyCode: account?.currency_code ?? kept.accountCurrencyCode,
    accountTimezone: account?.timezone ?? kept.accountTimezone,
    platformCustomerId: account?.platform_customer_id ?? kept.platformCustomerId,
    createdDate: kept.createdDate ?? campaign.created_date ?? undefined,
    launchState: "confirmed",
    rewritten: kept.rewritten,
    origin: kept.origin,
    readBy: kept.readBy,
  };
}

/** The campaign as the list shows it; from then on its absence from the list is evidence. */
export function seen(
  declared: State | Inputs,
  campaign: Known,
  kept: Partial<Confirmed> & Pick<State, "origin">,
  service: Service,
): Confirmed {
  return stateOf(declared, campaign, { ...kept, readBy: service.endpoints.mark("campaign.list") });
}

/** A launch of which nobody knows whether it was carried out. */
export function unconfirmed(declared: Declared, attempt: Attempt, service: Service): State {
  return {
    ...declaredIn(declared),
    launchState: "unconfirmed",
    launchAttemptedAt: new Date(attempt.at).toISOString(),
    setAside: attempt.setAside.length === 0 ? undefined : attempt.setAside,
    readBy: service.endpoints.mark("campaign.launch"),
  };
}

/** Every argument, also those that are not given: what leaves the program must leave the state. */
export function declaredIn(from: Declared): Declared {
  return {
    appId: from.appId,
    campaignName: from.campaignName,
    campaignType: from.campaignType,
    dailyBudgetMicros: from.dailyBudgetMicros,
    landingPage: from.landingPage,
    businessName: from.businessName,
    keywordThemes: from.keywordThemes,
    searchThemes: from.searchThemes,
    geoTargets: from.geoTargets,
    logoUrl: from.logoUrl,
    phoneNumber: from.phoneNumber,
    timezone: from.timezone,
    extraFields: from.extraFields,
    paused: from.paused,
    deletionPolicy: from.deletionPolicy,
  };
}

/** Names a campaign; by its name while the service's id is not known. */
export function claimOf({ appId, campaignName, campaignId }: ClaimedBy): string {
  return campaignId === undefined
    ? `campaign "${nameKey(campaignName)}" of app ${appId}`
    : `campaign ${campaignId} of app ${appId}`;
}

type ClaimedBy = Pick<Declared, "appId" | "campaignName"> & { campaignId?: string | undefined };

/** The body of a launch: only what is declared. */
export function launchBody(declared: Declared): Record<string, unknown> {
  return {
    campaign: {
      ...declared.extraFields,
      campaign_name: declared.campaignName,
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

/** The specification says "a Performance Max type also exists" and does not show how it is spelled. */
export function isPerformanceMax(campaignType: string): boolean {
  return ["PERFORMANCEMAX", "PMAX"].includes(campaignType.toUpperCase().replace(/[^A-Z]/g, ""));
}

function isTimeZone(name: string): boolean {
  // Newer versions of Node take an offset such as +01:00 too, which is no name.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The names of the arguments, as the program and as the wire spell them. */
function argumentSpellings(): Set<string> {
  return new Set(Object.keys(inputs.shape).flatMap((name) => [name, snakeCase(name)]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
