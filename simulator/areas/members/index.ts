import { z } from "zod";
import type { Area } from "../../area";
import { count, id, route, time } from "../../control/route";
import type { Caller } from "../../credentials";
import { listBy } from "../../exported";
import type { Handlers } from "../../handler";
import { Ids } from "../../ids";
import { readBack } from "../../times";
import type { AllObjects, CreditLimits, GivenMember, Member, MemberObjects, MemberOptions } from "../../types";
import { validated } from "../../validation";
import { inviteStatuses, type Listing, listing, matching, memberRoles, sorted } from "./listing";

interface MemberStore {
  objects: MemberObjects;
  limits: () => CreditLimits;
  /** The members themselves, and a number that every change increases. */
  current: () => { members: readonly Member[]; version: number };
  restore: (objects: AllObjects) => void;
}

function openStore({ members: given = defaultMembers }: MemberOptions): MemberStore {
  const byEmail = new Map<string, Member>();
  const ids = new Ids("user");
  let limits: CreditLimits = { monthly_limit: null, default_member_credit_limit: null };
  let version = 0;

  function put(fields: GivenMember): Member {
    const member: Member = { ...(byEmail.get(fields.email) ?? newMember), ...fields };
    if (member.user_id === null && member.status === "joined") member.user_id = ids.next();
    if (member.user_id !== null) ids.keep(member.user_id);
    byEmail.set(member.email, member);
    version++;
    return { ...member };
  }
  given.forEach(put);

  function setMembers(members: readonly GivenMember[]): void {
    byEmail.clear();
    version++;
    // First of all, so that no other member gets one of them.
    for (const { user_id } of members) if (user_id != null) ids.keep(user_id);
    members.forEach(put);
  }

  return {
    objects: {
      members: () => [...byEmail.values()].map((member) => ({ ...member })),
      putMember: put,
      removeMember: (email) => {
        version++;
        return byEmail.delete(email);
      },
      setMembers,
      setCreditLimits: (changed) => {
        limits = { ...limits, ...changed };
      },
    },
    limits: () => ({ ...limits }),
    current: () => ({ members: [...byEmail.values()], version }),
    restore: ({ members }) => {
      setMembers(members);
    },
  };
}

const newMember: Member = {
  access_state: "active",
  agents_owned: 0,
  agents_shared: 0,
  apps_owned: 0,
  apps_shared: 0,
  assigned_via: "direct",
  credit_limit: null,
  credits_used: 0,
  email: "",
  full_name: "",
  is_default_limit: true,
  last_active: null,
  last_seen: null,
  role: "editor",
  status: "joined",
  user_id: null,
};

const defaultMembers: GivenMember[] = [
  { email: "owner@example.com", full_name: "Olive Owner", role: "owner", user_id: "user", apps_owned: 2 },
  { email: "admin@example.com", full_name: "Ada Admin", role: "admin", last_active: "2026-01-02T03:04:05.000Z" },
  { email: "editor@example.com", full_name: "Ed Editor", role: "editor", credit_limit: 50, is_default_limit: false },
  { email: "viewer@example.com", full_name: "Vi Viewer", role: "viewer" },
  { email: "invited@example.com", role: "editor", status: "pending", access_state: "invited" },
];

const defaultPageSize = 50;

function handlersOf(store: MemberStore, { staffDomain = "staff.example.com" }: MemberOptions): Handlers {
  /** The place in the list where each cursor continues. Members may have moved by then (rule 7). */
  const cursors = new Map<string, number>();
  /** The last sorted list, cached because a caller may read a thousand pages of it. */
  let last: { key: string; rows: Member[] } | undefined;

  function rowsFor({ cursor: _, page_size: __, ...asked }: Listing, caller: Caller): Member[] {
    const { members, version } = store.current();
    const key = JSON.stringify([asked, version, caller.administers]);
    if (last?.key !== key)
      last = { key, rows: sorted(matching(members, asked, staffDomain), asked, caller.administers) };
    return last.rows;
  }

  return {
    "member.list": ({ caller, body }) => {
      const asked = validated(listing, body);
      const rows = rowsFor(asked, caller);
      // "A cursor the service did not return starts from the first page."
      const start = cursors.get(asked.cursor ?? "") ?? 0;
      const end = start + (asked.page_size ?? defaultPageSize);
      const hasMore = end < rows.length;
      const nextCursor = `members-after-${String(end)}`;
      if (hasMore) cursors.set(nextCursor, end);
      return {
        members: rows.slice(start, end).map((member) => wire(member, caller)),
        next_cursor: hasMore ? nextCursor : null,
        has_more: hasMore,
        total: rows.length,
        ...store.limits(),
      };
    },
  };
}

/** Rule 5: callers who are neither owner nor admin see credits and last visits only in their own row. */
function wire(member: Member, { administers, user }: Caller): Record<string, unknown> {
  const { last_active, last_seen, ...rest } = member;
  const isVisible = administers || member.user_id === user;
  return {
    ...rest,
    credits_used: isVisible ? member.credits_used : null,
    last_seen: isVisible ? readBack(last_seen) : null,
    // "Members who never used credits have none."
    ...(last_active === null ? {} : { last_active: readBack(last_active) }),
  };
}

const memberShape = z.strictObject({
  access_state: z.string(),
  agents_owned: count,
  agents_shared: count,
  apps_owned: count,
  apps_shared: count,
  assigned_via: z.string(),
  credit_limit: z.number().nullable(),
  credits_used: z.number(),
  email: id,
  full_name: z.string(),
  is_default_limit: z.boolean(),
  last_active: time.nullable(),
  last_seen: time.nullable(),
  role: z.enum(memberRoles),
  status: z.enum(inviteStatuses),
  user_id: z.string().nullable(),
});

const memberFields: z.ZodType<Partial<Omit<Member, "email">>> = memberShape.omit({ email: true }).exactPartial();

const ofMember = z.strictObject({ email: id });

export const members = {
  open: ({ options }) => {
    const store = openStore(options);
    const { objects, restore } = store;
    const snapshot = () => ({ members: objects.members() });
    return { objects, handlers: handlersOf(store, options), snapshot, restore };
  },
  exported: { members: listBy((member: Member) => member.email, memberShape) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/members",
      description:
        'Changes a member, or adds one. With `"status": "pending"` it is an invitation. `fields` is optional.',
      input: ofMember.extend({ fields: memberFields.optional() }),
      examples: [{ email: "a@example.com", fields: { role: "admin" } }],
      handle: ({ objects }, { email, fields }) => objects.putMember({ ...fields, email }),
    }),
    route({
      endpoint: "DELETE objects/members",
      description: "Removes a member or an invitation.",
      input: ofMember,
      examples: [{ email: "a@example.com" }],
      handle: ({ objects }, { email }) => ({ removed: objects.removeMember(email) }),
    }),
    route({
      endpoint: "PUT credit-limits",
      description: "Sets the workspace's credit limits, one or both. Null: no limit.",
      input: z
        .strictObject({ monthly_limit: z.number().nullable(), default_member_credit_limit: z.number().nullable() })
        .exactPartial(),
      examples: [{ monthly_limit: 1000, default_member_credit_limit: null }],
      handle: ({ objects }, limits) => {
        objects.setCreditLimits(limits);
      },
    }),
  ],
} satisfies Area;
