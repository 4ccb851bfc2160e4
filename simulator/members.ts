import type { Caller } from "./credentials";
import type { Handlers } from "./handler";
import { type Listing, listing, matching, sorted } from "./member-listing";
import type { Member, MemberOptions, MemberStore } from "./member-store";
import { readBack } from "./times";
import { validated } from "./validation";

const defaultPageSize = 50;

export function memberHandlers(store: MemberStore, { staffDomain = "staff.example.com" }: MemberOptions): Handlers {
  /** Where each cursor that was given out leads: a place in the list, whoever stands there by then (rule 7). */
  const cursors = new Map<string, number>();
  /** The last list in its order, because a thousand pages of it may be asked for. */
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

/** Rule 5: who is neither owner nor admin sees credits and last visits in their own row alone. */
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
