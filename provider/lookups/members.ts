import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { flag, oneOf, sized, text, whole } from "../arguments";
import type { Lookup, LookupContext } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import { ProviderError } from "../service/errors";
import { followCursor } from "../service/lists";
import type { Answer } from "../service/operations";
import { isoWithZone } from "../service/timestamps";
import { withoutAbsent } from "./shared/result";

/** A role in the workspace. */
export type MemberRole = (typeof roles)[number];
/** What became of an invitation. */
export type InviteStatus = (typeof inviteStatuses)[number];
/** What members can be sorted by. */
export type MemberSortKey = (typeof sortKeys)[number];

/** Bounds of a range, both included; either may be left out. */
export interface Range<Bound> {
  /** At least. */
  gte?: Bound;
  /** At most. */
  lte?: Bound;
}

/** A member must match every filter that is given. */
export interface GetMembersArgs {
  /** Matches anywhere in email, name, role or status, whatever the case. At most 256 characters. */
  search?: string;
  /** The same, where one of the terms must match. At most 200 terms of at most 256 characters. */
  searchTerms?: string[];
  /**
   * `member` (the name, or the email without one), `credits`, `apps` and `agents` (owned plus shared), `last_active` or
   * `role`. Needs `sortDir`.
   * @default joined members before pending invitations, then from owner to guest, then by email
   */
  sortBy?: MemberSortKey;
  /** `asc` or `desc`. Needs `sortBy`. */
  sortDir?: "asc" | "desc";
  /** Only these roles. At most 20. */
  roles?: MemberRole[];
  /** Only these: `joined`, `pending`, `expired`. At most 3. */
  inviteStatuses?: InviteStatus[];
  /** true: only members with a limit of their own; false: only those without, the workspace's default included. */
  creditLimitSet?: boolean;
  /** How many apps, owned plus shared. */
  appsOwned?: Range<number>;
  /** How many agents, owned plus shared. */
  agentsOwned?: Range<number>;
  /** When credits were last used, as ISO 8601 times. Who never used any does not match. */
  lastActive?: Range<string>;
  /**
   * Members in one request, 1 to 100. It changes how many requests are needed, not what is found.
   * @default 100
   */
  pageSize?: number;
}

/** A member of the workspace, or an invitation. */
export interface Member {
  /** Of the user, or where the invitation was sent. */
  email: string;
  /** `owner`, `admin`, `editor`, `viewer`, `guest`. */
  role: string;
  /** Absent where an invitation has no user yet. */
  userId?: string;
  /** The user's own. */
  fullName?: string;
  /** The values are not documented. */
  status?: string;
  /** The values are not documented. */
  accessState?: string;
  /** The values are not documented. */
  assignedVia?: string;
  /** How many apps are theirs. */
  appsOwned?: number;
  /** How many apps of others they can use. */
  appsShared?: number;
  /** How many agents are theirs. */
  agentsOwned?: number;
  /** How many agents of others they can use. */
  agentsShared?: number;
  /** The credits that they may use. */
  creditLimit?: number;
  /** Whether the workspace's default limit holds for them. */
  isDefaultLimit?: boolean;
  /** From a copy of unknown age. Absent in the rows of others when the token's owner is neither owner nor admin. */
  creditsUsed?: number;
  /** The last credit use, ISO 8601; absent for who never used any. From a copy of unknown age. */
  lastActive?: string;
  /** ISO 8601. Absent in the rows of others when the token's owner is neither owner nor admin. */
  lastSeen?: string;
}

/** Who matches, and how far the list can be trusted. */
export interface GetMembersResult {
  /** Everyone who matches, each once, in the order that was asked for. */
  members: Member[];
  /** How many matches the service counts, by its last page. */
  total: number;
  /** The workspace's credits in a month; absent: unlimited. */
  monthlyLimit?: number;
  /** The limit of members who have none of their own. */
  defaultMemberCreditLimit?: number;
  /** How many rows came a second time because the list moved while it was read. */
  repeatsRemoved: number;
  /** The service counts another number of members than it lists: someone may be missing, or be gone since. */
  totalDisagrees: boolean;
  /** What the answer leaves open, in sentences; empty when nothing. */
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
const listOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.array(item, "must be a list").max(most, `must hold at most ${String(most)}`);

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
      context.addIssue({ code: "custom", path: ["sortBy"], message: "needs sortDir beside it" });
    if (sortDir !== undefined && sortBy === undefined)
      context.addIssue({ code: "custom", path: ["sortDir"], message: "needs sortBy beside it" });
  });

type Args = z.output<typeof args>;
type Page = Answer<"member.list">;

export const membersLookup: Lookup<Args, GetMembersResult> = {
  name: "getMembers",
  purpose: "Members and pending invitations of the workspace",
  args,
  async run(args, context) {
    const reading = new Reading();
    for await (const page of pagesOf(args, context)) reading.add(page);
    const result = reading.result();
    if (result.totalDisagrees) result.notes.forEach(context.warn);
    return result;
  },
};

