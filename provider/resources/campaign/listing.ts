import { eachOnce, isRemoved } from "../../service/campaigns";
import type { Row } from "../../service/lists";
import type { Answer } from "../../service/operations";
import { campaignStatus } from "../../service/shapes";
import { sameMembers } from "../members";
import { sameUrl } from "../urls";

/* What the list of campaigns says of a declared one. Pure. */

export { isRemoved };

/** A campaign as the list shows it. */
export type Listed = Row<"campaign.list">;

/** A campaign as a launch answers with it, of which only the id is sure to be there. */
export type Known = Answer<"campaign.launch">["campaign"];

/** What is declared of a campaign and the list may show. */
export interface Declared {
  campaignName: string;
  campaignType: string;
  dailyBudgetMicros: number;
  landingPage: string;
  geoTargets?: string[] | undefined;
  phoneNumber?: string | undefined;
}

/** What a complete list shows of the declared campaign. */
export type Sighting =
  | { seen: "nothing" }
  | { seen: "it"; campaign: Listed }
  /** Live campaigns of its name of which it cannot be told that they are it. */
  | { seen: "doubt"; campaigns: Listed[]; why: string };

/**
 * Step 2 of the protocol. One live campaign of the same name, none of whose listed values differs, is the declared one;
 * the same name with other values, or more than one, is for a person to decide.
 */
export function sightingIn(rows: readonly Listed[], declared: Declared): Sighting {
  const campaigns = liveOnes(rows).filter((row) => sameName(row.campaign_name, declared.campaignName));
  const [first, ...others] = campaigns;
  if (first === undefined) return { seen: "nothing" };
  const why = campaigns.map((row) => describe(row, differing(row, declared))).join("; ");
  if (others.length > 0 || differing(first, declared).length > 0) return { seen: "doubt", campaigns, why };
  return { seen: "it", campaign: first };
}

export function liveOnes(rows: readonly Listed[]): Listed[] {
  return eachOnce(rows).filter((row) => !isRemoved(row));
}

export function byId(rows: readonly Listed[], campaignId: string): Listed | undefined {
  return eachOnce(rows).find((row) => row.id === campaignId);
}

function describe({ id, status }: Listed, differs: readonly string[]): string {
  return `${id} (${status}${differs.length === 0 ? ", with the declared values" : `, which differs in ${differs.join(", ")}`})`;
}

/** The declared arguments that the list contradicts. What it does not show, or what is not declared, does not differ. */
export function differing(row: Known, declared: Declared): (keyof Declared)[] {
  const listed = listedValues(row);
  return (Object.keys(comparisons) as (keyof Declared)[]).filter((key) => {
    const there = listed[key];
    return there !== undefined && declared[key] !== undefined && !sameValue(key, there, declared[key]);
  });
}

/**
 * The declared values as the list shows them: what is equal in meaning, or not shown, stays as declared, and so does what
 * the service has written in its own way since the launch.
 */
export function asListed<D extends Declared>(declared: D, row: Known, rewritten: Rewritten = {}): D {
  const listed = listedValues(row);
  const moved = differing(row, declared).filter(
    (key) => !(key in rewritten) || !sameValue(key, listed[key] as never, rewritten[key] as never),
  );
  return { ...declared, ...Object.fromEntries(moved.map((key) => [key, listed[key]])) };
}

/** The declared values that the service writes in another way, as it writes them. */
export type Rewritten = { [Key in keyof Declared]?: Declared[Key] | undefined };

/** Seen right after a launch, what differs from what was sent is the service's own spelling of it, and no drift. */
export function rewrittenIn(row: Known, declared: Declared): Rewritten | undefined {
  const listed = listedValues(row);
  const keys = differing(row, declared);
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, listed[key]]));
}

export function listedValues(row: Known): Rewritten {
  return {
    campaignName: row.campaign_name,
    campaignType: row.campaign_type ?? undefined,
    dailyBudgetMicros: row.daily_budget_micros ?? undefined,
    landingPage: filled(row.landing_page),
    geoTargets: row.geo_targets ?? undefined,
    phoneNumber: filled(row.phone_number),
  };
}

function filled(text: string | null | undefined): string | undefined {
  return text === "" ? undefined : (text ?? undefined);
}

const comparisons: { [Key in keyof Declared]-?: (one: never, other: never) => boolean } = {
  campaignName: sameName,
  campaignType: (one: string, other: string) => one === other,
  dailyBudgetMicros: (one: number, other: number) => one === other,
  landingPage: sameUrl,
  geoTargets: sameMembers,
  phoneNumber: samePhone,
};

export function sameValue<Key extends keyof Declared>(key: Key, one: Declared[Key], other: Declared[Key]): boolean {
  return comparisons[key](one as never, other as never);
}

/** A service may trim a name or write its accents in another way: that must not hide a campaign that spends. */
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
