import assert from "node:assert/strict";
import { operations } from "../../provider/service/operations";
import { createdWebhook, removedFolderItem, timestamp, webhook } from "../../provider/service/shapes";

const wire = {
  id: "hook-1",
  target_url: "https://hooks.example.com/a",
  events: ["message.created"],
  description: null,
  has_secret: false,
  disabled_at: null,
  created_date: "2026-01-02T03:04:05.678901",
  secret: null,
};

describe("A timestamp", () => {
  it("is returned with a zone whether or not the service sends one", () => {
    assert.equal(timestamp.parse("2026-01-02T03:04:05"), "2026-01-02T03:04:05Z");
    assert.equal(timestamp.parse("2026-01-02T03:04:05.678901"), "2026-01-02T03:04:05.678901Z");
    for (const text of ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.6Z", "2026-01-02T03:04:05+02:00"])
      assert.equal(timestamp.parse(text), text);
  });

  it("of a record and of a test just read has a zone too", () => {
    for (const id of ["record.get", "test.get", "test.create"] as const) {
      const answer = operations[id].answer.parse({ id: "1", created_date: "2026-01-02T03:04:05" });
      assert.equal(answer["created_date"], "2026-01-02T03:04:05Z", id);
    }
  });

  it("must be valid", () => {
    for (const value of ["yesterday", "", "2026-13-45T00:00:00Z", 7, null, undefined])
      assert.ok(!timestamp.safeParse(value).success, String(value));
  });
});

describe("A response", () => {
  it("may contain unknown fields", () => {
    const more = { ...wire, plan: "beta", nested: { deep: [1] } };
    assert.deepEqual(webhook.parse(more), { ...more, created_date: `${wire.created_date}Z` });
    assert.deepEqual(createdWebhook.parse({ id: "hook-1", plan: "beta" }), { id: "hook-1", plan: "beta" });
    assert.deepEqual(removedFolderItem.parse({ unlinked: true, more: 1 }), { unlinked: true, more: 1 });
  });

  it("may omit optional values, and must have the others", () => {
    for (const field of ["description", "disabled_at", "secret"])
      assert.ok(webhook.safeParse({ ...wire, [field]: undefined }).success, field);
    for (const field of ["id", "target_url", "events", "has_secret", "created_date"]) {
      const problem = webhook.safeParse({ ...wire, [field]: undefined }).error?.issues[0];
      assert.deepEqual(problem?.path, [field]);
    }
  });

  it("of a folder item removal must say that it was unlinked", () => {
    assert.ok(!removedFolderItem.safeParse({ unlinked: false }).success);
    assert.ok(!removedFolderItem.safeParse({}).success);
  });

  it("that is a list names the invalid field of a row, in either form", () => {
    const rows = [wire, { ...wire, has_secret: "no" }];
    for (const list of [rows, { webhooks: rows }]) {
      const problems = operations["webhook.list"].answer.safeParse(list).error?.issues ?? [];
      assert.deepEqual(
        problems.map(({ path }) => path),
        [["webhooks", 1, "has_secret"]],
      );
    }
  });
});

describe("A list of only invalid rows", () => {
  it("is rejected after a few of them, because describing all would take a minute and gigabytes", () => {
    const rows = Array.from({ length: 100_000 }, () => 0);
    for (const [id, answer] of [
      ["webhook.list", rows],
      ["campaign.list", { campaigns: rows }],
      ["record.list", { items: rows }],
      ["member.list", { members: rows, has_more: false, total: 0 }],
      ["geoTarget.search", rows],
      ["searchTerm.report", rows],
      ["searchTheme.suggest", { search_themes: rows }],
      ["asset.list", { library: rows }],
      ["connector.fields", { fields: rows, connection_config: null }],
      ["scan.get", { status: "done", ignored_fingerprints: rows }],
    ] as const) {
      const problems = operations[id].answer.safeParse(answer).error?.issues ?? [];
      assert.equal(problems.length, 6, id);
      assert.match(problems[5]?.path.join(".") ?? "", /\b\d$/, id);
    }
  });
});
