import assert from "node:assert/strict";
import { membersLookup } from "../../provider/lookups/members";
import { send } from "../simulator/support";
import { crowd, onService } from "./support";

/** A page of the list, as the service sends it. */
const page = (members: readonly object[], more: object = {}): object => ({
  members,
  next_cursor: null,
  has_more: false,
  total: members.length,
  monthly_limit: null,
  default_member_credit_limit: null,
  ...more,
});

const guest = (name: string) => ({ email: `${name}@example.com`, role: "guest" });

describe("getMembers", () => {
  const { ask, failure, simulator, clock, lines } = onService();
  const bodies = (): Record<string, unknown>[] => simulator.requests.map(({ body }) => body as Record<string, unknown>);
  const answer = (body: object): void => {
    simulator.fault({ operation: "member.list", then: { status: 200, body } });
  };

  it("returns members and invitations, those without a user id too", async () => {
    const { members, total, repeatsRemoved, totalDisagrees, notes } = await ask(membersLookup, {});
    assert.deepEqual(
      members.map(({ email, userId, creditLimit }) => [email, userId, creditLimit]),
      [
        ["owner@example.com", "user", undefined],
        ["admin@example.com", "user_1", undefined],
        ["editor@example.com", "user_2", 50],
        ["viewer@example.com", "user_3", undefined],
        ["invited@example.com", undefined, undefined],
      ],
    );
    assert.deepEqual([total, repeatsRemoved, totalDisagrees, notes], [5, 0, false, []]);
    assert.deepEqual(bodies(), [{ page_size: 100 }]);
  });

  it("leaves out credit limits that the service sends as null, which means unlimited, and not those of 0", async () => {
    const unlimited = await ask(membersLookup, {});
    assert.ok(!("monthlyLimit" in unlimited) && !("defaultMemberCreditLimit" in unlimited));
    for (const limit of [0, 1000]) {
      simulator.objects.setCreditLimits({ monthly_limit: limit, default_member_credit_limit: limit });
      const { monthlyLimit, defaultMemberCreditLimit } = await ask(membersLookup, {}, String(limit));
      assert.deepEqual([monthlyLimit, defaultMemberCreditLimit], [limit, limit]);
    }
  });

  it("leaves out a missing time, however the service writes it", async () => {
    for (const none of [{}, { last_active: null, last_seen: null }, { last_active: "", last_seen: "" }]) {
      answer(page([{ ...guest("a"), ...none }]));
      // Equal look-ups that waited for the same share one response.
      const { members } = await ask(membersLookup, {}, JSON.stringify(none));
      assert.deepEqual(members, [guest("a")]);
    }
  });

  it("accepts any value of access_state, assigned_via and status, and unknown roles", async () => {
    const [access_state, assigned_via, status, role] = ["ASLEEP", "carrier pigeon", "", "emperor"];
    answer(page([{ email: "a@example.com", access_state, assigned_via, status, role }]));
    const { members } = await ask(membersLookup, {});
    assert.deepEqual(members, [
      { email: "a@example.com", accessState: access_state, assignedVia: assigned_via, status, role },
    ]);
  });

  it("sends every filter under the service's name, and only the cursor changes between pages", async () => {
    simulator.objects.setMembers(crowd(5));
    const { members } = await ask(membersLookup, {
      search: "MEMBER",
      searchTerms: ["1@", "2@", "3@"],
      sortBy: "credits",
      sortDir: "desc",
      roles: ["editor"],
      inviteStatuses: ["joined"],
      creditLimitSet: false,
      appsOwned: { gte: 0 },
      agentsOwned: { lte: 5 },
      lastActive: { gte: "2026-01-01T00:00:00Z", lte: "2026-02-01T00:00:00Z" },
      pageSize: 2,
    });
    assert.deepEqual(
      members.map(({ creditsUsed }) => creditsUsed),
      [3, 2, 1],
    );
    const body = {
      search: "MEMBER",
      search_terms: ["1@", "2@", "3@"],
      sort_by: "credits",
      sort_dir: "desc",
      roles: ["editor"],
      invite_statuses: ["joined"],
      credit_limit_set: false,
      apps_owned: { gte: 0 },
      agents_owned: { lte: 5 },
      last_active: { gte: "2026-01-01T00:00:00Z", lte: "2026-02-01T00:00:00Z" },
      page_size: 2,
    };
    assert.deepEqual(bodies(), [body, { ...body, cursor: "members-after-2" }]);
  });

  it("sends time bounds as ISO 8601 with a zone", async () => {
    await ask(membersLookup, { lastActive: { gte: "2026-01-02", lte: "2026-01-03 04:05:06+02" } });
    const bounds = { gte: "2026-01-02T00:00:00Z", lte: "2026-01-03T04:05:06+02:00" };
    assert.deepEqual(bodies()[0]?.["last_active"], bounds);
  });

  it("accepts lists and texts up to the maximum length", async () => {
    const search = "x".repeat(256);
    for (const args of [
      { roles: Array(20).fill("owner") },
      { inviteStatuses: ["joined", "pending", "expired"] },
      { search, searchTerms: Array(200).fill(search) },
    ])
      await ask(membersLookup, args);
    assert.deepEqual(
      simulator.requests.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it("requests 100 per page, where the service's default is 50, and 1 on request", async () => {
    simulator.objects.setMembers(crowd(120));
    assert.equal((await ask(membersLookup, {})).members.length, 120);
    assert.deepEqual(bodies(), [{ page_size: 100 }, { page_size: 100, cursor: "members-after-100" }]);
    const { text } = await send(simulator, "POST", "/api/workspace/members/list", { body: {} });
    const { members, total } = JSON.parse(text) as { members: unknown[]; total: number };
    assert.deepEqual([members.length, total], [50, 120]);
    simulator.objects.setMembers(crowd(2));
    assert.equal((await ask(membersLookup, { pageSize: 1 })).members.length, 2);
  });

  it("reads 10,000 members to the end within 30 requests a minute, and says what it waits for", async () => {
    simulator.objects.setMembers(crowd(10_000));
    const begun = clock.now();
    const { members, total, totalDisagrees } = await ask(membersLookup, {});
    assert.deepEqual([members.length, total, totalDisagrees], [10_000, 10_000, false]);
    assert.equal(new Set(members.map(({ userId }) => userId)).size, 10_000);
    assert.equal(simulator.requests.length, 100);
    assert.ok(
      simulator.requests.every(({ status }) => status === 200),
      "no request met the limit",
    );
    const times = simulator.requests.map(({ at }) => Date.parse(at));
    times.slice(30).forEach((time, index) => {
      assert.ok(time - (times[index] ?? 0) >= 60_000, "31 requests within a minute");
    });
    assert.equal(Math.round((clock.now() - begun) / 60_000), 3);
    assert.deepEqual([...new Set(lines.said)], ["getMembers: member.list: waiting 61 s for its rate limit."]);
  }).timeout(30_000);

  it("waits as long as the service asks when others used up the limit, and says so", async () => {
    simulator.fault({ operation: "member.list", then: { status: 429, headers: { "retry-after": "20" } } });
    assert.equal((await ask(membersLookup, {})).total, 5);
    assert.match(lines.said.join(), /^getMembers: member\.list: waiting 21 s for its rate limit\.$/);
  });

  it("returns an empty list without an error", async () => {
    const result = await ask(membersLookup, { search: "nobody at all" });
    assert.deepEqual([result.members, result.total, result.notes], [[], 0, []]);
  });

  it("stops when has_more is false, whatever next_cursor is", async () => {
    answer(page([guest("a")], { next_cursor: "further" }));
    assert.equal((await ask(membersLookup, {})).members.length, 1);
    assert.equal(simulator.requests.length, 1);
  });

  it("removes duplicates that appear because the list moved, and reports a count that disagrees", async () => {
    simulator.objects.setMembers(crowd(6));
    const [first] = simulator.objects.members();
    const moved = [
      { ...guest("moved"), user_id: first?.user_id },
      { ...guest("INVITED"), user_id: null },
      guest("invited"),
    ];
    simulator.fault({
      operation: "member.list",
      skip: 1,
      then: { status: 200, body: page(moved, { total: 7 }) },
    });
    const result = await ask(membersLookup, { pageSize: 5 });
    assert.deepEqual([result.members.length, result.repeatsRemoved, result.totalDisagrees], [6, 2, true]);
    assert.match(result.notes.join(), /counts 7 members but lists 6/);
    assert.match(lines.warned.join(), /^getMembers: The service counts 7 members but lists 6/);
  });

  it("continues when the list moves and pages contain nobody new", async () => {
    for (const [index, name] of ["a", "a", "a", "a", "b"].entries()) {
      const next = index < 4 ? { next_cursor: `c${String(index)}`, has_more: true } : {};
      answer(page([guest(name)], { total: 2, ...next }));
    }
    const result = await ask(membersLookup, { pageSize: 1 });
    assert.deepEqual([result.members.length, result.repeatsRemoved], [2, 3]);
  });

  const many = Array.from({ length: 100 }, (_, index) => guest(String(index)));
  for (const [what, members, cursorOf, requests, words] of [
    ["repeats a cursor", [guest("a")], () => "again", 2, "says that there is more, but gives no new next_cursor."],
    ["gives no cursor", [guest("a")], () => null, 1, "says that there is more, but gives no new next_cursor."],
    ["is empty and never ends", [], String, 2, "has two pages in a row without a row."],
    [
      "repeats itself under new cursors",
      many,
      String,
      14,
      "does not end: it returned 1400 rows, but its total is 100.",
    ],
  ] as const)
    it(`fails on a list that ${what}`, async () => {
      for (let index = 0; index < 20; index++)
        answer(page(members, { total: 100, next_cursor: cursorOf(index), has_more: true }));
      const [message = ""] = (await failure(membersLookup, {})).split("\n");
      assert.equal(message, `getMembers: The list of members ${words} [WA1704]`);
      assert.equal(simulator.requests.length, requests);
    });
});

describe("getMembers with filters", () => {
  const { ask } = onService(
    {},
    {
      members: [
        { email: "two@example.com", full_name: "Yves", role: "admin", agents_owned: 2, agents_shared: 2 },
        {
          ...{ email: "three@example.com", role: "editor", credit_limit: 20, is_default_limit: true, credits_used: 9 },
          last_active: "2026-01-01T00:00:00.000Z",
        },
        { email: "four@example.com", full_name: "Xena", role: "viewer", credit_limit: 20, is_default_limit: false },
        { email: "five@example.com", role: "guest", last_active: "2026-01-02T00:00:00.000Z", agents_shared: 3 },
        { email: "six@example.com", role: "guest", status: "pending" },
        { email: "seven@example.com", role: "guest", status: "expired" },
        { email: "one@example.com", full_name: "Zora", role: "owner", apps_owned: 1, apps_shared: 2, credits_used: 4 },
      ],
    },
  );

  const sorted = (sortBy: string, sortDir: string): object => ({ inviteStatuses: ["joined"], sortBy, sortDir });
  const table: Readonly<Record<string, readonly (readonly [args: object, found: string])[]>> = {
    "finds a term in email, name, role or status, ignoring case": [
      [{ search: "FOUR@Ex" }, "four"],
      [{ search: "YVE" }, "two"],
      [{ search: "wner" }, "one"],
      [{ search: "PENDING" }, "six"],
    ],
    "finds any of several terms": [
      [{ searchTerms: ["nobody", "FOUR@Ex"] }, "four"],
      [{ searchTerms: ["YVE", "wner"] }, "one two"],
      [{ search: "example", searchTerms: ["YVE"] }, "two"],
    ],
    "sorts by each of the six keys in both directions": [
      [sorted("member", "asc"), "five three four two one"],
      [sorted("member", "desc"), "one two four three five"],
      [sorted("credits", "asc"), "two four five one three"],
      [sorted("credits", "desc"), "three one two four five"],
      [sorted("apps", "asc"), "two three four five one"],
      [sorted("apps", "desc"), "one two three four five"],
      [sorted("agents", "asc"), "one three four five two"],
      [sorted("agents", "desc"), "two five one three four"],
      [sorted("last_active", "asc"), "three five one two four"],
      [sorted("last_active", "desc"), "five three one two four"],
      [sorted("role", "asc"), "one two three four five"],
      [sorted("role", "desc"), "five four three two one"],
    ],
    "filters by each role and each invitation status": [
      [{ roles: ["owner"] }, "one"],
      [{ roles: ["admin"] }, "two"],
      [{ roles: ["editor"] }, "three"],
      [{ roles: ["viewer"] }, "four"],
      [{ roles: ["guest"] }, "five seven six"],
      [{ inviteStatuses: ["joined"] }, "one two three four five"],
      [{ inviteStatuses: ["pending"] }, "six"],
      [{ inviteStatuses: ["expired"] }, "seven"],
      [{ roles: ["guest", "owner"], inviteStatuses: ["pending", "joined"] }, "one five six"],
    ],
    "does not count the workspace's default limit as a member's own limit": [
      [{ creditLimitSet: true }, "four"],
      [{ creditLimitSet: false }, "one two three five seven six"],
    ],
    "counts apps and agents, owned and shared, together, with both bounds": [
      [{ appsOwned: { gte: 3, lte: 3 } }, "one"],
      [{ agentsOwned: { gte: 4 } }, "two"],
      [{ agentsOwned: { gte: 1, lte: 3 } }, "five"],
      [{ appsOwned: { lte: 0 }, roles: ["owner", "admin"] }, "two"],
    ],
    "matches by last activity only members who used credits": [
      [{ lastActive: {} }, "three five"],
      [{ lastActive: { lte: "2026-01-02T00:00:00" } }, "three five"],
      [{ lastActive: { gte: "2026-01-02T00:00:00" } }, "five"],
      [{ lastActive: { gte: "2026-01-02T00:00:00.001Z" } }, ""],
    ],
  };
  for (const [title, rows] of Object.entries(table))
    it(title, async () => {
      for (const [args, found] of rows) {
        const { members } = await ask(membersLookup, args);
        const names = members.map(({ email }) => email.replace(/@.*/, ""));
        assert.equal(names.join(" "), found, JSON.stringify(args));
      }
    });
});

describe("getMembers for a user who is neither owner nor admin", () => {
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
