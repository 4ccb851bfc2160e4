import assert from "node:assert/strict";
import fc from "fast-check";
import { membersLookup } from "../../provider/lookups/members";
import { crowd, onService } from "./support";

describe("getMembers", () => {
  const { ask, failure, simulator, clock, lines } = onService();
  const bodies = (): Record<string, unknown>[] => simulator.requests.map(({ body }) => body as Record<string, unknown>);

  it("returns members and invitations in camelCase, times with a zone, without missing values", async () => {
    simulator.objects.setCreditLimits({ monthly_limit: 1000, default_member_credit_limit: 20 });
    const result = await ask(membersLookup, {});
    assert.deepEqual(
      result.members.map(({ email }) => email),
      ["owner@example.com", "admin@example.com", "editor@example.com", "viewer@example.com", "invited@example.com"],
    );
    assert.deepEqual(result.members[1], {
      email: "admin@example.com",
      role: "admin",
      userId: "user_1",
      fullName: "Ada Admin",
      status: "joined",
      accessState: "active",
      assignedVia: "direct",
      appsOwned: 0,
      appsShared: 0,
      agentsOwned: 0,
      agentsShared: 0,
      isDefaultLimit: true,
      creditsUsed: 0,
      lastActive: "2026-01-02T03:04:05.000Z",
    });
    assert.equal(result.members[2]?.creditLimit, 50);
    assert.ok(!("userId" in (result.members[4] ?? {})));
    const { total, monthlyLimit, defaultMemberCreditLimit, repeatsRemoved, totalDisagrees, notes } = result;
    assert.deepEqual(
      [total, monthlyLimit, defaultMemberCreditLimit, repeatsRemoved, totalDisagrees, notes],
      [5, 1000, 20, 0, false, []],
    );
    assert.deepEqual(bodies(), [{ page_size: 100 }]);
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

  it("removes duplicates that appear because the list moved, and reports a count that disagrees", async () => {
    simulator.objects.setMembers(crowd(6));
    const [first] = simulator.objects.members();
    simulator.fault({
      operation: "member.list",
      skip: 1,
      then: {
        status: 200,
        body: {
          members: [
            { email: "moved@example.com", role: "editor", user_id: first?.user_id },
            { email: "INVITED@example.com", role: "viewer", user_id: null },
            { email: "invited@example.com", role: "viewer" },
          ],
          next_cursor: null,
          has_more: false,
          total: 7,
          monthly_limit: null,
          default_member_credit_limit: null,
        },
      },
    });
    const result = await ask(membersLookup, { pageSize: 5 });
    assert.deepEqual([result.members.length, result.repeatsRemoved, result.totalDisagrees], [6, 2, true]);
    assert.match(result.notes.join(), /counts 7 members but lists 6/);
    assert.match(lines.warned.join(), /^getMembers: The service counts 7 members but lists 6/);
  });

  it("returns an empty list without an error", async () => {
    const result = await ask(membersLookup, { search: "nobody at all" });
    assert.deepEqual([result.members, result.total, result.notes], [[], 0, []]);
  });

  it("returns what a member who is neither owner nor admin may see, without made-up zeros", async () => {
    simulator.fault({
      operation: "member.list",
      then: {
        status: 200,
        body: {
          members: [{ email: "a@example.com", role: "viewer", user_id: "u", credits_used: null, last_seen: null }],
          next_cursor: null,
          has_more: false,
          total: 1,
          monthly_limit: null,
          default_member_credit_limit: null,
        },
      },
    });
    const { members } = await ask(membersLookup, {});
    assert.deepEqual(members, [{ email: "a@example.com", role: "viewer", userId: "u" }]);
  });

  for (const [what, page] of Object.entries({
    "repeats a cursor": { next_cursor: "again", has_more: true },
    "says that there is more without a cursor": { next_cursor: null, has_more: true },
  }))
    it(`fails on a list that ${what}`, async () => {
      const body = { members: [{ email: "a@example.com", role: "owner" }], total: 9, ...page };
      simulator.fault({ operation: "member.list", times: "always", then: { status: 200, body } });
      assert.match(
        await failure(membersLookup, {}),
        /^getMembers: The list of members says that there is more, but gives no new next_cursor\./,
      );
    });

  it("fails on a list that never ends", async () => {
    for (let page = 0; page < 5; page++)
      simulator.fault({
        operation: "member.list",
        then: {
          status: 200,
          body: { members: [], total: 9, next_cursor: `c${String(page)}`, has_more: true },
        },
      });
    assert.match(
      await failure(membersLookup, {}),
      /^getMembers: The list of members has two pages in a row without a row\./,
    );
    assert.equal(simulator.requests.length, 2);
  });

  it("fails on a list that repeats itself under new cursors", async () => {
    const members = Array.from({ length: 100 }, (_, index) => ({
      email: `${String(index)}@example.com`,
      role: "guest",
    }));
    for (let page = 0; page < 20; page++)
      simulator.fault({
        operation: "member.list",
        then: { status: 200, body: { members, total: 100, next_cursor: `c${String(page)}`, has_more: true } },
      });
    assert.match(await failure(membersLookup, {}), /does not end: it returned 1400 rows, but its total is 100/);
  });

  it("continues when the list moves and pages contain nobody new", async () => {
    const row = (name: string) => ({ email: `${name}@example.com`, role: "guest" });
    const pages = [["a"], ["a"], ["a"], ["a"], ["b"]].map((names) => names.map(row));
    pages.forEach((members, index) => {
      const has_more = index < pages.length - 1;
      const body = { members, total: 2, next_cursor: has_more ? `c${String(index)}` : null, has_more };
      simulator.fault({ operation: "member.list", then: { status: 200, body } });
    });
    const result = await ask(membersLookup, { pageSize: 1 });
    assert.deepEqual([result.members.length, result.repeatsRemoved], [2, 3]);
  });

  it("sends time bounds as ISO 8601 with a zone, and refuses invalid days", async () => {
    await ask(membersLookup, { lastActive: { gte: "2026-01-02", lte: "2026-01-03 04:05:06+02" } });
    const { body } = simulator.requests[0] as { body: { last_active: object } };
    assert.deepEqual(body.last_active, { gte: "2026-01-02T00:00:00Z", lte: "2026-01-03T04:05:06+02:00" });
    assert.match(
      await failure(membersLookup, { lastActive: { gte: "2026-02-30T00:00:00Z" } }),
      /must be an ISO 8601 time/,
    );
  });

  describe("refuses without a request", () => {
    const refused: [string, object, RegExp][] = [
      [
        "a long search",
        { search: "x".repeat(257) },
        /^getMembers: search must have 0 to 256 characters\. No request was sent\./,
      ],
      ["too many terms", { searchTerms: Array(201).fill("a") }, /searchTerms must hold at most 200/],
      ["a long term", { searchTerms: ["a", "x".repeat(257)] }, /searchTerms\[1\] must have 0 to 256 characters/],
      ["too many roles", { roles: Array(21).fill("owner") }, /roles must hold at most 20/],
      ["an unknown role", { roles: ["king"] }, /roles\[0\] must be one of "owner"/],
      ["too many statuses", { inviteStatuses: Array(4).fill("joined") }, /inviteStatuses must hold at most 3/],
      ["sortBy alone", { sortBy: "role" }, /sortBy requires sortDir/],
      ["sortDir alone", { sortDir: "asc" }, /sortDir requires sortBy/],
      ["an unknown order", { sortBy: "age", sortDir: "up" }, /sortBy must be one of .*; sortDir must be one of/],
      ["a page too small", { pageSize: 0 }, /pageSize must be a whole number from 1 to 100/],
      ["half a page", { pageSize: 1.5 }, /pageSize must be a whole number from 1 to 100/],
      ["a wrong range", { appsOwned: { gte: "3" } }, /appsOwned\.gte must be a number/],
      ["a wrong bound", { agentsOwned: { above: 3 } }, /agentsOwned\.above: unknown argument\. No request was sent\./],
      ["no time", { lastActive: { gte: "yesterday" } }, /lastActive\.gte must be an ISO 8601 time/],
      [
        "a misspelled argument",
        { serach: "x" },
        /^getMembers: serach: unknown argument; did you mean "search"\? No request was sent\.$/,
      ],
    ];
    for (const [what, args, words] of refused)
      it(what, async () => {
        assert.match(await failure(membersLookup, args), words);
        assert.deepEqual(simulator.requests, []);
      });

    it("every page size and every length out of bounds, and none within", () => {
      const passes = (args: object): boolean => membersLookup.args.safeParse(args).success;
      fc.assert(
        fc.property(
          fc.integer({ min: -5, max: 300 }),
          (pageSize) => passes({ pageSize }) === (pageSize >= 1 && pageSize <= 100),
        ),
      );
      fc.assert(
        fc.property(fc.string({ unit: "grapheme", minLength: 200, maxLength: 320 }), (search) => {
          const fits = Array.from(search).length <= 256;
          return passes({ search }) === fits && passes({ searchTerms: [search] }) === fits;
        }),
      );
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 210 }),
          (terms) => passes({ searchTerms: Array(terms).fill("a") }) === terms <= 200,
        ),
      );
    });
  });
});
