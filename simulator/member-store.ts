import { Ids } from "./ids";

export const memberRoles = ["owner", "admin", "editor", "viewer", "guest"] as const;
export const inviteStatuses = ["joined", "pending", "expired"] as const;

/**
 * A member or an invitation as stored, in the field names of the service. The values of `access_state`, `assigned_via`
 * and `status` are not shown: `status` is that of the invitation, which the filter `invite_statuses` names.
 */
export interface Member {
  access_state: string;
  agents_owned: number;
  agents_shared: number;
  apps_owned: number;
  apps_shared: number;
  assigned_via: string;
  /** Null: none of their own. */
  credit_limit: number | null;
  credits_used: number;
  email: string;
  full_name: string;
  is_default_limit: boolean;
  /** The last credit use; null for who never used any. */
  last_active: string | null;
  last_seen: string | null;
  role: (typeof memberRoles)[number];
  status: (typeof inviteStatuses)[number];
  /** Null for an invitation. */
  user_id: string | null;
}

/** A member by the email, and whatever else is known. */
export type GivenMember = Partial<Member> & Pick<Member, "email">;

/** The members and invitations of the workspace. */
export interface MemberObjects {
  /** Copies, in the order in which they were put. */
  members(): Member[];
  /** Adds a member, or changes the one of the same email; what is left out is as of one who joined as an editor. */
  putMember(fields: GivenMember): Member;
  /** Whether there was one. */
  removeMember(email: string): boolean;
  /** Instead of all that are there. */
  setMembers(members: GivenMember[]): void;
  /** Changes those that are given. */
  setCreditLimits(limits: Partial<CreditLimits>): void;
}

/** The workspace's own limits. */
export interface CreditLimits {
  /** Null: unlimited. */
  monthly_limit: number | null;
  default_member_credit_limit: number | null;
}

/** The members at the start. */
export interface MemberOptions {
  /** @default an owner (whose credentials the default ones are), an admin, an editor, a viewer and an invitation */
  members?: GivenMember[];
  /** "Active guests with a staff email are not listed": which domain that is, is not shown. @default "staff.example.com" */
  staffDomain?: string;
}

export interface MemberStore {
  objects: MemberObjects;
  limits: () => CreditLimits;
  /** The members themselves, and a number that is another one after every change. */
  current: () => { members: readonly Member[]; version: number };
}

export function openMemberStore({ members: given = defaultMembers }: MemberOptions): MemberStore {
  const byEmail = new Map<string, Member>();
  const ids = new Ids("user");
  let limits: CreditLimits = { monthly_limit: null, default_member_credit_limit: null };
  let version = 0;

  function put(fields: GivenMember): Member {
    const member: Member = { ...(byEmail.get(fields.email) ?? justJoined), ...fields };
    if (member.user_id === null && member.status === "joined") member.user_id = ids.next();
    if (member.user_id !== null) ids.keep(member.user_id);
    byEmail.set(member.email, member);
    version++;
    return { ...member };
  }
  given.forEach(put);

  return {
    objects: {
      members: () => [...byEmail.values()].map((member) => ({ ...member })),
      putMember: put,
      removeMember: (email) => {
        version++;
        return byEmail.delete(email);
      },
      setMembers: (members) => {
        byEmail.clear();
        version++;
        members.forEach(put);
      },
      setCreditLimits: (changed) => {
        limits = { ...limits, ...changed };
      },
    },
    limits: () => ({ ...limits }),
    current: () => ({ members: [...byEmail.values()], version }),
  };
}

const justJoined: Member = {
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
