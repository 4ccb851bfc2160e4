import assert from "node:assert/strict";
import { operations } from "../../provider/service/operations";
import type { GivenMember } from "../../simulator";
import { bearer, type Headers, onSimulator } from "./support";

interface Page {
  members: Record<string, unknown>[];
  next_cursor: string | null;
  has_more: boolean;
  total: number;
}

const members: GivenMember[] = [
  { email: "zoe@example.com", full_name: "Zoe", role: "owner", user_id: "zoe", apps_owned: 1, credits_used: 5 },
  { email: "amy@example.com", full_name: "", role: "editor", user_id: "amy", apps_shared: 3, agents_owned: 2 },
  {
    ...{ email: "bob@example.com", full_name: "Bob", role: "editor", user_id: "bob", credits_used: 9 },
    ...{ last_active: "2026-03-01T00:00:00.000Z", last_seen: "2026-03-02T00:00:00.000Z" },
    ...{ credit_limit: 10, is_default_limit: false },
  },
  {
    ...{ email: "cat@example.com", full_name: "Cat", role: "viewer", agents_shared: 1 },
    last_active: "2026-02-01T00:00:00.000Z",
  },
  { email: "ann@example.com", role: "admin", status: "pending" },
  { email: "old@example.com", role: "guest", status: "expired" },
  { email: "help@staff.example.com", role: "guest" },
  { email: "invited@staff.example.com", role: "guest", status: "pending" },
];

describe("The simulator's members", () => {
  const { simulator, ...service } = onSimulator({
    members,
    limits: { "member.list": 1_000 },
    credentials: [
      { value: "full-access-token", kind: "personal-token", user: "zoe" },
      { value: "editor", kind: "personal-token", user: "bob", role: "editor" },
    ],
  });

  const post = (body: unknown, headers?: Headers) => service.post("/api/workspace/members/list", body, headers);
  const list = async (body: object, headers?: Record<string, string>) =>
    (await post(body, headers)).json as unknown as Page;
  const names = async (body: object, headers?: Record<string, string>) =>
    (await list(body, headers)).members.map(({ email }) => String(email).replace(/@.*/, ""));

  it("are listed joined before invited, from owner to guest, by email, without active staff guests", async () => {
    assert.deepEqual(await names({}), ["zoe", "amy", "bob", "cat", "ann", "invited", "old"]);
    assert.ok(operations["member.list"].answer.safeParse(await list({})).success);
  });

  it("match every given filter", async () => {
    for (const [body, expected] of [
      [{ search: "EDIT" }, ["amy", "bob"]],
      [{ search: "pending" }, ["ann", "invited"]],
      [{ search_terms: ["zoe", "BOB@"] }, ["zoe", "bob"]],
      [{ search: "example", search_terms: ["cat"] }, ["cat"]],
      [{ roles: ["viewer", "guest"] }, ["cat", "invited", "old"]],
      [{ invite_statuses: ["expired"] }, ["old"]],
      [{ credit_limit_set: true }, ["bob"]],
      [{ credit_limit_set: false, roles: ["editor"] }, ["amy"]],
      [{ apps_owned: { gte: 1, lte: 3 } }, ["zoe", "amy"]],
      [{ agents_owned: { gte: 2 } }, ["amy"]],
      [{ last_active: { gte: "2026-02-15T00:00:00" } }, ["bob"]],
      [{ last_active: { lte: "2026-02-15T00:00:00Z" } }, ["cat"]],
      [{ search: null, roles: null }, ["zoe", "amy", "bob", "cat", "ann", "invited", "old"]],
    ] as const)
      assert.deepEqual(await names(body), expected, JSON.stringify(body));
  });

  it("are sorted as requested, ties in the default order, and members without used credits last", async () => {
    const joined = { invite_statuses: ["joined"] };
    for (const [sort_by, sort_dir, expected] of [
      ["member", "asc", ["amy", "bob", "cat", "zoe"]],
      ["credits", "desc", ["bob", "zoe", "amy", "cat"]],
      ["apps", "desc", ["amy", "zoe", "bob", "cat"]],
      ["agents", "desc", ["amy", "cat", "zoe", "bob"]],
      ["last_active", "asc", ["cat", "bob", "zoe", "amy"]],
      ["last_active", "desc", ["bob", "cat", "zoe", "amy"]],
      ["role", "desc", ["cat", "amy", "bob", "zoe"]],
    ] as const)
      assert.deepEqual(await names({ ...joined, sort_by, sort_dir }), expected, `${sort_by} ${sort_dir}`);
  });

  it("are paged by cursors, and an unknown cursor starts again", async () => {
    const first = await list({ page_size: 4 });
    assert.deepEqual([first.members.length, first.has_more, first.total], [4, true, 7]);
    const last = await list({ page_size: 4, cursor: first.next_cursor });
    assert.deepEqual([last.members.length, last.has_more, last.next_cursor], [3, false, null]);
    assert.equal((await names({ page_size: 1, cursor: "made up" }))[0], "zoe");
  });

  it("repeat a member when the list moves between two pages", async () => {
    const { next_cursor } = await list({ page_size: 2 });
    simulator.objects.putMember({ email: "aaa@example.com", role: "owner" });
    assert.deepEqual(await names({ page_size: 2, cursor: next_cursor }), ["amy", "bob"]);
    assert.ok(simulator.objects.removeMember("aaa@example.com"));
    assert.ok(!simulator.objects.removeMember("aaa@example.com"));
  });

  it("show credits and last visits to owners and admins, and to others only in their own row", async () => {
    const rowOf = async (user: string, headers?: Record<string, string>) => {
      const row = (await list({}, headers)).members.find(({ user_id }) => user_id === user);
      return [row?.["credits_used"], row?.["last_seen"]];
    };
    assert.deepEqual(await rowOf("bob"), [9, "2026-03-02T00:00:00.000"]);
    assert.deepEqual(await rowOf("bob", bearer("editor")), [9, "2026-03-02T00:00:00.000"]);
    assert.deepEqual(await rowOf("zoe", bearer("editor")), [null, null]);
    const sort = { sort_by: "credits", sort_dir: "desc", invite_statuses: ["joined"] };
    assert.deepEqual(await names(sort, bearer("editor")), ["zoe", "amy", "bob", "cat"]);
  });

  it("are returned with the workspace's limits", async () => {
    assert.match((await post({})).text, /"monthly_limit":null,"default_member_credit_limit":null/);
    simulator.objects.setCreditLimits({ monthly_limit: 7 });
    assert.match((await post({})).text, /"monthly_limit":7/);
  });

  it("refuse values out of bounds", async () => {
    for (const body of [
      { search: "x".repeat(257) },
      { search_terms: Array(201).fill("x") },
      { search_terms: ["x".repeat(257)] },
      { sort_by: "role" },
      { sort_dir: "asc" },
      { roles: ["king"] },
      { roles: Array(21).fill("owner") },
      { invite_statuses: Array(4).fill("joined") },
      { page_size: 0 },
      { page_size: 101 },
      { cursor: "x".repeat(257) },
      { last_active: { gte: "yesterday" } },
      [],
    ])
      assert.equal((await post(body)).status, 422, JSON.stringify(body).slice(0, 80));
  });

  it("are limited to 30 requests a minute", async () => {
    await service.restart({});
    const statuses = [];
    for (let request = 0; request < 31; request++) statuses.push((await post({})).status);
    assert.deepEqual([statuses.indexOf(429), statuses.length], [30, 31]);
  });
});
