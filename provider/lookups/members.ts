import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { flag, oneOf, sized, text, whole } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { checkService, ProviderError } from "../service/errors";
import { followCursor } from "../service/lists";
import { member } from "../service/lookup-shapes";
import type { Answer } from "../service/operations";
import { isoWithZone } from "../service/timestamps";
import { fromWire, notesOf, toWire, withoutAbsent } from "./shared/fields";
import type { Lookup, LookupContext } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** A role in the workspace. */
export type MemberRole = (typeof roles)[number];
/** The state of an invitation. */
export type InviteStatus = (typeof inviteStatuses)[number];
/** A key to sort members by. */
export type MemberSortKey = (typeof sortKeys)[number];

/** A range. Both bounds are inclusive and optional. */
export interface Range<Bound> {
  /** The lower bound. */
  gte?: Bound;
  /** The upper bound. */
  lte?: Bound;
}

/** The arguments of {@link getMembers}. A member must match every filter that is set. */
export interface GetMembersArgs {
  /** Matches anywhere in email, name, role or status, ignoring case. At most 256 characters. */
  search?: string;
  /** Like `search`, but a member matches when any of the terms does. At most 200 terms of at most 256 characters each. */
  searchTerms?: string[];
  /**
   * The sort key: `member` (the name, or the email of a member without a name), `credits`, `apps` or `agents` (owned plus
   * shared), `last_active` or `role`. Requires `sortDir`. Ties are in the default order. With `last_active`, members who never
   * used credits come last in both directions. With `credits`, the service uses the default order if the token's owner is
   * neither owner nor admin.
   * @default joined members before pending invitations, then by role from owner to guest, then by email
   */
  sortBy?: MemberSortKey;
  /** The sort direction, `asc` or `desc`. Requires `sortBy`. */
  sortDir?: "asc" | "desc";
  /** Only members with one of these roles. At most 20. */
  roles?: MemberRole[];
  /** Only members and invitations in one of these states: `joined`, `pending`, `expired`. At most 3. */
  inviteStatuses?: InviteStatus[];
  /**
   * true: only members with a credit limit of their own. false: only members without one; members with the workspace's
   * default limit count as without.
   */
  creditLimitSet?: boolean;
  /** The number of apps, owned plus shared. */
  appsOwned?: Range<number>;
  /** The number of agents, owned plus shared. */
  agentsOwned?: Range<number>;
  /** The time of the last credit use, as ISO 8601. Members who never used credits do not match. */
  lastActive?: Range<string>;
  /**
   * The number of members per request, 1 to 100. It affects the number of requests, not the result.
   * @default 100
   */
  pageSize?: number;
}

/** A member of the workspace, or an invitation. */
export interface Member {
  /** The email of the user, or of the invitation. */
  email: string;
  /** `owner`, `admin`, `editor`, `viewer` or `guest`. */
  role: string;
  /** The id of the user. Absent while an invitation has no user. */
  userId?: string;
  /** The full name of the user. */
  fullName?: string;
  /** The status of the membership. The values are not documented. */
  status?: string;
  /** The access state. The values are not documented. */
  accessState?: string;
  /** Not documented. */
  assignedVia?: string;
  /** The number of apps that the member owns. */
  appsOwned?: number;
  /** The number of apps that are shared with the member. */
  appsShared?: number;
  /** The number of agents that the member owns. */
  agentsOwned?: number;
  /** The number of agents that are shared with the member. */
  agentsShared?: number;
  /** The member's credit limit. Absent when there is none. */
  creditLimit?: number;
  /** Whether the member has the workspace's default limit. */
  isDefaultLimit?: boolean;
  /**
   * The credits that the member used, from a cached copy of unknown age. If the token's owner is neither owner nor admin, it
   * is absent for everyone else.
   */
  creditsUsed?: number;
  /** The time of the last credit use, ISO 8601, from a cached copy of unknown age. Absent when no credits were ever used. */
  lastActive?: string;
  /**
   * When the member was last seen, ISO 8601, from a cached copy of unknown age. If the token's owner is neither owner nor
   * admin, it is absent for everyone else.
   */
  lastSeen?: string;
}

/** The result of {@link getMembers}. */
export interface GetMembersResult {
  /** Every match once, in the requested order. Active guests with a staff email are never listed. */
  members: Member[];
  /** The number of matches by the service's count on the last page. */
  total: number;
  /** The workspace's credits per month. Absent when they are unlimited. */
  monthlyLimit?: number;
  /** The credit limit of members without a limit of their own. */
  defaultMemberCreditLimit?: number;
  /** How many repeated rows were removed. Rows repeat when the list changes while it is read. */
  repeatsRemoved: number;
  /** Whether `total` differs from the number of members listed. Someone may be missing, or may have left meanwhile. */
  totalDisagrees: boolean;
  /** Sentences that say what the result does not prove. Empty if there is nothing to explain. */
  notes: string[];
}

const roles = ["owner", "admin", "editor", "viewer", "guest"] as const;
const inviteStatuses = ["joined", "pending", "expired"] as const;
const sortKeys = ["member", "credits", "apps", "agents", "last_active", "role"] as const;

