import { isRemoved, listCampaigns, type ListedCampaign } from "../../service/campaigns";
import { isInterruption, type Moment, unlessInterrupted } from "../../service/clock";
import { knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { campaignStatus, filled } from "../../service/shapes";
import { sameSet, sameUrl } from "../shared/compare";
import type { Deployment } from "../shared/deployment";

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

/** What a read of the list brings. */
type ListOutcome = Moment &
  ({ is: "listed"; match: Match } | { is: "unreadable"; why: ReturnType<typeof unreadableList> });

/** Reads the list and looks for a campaign in it. The list shows what was there when its read began, `at`. */
export async function lookFor(
  appId: string,
  deployment: Deployment,
  freshness: Freshness,
  matchIn: (rows: ListedCampaign[], began: Moment) => Match,
): Promise<ListOutcome> {
  const { clock, service } = deployment;
  const at = clock.now();
  try {
    const rows = await readCampaigns(appId, deployment, freshness);
    const began = service.momentAt(at);
    return { is: "listed", ...began, match: matchIn(rows, began) };
  } catch (error) {
    if (isInterruption(clock, error)) throw error;
    return { is: "unreadable", ...service.momentAt(at), why: unreadableList(error, deployment) };
  }
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

/** What a complete list shows of the declared campaign. */
export type Match =
  | { is: "none" }
  | { is: "one"; campaign: ListedCampaign }
  /** Live campaigns of its name that may not be it. */
  | { is: "unclear"; campaigns: ListedCampaign[]; why: string };

/**
 * Step 2 of the protocol. One live campaign of the same name, none of whose listed values differs, is the declared one,
 * unless something speaks against it. Everything else of that name is for a person to decide.
 */
export function findDeclared(
  rows: readonly ListedCampaign[],
  declared: ListedValues,
  objectionTo: (row: ListedCampaign) => string | undefined = () => undefined,
): Match {
  const campaigns = liveCampaigns(rows).filter((row) => sameName(row.campaign_name, declared.campaignName));
  const [first, ...others] = campaigns;
  if (first === undefined) return { is: "none" };
  if (others.length === 0 && differingValues(first, declared).length === 0 && objectionTo(first) === undefined)
    return { is: "one", campaign: first };
  const why = campaigns.map((row) => describe(row, differingValues(row, declared), objectionTo(row))).join("; ");
  return { is: "unclear", campaigns, why };
}

/** Clocks of the service and of the machines that run commands may differ by this much. */
const clockTolerance = 10 * 60_000;

/** Why a campaign cannot have been launched since this time; undefined if it can. */
export function objectionToAge(
  { created_date }: Pick<ListedCampaign, "created_date">,
  since: number,
): string | undefined {
  if (created_date === undefined || created_date === null) return "its age is not shown";
  // A date that cannot be read is no evidence.
  const isSince = Date.parse(created_date) >= since - clockTolerance;
  return isSince ? undefined : `created ${created_date}, before this resource was declared`;
}

export function liveCampaigns(rows: readonly ListedCampaign[]): ListedCampaign[] {
  return rows.filter((row) => !isRemoved(row));
}

export function findById(rows: readonly ListedCampaign[], campaignId: string): ListedCampaign | undefined {
  return rows.find((row) => row.id === campaignId);
}

function describe({ id, status }: ListedCampaign, differing: readonly string[], objection?: string): string {
  const values =
    differing.length > 0 ? `differs in ${differing.join(", ")}` : (objection ?? "with the declared values");
  return `${id} (${status}, ${values})`;
}

/** The declared arguments that the list contradicts. What it does not show, or what is not declared, does not differ. */
export function differingValues(row: KnownCampaign, declared: ListedValues): (keyof ListedValues)[] {
  const listed = listedValues(row);
  return listedKeys.filter((key) => {
    const value = listed[key];
    return value !== undefined && declared[key] !== undefined && !sameValue(key, value, declared[key]);
  });
}

/**
 * The declared values as the list shows them. What is equal in meaning, or not shown, stays as declared, and so does what
 * the service has written in its own way since the launch.
 */
export function asListed<D extends ListedValues>(declared: D, row: KnownCampaign, rewritten: ListedArguments = {}): D {
  const listed = listedValues(row);
  const moved = differingValues(row, declared).filter(
    (key) => !(key in rewritten) || !sameValue(key, listed[key] as never, rewritten[key] as never),
  );
  return { ...declared, ...Object.fromEntries(moved.map((key) => [key, listed[key]])) };
}

/** Right after a launch, what differs from what was sent is the service's own spelling of it, and not drift. */
export function rewrittenValues(row: KnownCampaign, declared: ListedValues): ListedArguments | undefined {
  const listed = listedValues(row);
  const keys = differingValues(row, declared);
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, listed[key]]));
}

export function listedValues(row: KnownCampaign): ListedArguments {
  return {
    campaignName: row.campaign_name,
    campaignType: row.campaign_type ?? undefined,
    dailyBudgetMicros: row.daily_budget_micros ?? undefined,
    landingPage: filled(row.landing_page),
    geoTargets: row.geo_targets ?? undefined,
    phoneNumber: filled(row.phone_number),
  };
}

/** What would declare the campaign, as far as the list shows it. What is empty is left out. */
export function declarableValues(row: ListedCampaign): ListedArguments & { paused?: true } {
  const { geoTargets, ...values } = listedValues(row);
  return {
    ...(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as typeof values),
    ...(geoTargets === undefined || geoTargets.length === 0 ? {} : { geoTargets }),
    ...(isPaused(row) === true ? { paused: true } : {}),
  };
}

const comparisons: { [Key in keyof ListedValues]-?: (one: never, other: never) => boolean } = {
  campaignName: sameName,
  campaignType: (one: string, other: string) => one === other,
  dailyBudgetMicros: (one: number, other: number) => one === other,
  landingPage: sameUrl,
  geoTargets: sameSet,
  phoneNumber: samePhone,
};

export const listedKeys = Object.keys(comparisons) as (keyof ListedValues)[];

export function sameValue<Key extends keyof ListedValues>(
  key: Key,
  one: ListedValues[Key],
  other: ListedValues[Key],
): boolean {
  return comparisons[key](one as never, other as never);
}

/** A service may trim a name or write its accents in another way. That must not hide a campaign that spends. */
function sameName(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

export function nameKey(name: string): string {
  return name.normalize("NFC").trim().replace(/\s+/g, " ");
}

function samePhone(one: string, other: string): boolean {
  return digits(one) === digits(other);
}

function digits(phone: string): string {
  return phone.replace(/\D/g, "");
}

/** Undefined for a status that says neither. */
export function isPaused({ status }: { status?: string | undefined }): boolean | undefined {
  if (status?.toUpperCase() === campaignStatus.paused) return true;
  return status?.toUpperCase() === campaignStatus.enabled ? false : undefined;
}
