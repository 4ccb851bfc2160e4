import assert from "node:assert/strict";
import { operations } from "../../provider/service/operations";
import type { GivenMember } from "../../simulator";
import { onSimulator } from "./support";

interface Page {
  members: Record<string, unknown>[];
  next_cursor: string | null;
  has_more: boolean;
  total: number;
}

const members: GivenMember[] = [
  { email: "zoe@example.com", role: "owner", user_id: "user" },
  { email: "amy@example.com", role: "editor" },
  { email: "bob@example.com", role: "editor", credits_used: 9, last_seen: "2026-03-02T00:00:00.000Z" },
  { email: "cat@example.com", role: "viewer" },
  { email: "ann@example.com", role: "admin", status: "pending" },
  { email: "old@example.com", role: "guest", status: "expired" },
  { email: "help@staff.example.com", role: "guest" },
  { email: "invited@staff.example.com", role: "guest", status: "pending" },
];

describe("The simulator's members", () => {
  const { simulator, ...service } = onSimulator({ members, limits: { "member.list": 1_000 } });

  const post = (body: unknown) => service.post("/api/workspace/members/list", body);
  const list = async (body: object) => (await post(body)).json as unknown as Page;
  const names = async (body: object) => (await list(body)).members.map(({ email }) => String(email).replace(/@.*/, ""));

  it("are listed joined before invited, from owner to guest, by email, without active staff guests", async () => {
    const all = ["zoe", "amy", "bob", "cat", "ann", "invited", "old"];
    for (const body of [{}, { search: null, roles: null, sort_by: null }]) assert.deepEqual(await names(body), all);
    const page = await list({});
    assert.ok(operations["member.list"].answer.safeParse(page).success);
    const { credits_used, last_seen } = page.members[2] ?? {};
    assert.deepEqual([credits_used, last_seen], [9, "2026-03-02T00:00:00.000"], "an owner sees those of others");
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
});
