import { z } from "zod";
import { isoWithZone } from "../../../provider/service/timestamps";
import type { Member } from "../../types";
import { sized } from "../../validation";

/* The rules of the members list: which members match a request, and in which order. */

/** From the first to the last in the default order. */
export const memberRoles = ["owner", "admin", "editor", "viewer", "guest"] as const;
export const inviteStatuses = ["joined", "pending", "expired"] as const;

const range = <Bound extends z.ZodType>(bound: Bound) => z.object({ gte: bound.nullish(), lte: bound.nullish() });
const time = z.iso.datetime({ offset: true, local: true });

/** "Body (all optional)". */
export const listing = z
  .object({
    search: sized(0, 256).nullish(),
    search_terms: z.array(sized(0, 256)).max(200).nullish(),
    sort_by: z.enum(["member", "credits", "apps", "agents", "last_active", "role"]).nullish(),
    sort_dir: z.enum(["asc", "desc"]).nullish(),
    roles: z.array(z.enum(memberRoles)).max(20).nullish(),
    invite_statuses: z.array(z.enum(inviteStatuses)).max(3).nullish(),
    credit_limit_set: z.boolean().nullish(),
    apps_owned: range(z.number()).nullish(),
    agents_owned: range(z.number()).nullish(),
    last_active: range(time).nullish(),
    cursor: sized(0, 256).nullish(),
    page_size: z.int().min(1).max(100).nullish(),
  })
  .refine(({ sort_by, sort_dir }) => (sort_by == null) === (sort_dir == null), "sort_by and sort_dir need each other");

export type Listing = z.output<typeof listing>;

/** Rule 1: every filter that is set. Rule 6: no active guest with a staff email. */
export function matching(members: readonly Member[], asked: Listing, staffDomain: string): Member[] {
  const terms = (asked.search_terms ?? []).map((term) => term.toLowerCase());
  const search = asked.search?.toLowerCase();
  return members.filter((member) => {
    const { role, status, credit_limit, is_default_limit, last_active } = member;
    const isStaff = role === "guest" && status === "joined" && member.email.endsWith(`@${staffDomain}`);
    return (
      !isStaff &&
      (search == null || isFound(member, search)) &&
      (terms.length === 0 || terms.some((term) => isFound(member, term))) &&
      (asked.roles?.includes(role) ?? true) &&
      (asked.invite_statuses?.includes(status) ?? true) &&
      (asked.credit_limit_set == null || asked.credit_limit_set === (credit_limit !== null && !is_default_limit)) &&
      isWithin(appsOf(member), asked.apps_owned) &&
      isWithin(agentsOf(member), asked.agents_owned) &&
      (asked.last_active == null || (last_active !== null && isWithin(timeOf(last_active), moments(asked.last_active))))
    );
  });
}

/** Rules 2, 3 and 5. */
export function sorted(members: Member[], { sort_by, sort_dir }: Listing, seesCredits: boolean): Member[] {
  if (sort_by == null || (sort_by === "credits" && !seesCredits)) return members.sort(byDefault);
  const direction = sort_dir === "desc" ? -1 : 1;
  return members.sort((one, other) => {
    if (sort_by === "last_active" && (one.last_active === null || other.last_active === null))
      return Number(one.last_active === null) - Number(other.last_active === null) || byDefault(one, other);
    return direction * compare(valueOf(one, sort_by), valueOf(other, sort_by)) || byDefault(one, other);
  });
}

/** Case-insensitive, anywhere in email, name, role or status. */
function isFound({ email, full_name, role, status }: Member, term: string): boolean {
  return [email, full_name, role, status].some((text) => text.toLowerCase().includes(term));
}

/** Joined before pending, from owner to guest, by email. */
function byDefault(one: Member, other: Member): number {
  return (
    Number(one.status !== "joined") - Number(other.status !== "joined") ||
    memberRoles.indexOf(one.role) - memberRoles.indexOf(other.role) ||
    compare(one.email, other.email)
  );
}

function valueOf(member: Member, key: NonNullable<Listing["sort_by"]>): string | number {
  switch (key) {
    case "member":
      return (member.full_name || member.email).toLowerCase();
    case "credits":
      return member.credits_used;
    case "apps":
      return appsOf(member);
    case "agents":
      return agentsOf(member);
    case "last_active":
      return timeOf(member.last_active ?? "");
    case "role":
      return memberRoles.indexOf(member.role);
  }
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other);
}

function isWithin(
  value: number,
  bounds: { gte?: number | null | undefined; lte?: number | null | undefined } | null | undefined,
) {
  return value >= (bounds?.gte ?? -Infinity) && value <= (bounds?.lte ?? Infinity);
}

function moments({ gte, lte }: NonNullable<Listing["last_active"]>) {
  return { gte: gte == null ? null : timeOf(gte), lte: lte == null ? null : timeOf(lte) };
}

function timeOf(text: string): number {
  return Date.parse(isoWithZone(text) ?? "");
}

function appsOf({ apps_owned, apps_shared }: Member): number {
  return apps_owned + apps_shared;
}

function agentsOf({ agents_owned, agents_shared }: Member): number {
  return agents_owned + agents_shared;
}