/** Rule 4: "send the same body with cursor set to the previous next_cursor until has_more is false." */
function pagesOf(args: Args, { service }: LookupContext): AsyncGenerator<Page> {
  const body = bodyOf(args);
  return followCursor(
    (cursor) =>
      service.call("member.list", { parameters: {}, body: cursor === undefined ? body : { ...body, cursor } }),
    (page) => ({ more: page.has_more, cursor: page.next_cursor ?? undefined }),
    () => new ProviderError("The list of members says that there is more, but gives no new next_cursor."),
  );
}

function bodyOf(args: Args): Record<string, unknown> {
  return withoutAbsent<Record<string, unknown>>({
    search: args.search,
    search_terms: args.searchTerms,
    sort_by: args.sortBy,
    sort_dir: args.sortDir,
    roles: args.roles,
    invite_statuses: args.inviteStatuses,
    credit_limit_set: args.creditLimitSet,
    apps_owned: args.appsOwned,
    agents_owned: args.agentsOwned,
    last_active: args.lastActive,
    page_size: args.pageSize,
  });
}

const mostEmptyPages = 3;

/** The members of the pages so far. A page is let go as soon as it was added. */
class Reading {
  private readonly members = new Map<string, Member>();
  /** The last page without its rows. */
  private last: Page | undefined;
  private repeats = 0;
  private emptyPages = 0;

  add(page: Page): void {
    for (const row of page.members) {
      // A person is one by the user's id; an invitation, which may have no user yet, by its email.
      const key = row.user_id ? `user ${row.user_id}` : `invitation ${row.email.toLowerCase()}`;
      if (this.members.has(key)) this.repeats++;
      else this.members.set(key, memberOf(row));
    }
    this.last = { ...page, members: [] };
    this.emptyPages = page.members.length === 0 ? this.emptyPages + 1 : 0;
    if (page.has_more && this.emptyPages === mostEmptyPages)
      throw new ProviderError(
        `The list of members does not end: ${String(mostEmptyPages)} pages in a row are empty, and it says that there is more.`,
      );
    const rows = this.members.size + this.repeats;
    // A list that moves while it is read repeats some (rule 7); one that never ends repeats all, or makes up new ones.
    if (rows > 3 * page.total + 1_000)
      throw new ProviderError(
        `The list of members does not end: it has brought ${String(rows)} rows where the service counts ${String(page.total)}.`,
      );
  }

  result(): GetMembersResult {
    const { total = 0, monthly_limit, default_member_credit_limit } = this.last ?? {};
    const found = this.members.size;
    const totalDisagrees = found !== total;
    const notes = totalDisagrees
      ? [
          `The service counts ${String(total)} members and lists ${String(found)}: the list moved while it was read, or hides someone. Ask again for a whole one.`,
        ]
      : [];
    return withoutAbsent<GetMembersResult>({
      members: [...this.members.values()],
      total,
      monthlyLimit: monthly_limit,
      defaultMemberCreditLimit: default_member_credit_limit,
      repeatsRemoved: this.repeats,
      totalDisagrees,
      notes,
    });
  }
}

/** From wire to result. */
function memberOf(wire: Page["members"][number]): Member {
  return withoutAbsent<Member>({
    email: wire.email,
    role: wire.role,
    userId: wire.user_id,
    fullName: wire.full_name,
    status: wire.status,
    accessState: wire.access_state,
    assignedVia: wire.assigned_via,
    appsOwned: wire.apps_owned,
    appsShared: wire.apps_shared,
    agentsOwned: wire.agents_owned,
    agentsShared: wire.agents_shared,
    creditLimit: wire.credit_limit,
    isDefaultLimit: wire.is_default_limit,
    creditsUsed: wire.credits_used,
    lastActive: wire.last_active,
    lastSeen: wire.last_seen,
  });
}

/**
 * The members and pending invitations of the workspace that match, read to the last page.
 *
 * Documented by the service. It allows 30 requests a minute for all personal tokens of a workspace together, so more than
 * 3,000 members take minutes; a message says what is waited for. Members who change while the list is read can be skipped
 * or repeated: repeats are removed, and `totalDisagrees` tells when the count and the rows do not match.
 *
 * ```ts
 * const { members } = await apps.getMembers({ roles: ["owner", "admin"], inviteStatuses: ["joined"] });
 * export const administrators = members.map((member) => member.email);
 * ```
 */
export function getMembers(args: GetMembersArgs = {}, opts?: LookupOptions): Promise<GetMembersResult> {
  return lookUp(membersLookup, args, opts);
}

/** {@link getMembers} with inputs: asks once they are known. */
export function getMembersOutput(
  args: LookupInputs<GetMembersArgs> = {},
  opts?: LookupOutputOptions,
): pulumi.Output<GetMembersResult> {
  return lookUpOutput(membersLookup, args, opts);
}