const term = () => sized(0, 256);
const time = () =>
  text().transform((value, context) => {
    const iso = isoWithZone(value);
    if (iso === undefined) context.addIssue({ code: "custom", message: "must be an ISO 8601 time" });
    return iso ?? z.NEVER;
  });
const range = <Bound extends z.ZodType>(bound: Bound) =>
  z.strictObject({ gte: bound.optional(), lte: bound.optional() }, "must be an object with gte, lte or both");
const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z.array(item, "must be a list").max(max, `must hold at most ${String(max)}`);

const args = z
  .strictObject({
    search: term().optional(),
    searchTerms: listOf(term(), 200).optional(),
    sortBy: oneOf(sortKeys).optional(),
    sortDir: oneOf(["asc", "desc"]).optional(),
    roles: listOf(oneOf(roles), 20).optional(),
    inviteStatuses: listOf(oneOf(inviteStatuses), 3).optional(),
    creditLimitSet: flag().optional(),
    appsOwned: range(z.number("must be a number")).optional(),
    agentsOwned: range(z.number("must be a number")).optional(),
    lastActive: range(time()).optional(),
    pageSize: whole(1, 100).default(100),
  })
  .superRefine(({ sortBy, sortDir }, context) => {
    if (sortBy !== undefined && sortDir === undefined)
      context.addIssue({ code: "custom", path: ["sortBy"], message: "requires sortDir" });
    if (sortDir !== undefined && sortBy === undefined)
      context.addIssue({ code: "custom", path: ["sortDir"], message: "requires sortBy" });
  });

type Args = z.output<typeof args>;
type Page = Answer<"member.list">;

/** @internal */
export const membersLookup: Lookup<Args, GetMembersResult> = {
  name: "getMembers",
  operation: "member.list",
  purpose: "Members and pending invitations of the workspace",
  args,
  async run(args, context) {
    const members = new Map<string, Member>();
    let rows = 0;
    let last: Page | undefined;
    for await (const page of pagesOf(args, context)) {
      for (const row of page.members) {
        const key = keyOf(row);
        if (!members.has(key)) members.set(key, fromWire(member, row));
      }
      rows += page.members.length;
      requireEnd(rows, page.total);
      // Keeps no rows of a page.
      last = { ...page, members: [] };
    }
    const { total = 0, monthly_limit, default_member_credit_limit } = last ?? {};
    const totalDisagrees = members.size !== total;
    const counts = `The service counts ${String(total)} members but lists ${String(members.size)}. Run the command again. If the numbers still differ, the service counts someone whom it does not list.`;
    if (totalDisagrees) context.warn({ code: "WA1706", what: counts });
    return {
      members: [...members.values()],
      total,
      ...withoutAbsent({ monthlyLimit: monthly_limit, defaultMemberCreditLimit: default_member_credit_limit }),
      repeatsRemoved: rows - members.size,
      totalDisagrees,
      notes: notesOf(totalDisagrees && counts),
    };
  },
};

/** Rule 4: "send the same body with cursor set to the previous next_cursor until has_more is false." */
function pagesOf(args: Args, { service }: LookupContext): AsyncGenerator<Page> {
  const body = toWire(args);
  return followCursor(
    (cursor) =>
      service.call("member.list", { parameters: {}, body: cursor === undefined ? body : { ...body, cursor } }),
    (page) => ({ more: page.has_more, cursor: page.next_cursor ?? undefined, rows: page.members }),
    (why) => new ProviderError({ code: "WA1704", what: `The list of members ${why}.`, next: [checkService] }),
  );
}

/** A person is identified by the user id; an invitation, which may not have one yet, by its email. */
function keyOf({ user_id, email }: Page["members"][number]): string {
  return user_id ? `user ${user_id}` : `invitation ${email.toLowerCase()}`;
}

/** A list that changes while it is read repeats some rows (rule 7). Far more rows than the total mean an endless list. */
function requireEnd(rows: number, total: number): void {
  if (rows > 3 * total + 1_000)
    throw new ProviderError({
      code: "WA1704",
      what: `The list of members does not end: it returned ${String(rows)} rows, but its total is ${String(total)}.`,
      next: [checkService],
    });
}

/**
 * Lists the members and pending invitations of the workspace that match the filters, all pages of them.
 *
 * The service documents the operation (`member.list`). All personal tokens of a workspace share a limit of 30 requests per
 * minute, so more than 3,000 members take minutes; a message says so. If the list changes while it is read, the service may
 * skip or repeat members. Repeated members are removed, and `totalDisagrees` says when the count does not match the rows.
 *
 * ```ts
 * const { members } = await apps.getMembers({ roles: ["owner", "admin"], inviteStatuses: ["joined"] });
 * export const administrators = members.map((member) => member.email);
 * ```
 */
export function getMembers(args: GetMembersArgs = {}, opts?: LookupOptions): Promise<GetMembersResult> {
  return lookUp(membersLookup, args, opts);
}

/** {@link getMembers} with inputs. Sends its requests once all inputs are known. */
export function getMembersOutput(
  args: LookupInputs<GetMembersArgs> = {},
  opts?: LookupOutputOptions,
): pulumi.Output<GetMembersResult> {
  return lookUpOutput(membersLookup, args, opts);
}
