import assert from "node:assert/strict";
import { folderItemsLookup } from "../../provider/lookups/folder-items";
import { recordsLookup } from "../../provider/lookups/records";
import type { Lookup } from "../../provider/lookups/shared/lookup";
import { testFlowsLookup } from "../../provider/lookups/test-flows";
import { webhooksLookup } from "../../provider/lookups/webhooks";
import { onService } from "./support";

describe("getWebhooks", () => {
  const { ask, simulator } = onService();

  it("returns every webhook of the agent, and no secret", async () => {
    simulator.objects.putWebhook("agent", {
      id: "w1",
      target_url: "https://hooks.example.com/one",
      disabled_at: "2026-01-02T00:00:00.000Z",
      has_secret: true,
      consecutive_failures: 20,
    });
    simulator.objects.putWebhook("agent", { id: "w2", description: "Orders" });
    simulator.objects.putWebhook("other", { id: "w3" });
    const { webhooks } = await ask(webhooksLookup, { agentId: "agent" });
    assert.deepEqual(
      webhooks.map(({ webhookId, enabled, description }) => [webhookId, enabled, description]),
      [
        ["w1", false, undefined],
        ["w2", true, "Orders"],
      ],
    );
    assert.equal(webhooks[0]?.consecutiveFailures, 20);
    assert.ok(!webhooks.some((webhook) => "secret" in webhook));
  });

  it("reads a webhook by itself where the list does not say whether it is on", async () => {
    simulator.objects.putWebhook("agent", { id: "w1", disabled_at: "2026-01-02T00:00:00.000Z" });
    const row = {
      id: "w1",
      target_url: "https://a.example",
      events: [],
      has_secret: false,
      created_date: "2026-01-01",
    };
    simulator.fault({ operation: "webhook.list", then: { status: 200, body: [row] } });
    const { webhooks } = await ask(webhooksLookup, { agentId: "agent" });
    assert.equal(webhooks[0]?.enabled, false);
  });
});

describe("getFolderItems", () => {
  const { ask, failure, simulator } = onService();

  it("returns the apps in the folder", async () => {
    simulator.objects.addFolderItem("folder", "b");
    simulator.objects.addFolderItem("folder", "a");
    assert.deepEqual(await ask(folderItemsLookup, { folderId: "folder" }), { items: [{ appId: "b" }, { appId: "a" }] });
  });

  it("fails for a folder that is gone", async () => {
    simulator.objects.removeFolder("folder");
    assert.match(await failure(folderItemsLookup, { folderId: "folder" }), /^getFolderItems: folderItem\.list failed/);
  });
});

describe("getRecords", () => {
  const { ask, simulator } = onService();

  it("keeps whole numbers that JavaScript cannot, as texts", async () => {
    const body = `[{"id": "r1", "serial": 9007199254740993}]`;
    simulator.fault({
      operation: "record.list",
      then: { status: 200, body, headers: { "content-type": "application/json" } },
    });
    const { records } = await ask(recordsLookup, { appId: "app", entityName: "TaxRate" });
    assert.deepEqual(records[0]?.fields, { serial: "9007199254740993" });
  });
});

describe("getTestFlows", () => {
  const { ask, simulator } = onService();

  it("returns the ids, and what else the list shows", async () => {
    simulator.objects.putTest("app", { id: "f1", definition: { name: "Checkout" } });
    const { tests } = await ask(testFlowsLookup, { appId: "app" });
    assert.deepEqual(
      tests.map(({ flowId, fields }) => [flowId, fields["name"], Object.hasOwn(fields, "id")]),
      [["f1", "Checkout", false]],
    );
  });

  it("reads the id under its other name", async () => {
    simulator.fault({ operation: "test.list", then: { status: 200, body: { flows: [{ flow_id: "f2", steps: [] }] } } });
    assert.deepEqual(await ask(testFlowsLookup, { appId: "app" }), {
      tests: [{ flowId: "f2", fields: { steps: [] } }],
    });
  });
});

describe("A look-up of a list", () => {
  const { ask, failure, simulator } = onService();
  const lists: [Lookup<never, object>, Record<string, string>, string, object][] = [
    [webhooksLookup, { agentId: "a" }, "webhooks", { id: "w" }],
    [folderItemsLookup, { folderId: "f" }, "items", { app_id: "a" }],
    [recordsLookup, { appId: "a", entityName: "E" }, "items", { id: "r" }],
    [testFlowsLookup, { appId: "a" }, "flows", { id: "t" }],
  ].map((list) => list as [Lookup<never, object>, Record<string, string>, string, object]);
  const shown = { description: null, disabled_at: null, created_date: "2026-01-01" };
  const webhook = { target_url: "https://a.example", events: [], has_secret: false, ...shown };

  for (const [lookup, args, key, row] of lists) {
    const rows = [{ ...webhook, ...row }];

    it(`of ${lookup.operation} follows the pages to the end`, async () => {
      const operation = lookup.operation;
      simulator.fault({ operation, then: { status: 200, body: { [key]: rows, has_more: true, next_cursor: "2" } } });
      const next = [{ ...rows[0], ...Object.fromEntries(Object.keys(row).map((name) => [name, "another"])) }];
      simulator.fault({ operation, then: { status: 200, body: { [key]: next, has_more: false } } });
      const [found] = Object.values(await ask(lookup, args)) as unknown[][];
      assert.equal(found?.length, 2);
      assert.match(simulator.requests[1]?.path ?? "", /\?cursor=2$/);
    });

    it(`of ${lookup.operation} fails where the list is a part`, async () => {
      simulator.fault({ operation: lookup.operation, then: { status: 200, body: { [key]: rows, has_more: true } } });
      assert.match(await failure(lookup, args), /cannot be read to its end/);
    });
  }
});
