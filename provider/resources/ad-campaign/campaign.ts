import { z } from "zod";
import { flag, identifier, oneOf, sized, text, webUrl } from "../../arguments";
import type { ServiceClient } from "../../service/client";
import { currencyCode, money } from "../../service/money";
import type { Answer } from "../../service/operations";
import type { Deployment } from "../shared/deployment";
import { everyArgument } from "../shared/lifecycle";
import type { Origin } from "../shared/ownership";
import { asListed, isPaused, type KnownCampaign, type ListedArguments, nameKey } from "./campaign-list";
import type { Attempt } from "./protocol";

/* The arguments and the state of a campaign, and the ways to a launch and from the list to state. */

export const kind = "AdCampaign";

const mostSearchThemes = 10;
const longestSearchTheme = 80;

const filled = () => text().refine((value) => value.trim() !== "", "must not be empty");
const texts = () => z.array(filled(), "must be a list of strings");

export const schema = z.strictObject({
  appId: identifier(),
  campaignName: filled(),
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
    .array(sized(1, longestSearchTheme), "must be a list of strings")
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
            message: `shadows the argument ${camelCase(key)}; give it there`,
          });
    })
    .optional(),
  paused: flag().optional(),
  campaignId: identifier().optional(),
  deletionPolicy: oneOf(["delete", "pause", "retain"]).optional(),
});

export type Inputs = z.output<typeof schema>;

/** A campaign cannot be changed in place: all arguments but these three replace it. */
const changedInPlace: readonly string[] = ["paused", "deletionPolicy", "timezone"];

export const replacing = (Object.keys(schema.shape) as (keyof Inputs)[]).filter((key) => !changedInPlace.includes(key));

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
  /** When the outcome of an unconfirmed launch became uncertain. The quarantine starts here. */
  launchAttemptedAt?: string | undefined;
  /** The same by the service's clock, if that was known. Not in states of 0.1.0. */
  launchServiceTime?: string | undefined;
  origin?: Origin | undefined;
  /** In ISO 8601. Not in states of 0.1.0. */
  adoptedAt?: string | undefined;
  /** Campaigns that commands ended before this launch: a slow list may still show them as live. */
  setAside?: string[] | undefined;
  /** How the service wrote declared values right after the launch, where that differs: not drift. */
  rewritten?: ListedArguments | undefined;
  /** The response to a pause or resume was lost: the next `up` reads before it sends. */
  pauseState?: "uncertain" | undefined;
  /** Other live campaigns of its name, found right after the launch: looked for again until they are gone. */
  twins?: string[] | undefined;
  /** The nonce of the launch intent under which it was launched. States of 0.1.0 and adopted campaigns have none. */
  intent?: string | undefined;
  /** Of an imported campaign: the arguments that the list does not show, until the program declares them. */
  notYetDeclared?: (keyof Inputs)[] | undefined;
  /** Where it was launched, or the list that has shown it since, which makes its absence from it evidence. */
  readBy: string;
}

/** A campaign whose service id is known. */
export type Confirmed = State & { campaignId: string };

export function isConfirmed(state: State): state is Confirmed {
  return state.campaignId !== undefined;
}

type Account = Answer<"campaign.launch">["account"];

/** What the state holds besides what the list shows. */
type Kept = Partial<Confirmed> & Pick<Confirmed, "origin" | "readBy">;

/** From wire to state. What is equal in meaning stays as it was declared, so that it shows no difference. */
export function toState(declared: Inputs, campaign: KnownCampaign, kept: Kept, account?: Account): Confirmed {
  return {
    ...asListed(everyArgument<Inputs, "campaignId">(schema, declared, "campaignId"), campaign, kept.rewritten),
    // Left out, it is left alone: the service pauses a campaign itself until its tracking is wired.
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
    intent: kept.intent,
    origin: kept.origin,
    adoptedAt: kept.adoptedAt,
    notYetDeclared: kept.notYetDeclared,
    readBy: kept.readBy,
  };
}

/** The campaign as the list shows it. From then on its absence from the list is evidence. */
export function toStateFromList(
  declared: Inputs,
  campaign: KnownCampaign,
  kept: Partial<Confirmed>,
  service: ServiceClient,
): Confirmed {
  return toState(declared, campaign, {
    ...kept,
    origin: kept.origin,
    readBy: service.endpoints.mark("campaign.list"),
  });
}

/** A launch that may or may not have been carried out. */
export function unconfirmedState(
  declared: Inputs,
  attempt: Attempt,
  intent: string | undefined,
  service: ServiceClient,
): State {
  return {
    ...everyArgument<Inputs, "campaignId">(schema, declared, "campaignId"),
    launchState: "unconfirmed",
    launchAttemptedAt: new Date(attempt.at).toISOString(),
    launchServiceTime: attempt.serviceAt === undefined ? undefined : new Date(attempt.serviceAt).toISOString(),
    setAside: attempt.setAside.length === 0 ? undefined : attempt.setAside,
    intent,
    readBy: service.endpoints.mark("campaign.launch"),
  };
}

/** The attempt of an unconfirmed launch. */
export function attemptOf(state: State, { clock }: Deployment): Attempt {
  const { launchAttemptedAt = "", launchServiceTime = "", setAside = [] } = state;
  return {
    at: Date.parse(launchAttemptedAt) || clock.now(),
    serviceAt: Date.parse(launchServiceTime) || undefined,
    setAside,
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

/** Names a campaign by its name, also where its id is known. */
export function declaredName({ appId, campaignName }: Pick<Address, "appId" | "campaignName">): string {
  return `campaign "${nameKey(campaignName)}" of app ${appId}`;
}

/**
 * One step at a time for a name. Of two launches in progress at once, neither could tell whose campaign a list shows. And a
 * campaign that is being deleted must not be found by another resource of that name.
 */
export function oneAtATime<T>(campaign: Address, { mutex }: Deployment, step: () => Promise<T>): Promise<T> {
  return mutex.run(declaredName(campaign), step);
}

type Address = Pick<Inputs, "appId" | "campaignName" | "campaignId">;

export type Identified = Pick<Confirmed, "appId" | "campaignId">;

/** `campaign "Spring sale" (app-shop, USD 5.00 a day)`, or `campaign cmp_1 (…)` once its id is known, for people. */
export function describeCampaign(campaign: Inputs & { accountCurrencyCode?: string | undefined }): string {
  const { campaignName, campaignId = `"${campaignName}"`, appId, dailyBudgetMicros, accountCurrencyCode } = campaign;
  return `campaign ${campaignId} (${appId}, ${money(dailyBudgetMicros, currencyCode(accountCurrencyCode))} a day)`;
}

/** The body of a launch: only what is declared. */
export function launchBody(declared: Inputs): Record<string, unknown> {
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

/** The names of the arguments, as the program and as the wire spell them. */
function argumentSpellings(): Set<string> {
  return new Set(Object.keys(schema.shape).flatMap((name) => [name, snakeCase(name)]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
