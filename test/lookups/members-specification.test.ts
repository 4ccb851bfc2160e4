import assert from "node:assert/strict";
import { membersLookup } from "../../provider/lookups/members";
import type { GivenMember } from "../../simulator";
import { send } from "../simulator/support";
import { onService } from "./support";

const page = (members: object[], more: object = {}): object => ({
  members,
  next_cursor: null,
  has_more: false,
  total: members.length,
  monthly_limit: null,
  default_member_credit_limit: null,
  ...more,
});

describe("getMembers, by the specification", () => {
  const { ask, failure, simulator } = onService();
  const bodies = (): unknown[] => simulator.requests.map(({ body }) => body);
  const answers = (body: object): void => {
    simulator.fault({ operation: "member.list", then: { status: 200, body } });
  };
  const names = async (args: object): Promise<string[]> =>
    (await ask(membersLookup, args)).members.map(({ email }) => email.replace(/@.*/, ""));

  it("returns every field of a member under its own name, times with a zone", async () => {
    answers(
      page([
        {
          access_state: "state",
          agents_owned: 1,
          agents_shared: 2,
          apps_owned: 3,
          apps_shared: 4,
          assigned_via: "via",
          credit_limit: 5.5,
          credits_used: 6.25,
          email: "a@example.com",
          full_name: "Name",
          is_default_limit: false,
          last_active: "2026-01-02T03:04:05",
          last_seen: "2026-02-03T04:05:06.700",
          role: "viewer",
          status: "status",
          user_id: "user",
        },
      ]),
    );
    assert.deepEqual((await ask(membersLookup, {})).members, [
      {
        accessState: "state",
        agentsOwned: 1,
        agentsShared: 2,
        appsOwned: 3,
        appsShared: 4,
        assignedVia: "via",
        creditLimit: 5.5,
        creditsUsed: 6.25,
        email: "a@example.com",
        fullName: "Name",
        isDefaultLimit: false,
        lastActive: "2026-01-02T03:04:05Z",
        lastSeen: "2026-02-03T04:05:06.700Z",
        role: "viewer",
        status: "status",
        userId: "user",
      },
    ]);
  });

  it("leaves out a missing time, however the service writes it", async () => {
    const row = { email: "a@example.com", role: "owner" };
    for (const none of [{}, { last_active: null, last_seen: null }, { last_active: "", last_seen: "" }]) {
      answers(page([{ ...row, ...none }]));
      // Another search, because equal look-ups share one response.
      const { members } = await ask(membersLookup, { search: JSON.stringify(none) });
      assert.deepEqual(members, [row]);
    }
  });

  it("accepts any value of access_state, assigned_via and status, and unknown roles", async () => {
    const [access_state, assigned_via, status, role] = ["ASLEEP", "carrier pigeon", "", "emperor"];
    answers(page([{ email: "a@example.com", access_state, assigned_via, status, role }]));
    const { members } = await ask(membersLookup, {});
    assert.deepEqual(members, [
      { email: "a@example.com", accessState: access_state, assignedVia: assigned_via, status, role },
    ]);
  });

  it("leaves out credit limits that the service sends as null, which means unlimited", async () => {
    const { monthlyLimit, defaultMemberCreditLimit, ...result } = await ask(membersLookup, {});
    assert.deepEqual([monthlyLimit, defaultMemberCreditLimit, result.total], [undefined, undefined, 5]);
    simulator.objects.setCreditLimits({ monthly_limit: 0, default_member_credit_limit: 0 });
    const none = await ask(membersLookup, { pageSize: 50 });
    assert.deepEqual([none.monthlyLimit, none.defaultMemberCreditLimit], [0, 0], "0 is a limit");
  });

  describe("in a separate workspace", () => {
    const people: GivenMember[] = [
      { email: "one@example.com", full_name: "Zora", role: "owner", apps_owned: 1, apps_shared: 2, credits_used: 4 },
      { email: "two@example.com", full_name: "Yves", role: "admin", agents_owned: 2, agents_shared: 2 },
      { email: "three@example.com", role: "editor", credit_limit: 20, is_default_limit: true, credits_used: 9 },
      { email: "four@example.com", full_name: "Xena", role: "viewer", credit_limit: 20, is_default_limit: false },
      { email: "five@example.com", role: "guest", last_active: "2026-01-02T00:00:00.000Z", agents_shared: 3 },
      { email: "six@example.com", role: "guest", status: "pending" },
      { email: "seven@example.com", role: "guest", status: "expired" },
    ];
    beforeEach(() => {
      simulator.objects.setMembers(people);
    });

    it("finds a term in email, name, role or status, ignoring case, and matches any of several terms", async () => {
      for (const [term, expected] of [
        ["FOUR@Ex", ["four"]],
        ["YVE", ["two"]],
        ["wner", ["one"]],
        ["PENDING", ["six"]],
      ] as const) {
        assert.deepEqual(await names({ search: term }), expected, term);
        assert.deepEqual(await names({ searchTerms: ["nobody", term] }), expected, term);
      }
    });

    it("sorts by each of the six keys in both directions", async () => {
      const joined = { inviteStatuses: ["joined"] };
      for (const [sortBy, ascending, descending] of [
        ["member", "five three four two one", "one two four three five"],
        ["credits", "two four five one three", "three one two four five"],
        ["apps", "two three four five one", "one two three four five"],
        ["agents", "one three four five two", "two five one three four"],
        ["last_active", "five one two three four", "five one two three four"],
        ["role", "one two three four five", "five four three two one"],
      ] as const) {
        assert.equal((await names({ ...joined, sortBy, sortDir: "asc" })).join(" "), ascending, sortBy);
        assert.equal((await names({ ...joined, sortBy, sortDir: "desc" })).join(" "), descending, sortBy);
      }
    });

    it("filters by each role and each invitation status", async () => {
      for (const [filter, expected] of [
        [{ roles: ["owner"] }, ["one"]],
        [{ roles: ["admin"] }, ["two"]],
        [{ roles: ["editor"] }, ["three"]],
        [{ roles: ["viewer"] }, ["four"]],
        [{ roles: ["guest"] }, ["five", "seven", "six"]],
        [{ inviteStatuses: ["joined"] }, ["one", "two", "three", "four", "five"]],
        [{ inviteStatuses: ["pending"] }, ["six"]],
        [{ inviteStatuses: ["expired"] }, ["seven"]],
        [{ roles: ["guest", "owner"], inviteStatuses: ["pending", "joined"] }, ["one", "five", "six"]],
      ] as const)
        assert.deepEqual(await names(filter), expected, JSON.stringify(filter));
    });

    it("does not count the workspace's default limit as a member's own limit", async () => {
      assert.deepEqual(await names({ creditLimitSet: true }), ["four"]);
      assert.deepEqual(await names({ creditLimitSet: false }), ["one", "two", "three", "five", "seven", "six"]);
    });

    it("counts apps and agents, owned and shared, together, with both bounds", async () => {
      assert.deepEqual(await names({ appsOwned: { gte: 3, lte: 3 } }), ["one"]);
      assert.deepEqual(await names({ agentsOwned: { gte: 4 } }), ["two"]);
      assert.deepEqual(await names({ agentsOwned: { gte: 1, lte: 3 } }), ["five"]);
      assert.deepEqual(await names({ appsOwned: { lte: 0 }, roles: ["owner", "admin"] }), ["two"]);
    });

    it("matches by last activity only members who used credits", async () => {
      assert.deepEqual(await names({ lastActive: {} }), ["five"]);
      assert.deepEqual(await names({ lastActive: { lte: "2026-01-02T00:00:00" } }), ["five"]);
      assert.deepEqual(await names({ lastActive: { gte: "2026-01-02T00:00:00.001Z" } }), []);
    });
  });

  it("accepts lists and texts up to the maximum length", async () => {
    await ask(membersLookup, { roles: Array(20).fill("owner") });
    await ask(membersLookup, { inviteStatuses: ["joined", "pending", "expired"] });
    await ask(membersLookup, { search: "x".repeat(256), searchTerms: Array(200).fill("x".repeat(256)) });
    assert.deepEqual(
      simulator.requests.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.match(await failure(membersLookup, { inviteStatuses: ["lost"] }), /must be one of "joined"/);
  });

  it("requests 100 per page, where the service's default is 50, and 1 on request", async () => {
    simulator.objects.setMembers(
      Array.from({ length: 120 }, (_, index) => ({ email: `${String(index)}@example.com` })),
    );
    assert.equal((await ask(membersLookup, {})).members.length, 120);
    assert.deepEqual(bodies(), [{ page_size: 100 }, { page_size: 100, cursor: "members-after-100" }]);
    const { text } = await send(simulator, "POST", "/api/workspace/members/list", { body: {} });
    const { members, total } = JSON.parse(text) as { members: unknown[]; total: number };
    assert.deepEqual([members.length, total], [50, 120]);
    simulator.objects.setMembers([{ email: "a@example.com" }, { email: "b@example.com" }]);
    assert.deepEqual(await names({ pageSize: 1 }), ["a", "b"]);
  });

  it("stops when has_more is false, whatever next_cursor is", async () => {
    answers(page([{ email: "a@example.com", role: "owner" }], { next_cursor: "further" }));
    assert.equal((await ask(membersLookup, {})).members.length, 1);
    assert.equal(simulator.requests.length, 1);
  });
});

describe("getMembers for a user who is neither owner nor admin, by the specification", () => {
  const { ask } = onService(
    { accessToken: "editor" },
    {
      members: [
        { email: "one@example.com", role: "owner", credits_used: 3, last_seen: "2026-01-01T00:00:00.000Z" },
        { email: "two@example.com", user_id: "me", credits_used: 5, last_seen: "2026-01-02T00:00:00.000Z" },
        { email: "three@example.com", role: "viewer", credits_used: 9 },
      ],
      credentials: [{ value: "editor", kind: "personal-token", user: "me", role: "editor" }],
    },
  );

  it("returns credits and last visits only in the user's own row, in the default order when sorted by credits", async () => {
    const { members } = await ask(membersLookup, { sortBy: "credits", sortDir: "desc" });
    assert.deepEqual(
      members.map(({ email, creditsUsed, lastSeen }) => [email, creditsUsed, lastSeen]),
      [
        ["one@example.com", undefined, undefined],
        ["two@example.com", 5, "2026-01-02T00:00:00.000Z"],
        ["three@example.com", undefined, undefined],
      ],
    );
  });
});
