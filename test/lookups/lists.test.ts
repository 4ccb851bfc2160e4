import assert from "node:assert/strict";
import { codingSessionLookup } from "../../provider/lookups/coding-session";
import { folderItemsLookup } from "../../provider/lookups/folder-items";
import { launchReadinessLookup } from "../../provider/lookups/launch-readiness";
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
  const { ask, failure, simulator } = onService();

  it("returns the fields of the schema apart from those that the service assigns", async () => {
    simulator.objects.putRecord("app", "TaxRate", {
      id: "r1",
      country: "DE",
      parts: [{ rate: 19, note: null }],
      created_by: "a@example.com",
      updated_date: "2026-01-02T00:00:00Z",
    });
    const { records } = await ask(recordsLookup, { appId: "app", entityName: "TaxRate" });
    const [record] = records;
    assert.deepEqual(record?.fields, { country: "DE", parts: [{ rate: 19, note: null }] });
    assert.deepEqual([record.recordId, record.createdBy, record.isSample], ["r1", "a@example.com", false]);
    assert.match(record.createdDate ?? "", /Z$/);
    assert.match(record.updatedDate ?? "", /^2026-01-02T00:00:00(\.000)?Z$/);
  });

  it("keeps whole numbers that JavaScript cannot, as texts", async () => {
    const body = `[{"id": "r1", "serial": 9007199254740993}]`;
    simulator.fault({
      operation: "record.list",
      then: { status: 200, body, headers: { "content-type": "application/json" } },
    });
    const { records } = await ask(recordsLookup, { appId: "app", entityName: "TaxRate" });
    assert.deepEqual(records[0]?.fields, { serial: "9007199254740993" });
  });

  it("refuses the entity User before a request", async () => {
    assert.match(
      await failure(recordsLookup, { appId: "app", entityName: "User" }),
      /entityName must not be User: .* No request was sent\.$/,
    );
    assert.equal(simulator.requests.length, 0);
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

describe("getLaunchReadiness", () => {
  const { ask, failure, simulator } = onService();

  it("returns the landing page, the currency and whether payment is possible, and says what is left open", async () => {
    simulator.advertising.setLandingPage("app", "https://shop.example.com/");
    const ready = await ask(launchReadinessLookup, { appId: "app" });
    assert.equal(ready.landingPage, "https://shop.example.com/");
    assert.equal(ready.paymentProviderUnavailable, false);
    assert.deepEqual(ready.notes, []);
    simulator.advertising.setPaymentProvider("unreachable");
    assert.equal((await ask(launchReadinessLookup, { appId: "other" })).paymentProviderUnavailable, true);
    const body = { detail: { code: "payment_provider_unavailable" } };
    simulator.fault({ operation: "campaign.readiness", then: { status: 400, body } });
    const refused = await ask(launchReadinessLookup, { appId: "third" });
    assert.equal(refused.paymentProviderUnavailable, true);
    assert.match(refused.notes.join(), /names no landing page/);
  });

  it("passes the currency on", async () => {
    simulator.fault({ operation: "campaign.readiness", then: { status: 200, body: { currency_code: "EUR" } } });
    const { currencyCode, landingPage } = await ask(launchReadinessLookup, { appId: "app" });
    assert.deepEqual([currencyCode, landingPage], ["EUR", undefined]);
  });

  it("takes an empty landing page for none, and a reason with details for a reason", async () => {
    const body = { landing_page: "", reasons: { payment_provider_unavailable: { since: "today" } } };
    simulator.fault({ operation: "campaign.readiness", then: { status: 200, body } });
    const ready = await ask(launchReadinessLookup, { appId: "app" });
    assert.deepEqual([ready.landingPage, ready.paymentProviderUnavailable, ready.notes.length], [undefined, true, 1]);
  });

  it("does not treat a response without these fields as readiness", async () => {
    simulator.fault({ operation: "campaign.readiness", then: { status: 200, body: { ready: true } } });
    assert.match(
      await failure(launchReadinessLookup, { appId: "app" }),
      /has neither landing_page nor currency_code.*is assumed.*endpoints/s,
    );
  });
});

describe("getCodingSession", () => {
  const { ask, failure, simulator } = onService();
  const session = { id: "s", state: "completed" };
  const answering = (body: object): void => {
    simulator.clearFaults();
    simulator.fault({ operation: "codingSession.get", times: "always", then: { status: 200, body } });
  };

  it("returns the state, the outcome, the pull request and the links", async () => {
    answering({
      ...session,
      outcome: "pull_request",
      summary: "Done.",
      session_url: "https://editor.example/s",
      pull_request: { number: 7 },
      repository_full_name: "example/app",
      branch_id: "b1",
      branch_name: "fix",
      message_id: "m1",
      launch_key: "k",
      client_reference: "c",
      error_code: null,
      input_request_id: null,
    });
    assert.deepEqual(await ask(codingSessionLookup, { appId: "app", sessionId: "s" }), {
      sessionId: "s",
      state: "completed",
      outcome: "pull_request",
      summary: "Done.",
      pullRequest: { number: 7 },
      sessionUrl: "https://editor.example/s",
      repositoryFullName: "example/app",
      branchId: "b1",
      branchName: "fix",
      messageId: "m1",
      launchKey: "k",
      clientReference: "c",
    });
  });

  it("returns why it failed, and what it waits for", async () => {
    answering({ ...session, state: "failed", error_code: "repository_unavailable" });
    const failed = await ask(codingSessionLookup, { appId: "app", sessionId: "s" });
    assert.deepEqual(
      [failed.state, failed.errorCode, failed.pullRequest],
      ["failed", "repository_unavailable", undefined],
    );
    answering({ ...session, state: "needs_input", input_request_id: "q1" });
    const waiting = await ask(codingSessionLookup, { appId: "other", sessionId: "s" });
    assert.deepEqual([waiting.state, waiting.inputRequestId], ["needs_input", "q1"]);
  });

  it("leaves out a malformed value, and needs the state", async () => {
    answering({ ...session, pull_request: "7", summary: 1 });
    assert.deepEqual(await ask(codingSessionLookup, { appId: "app", sessionId: "s" }), {
      sessionId: "s",
      state: "completed",
    });
    answering({ id: "s" });
    assert.match(await failure(codingSessionLookup, { appId: "other", sessionId: "s" }), /state/);
  });

  it("fails for a session that does not exist", async () => {
    assert.match(await failure(codingSessionLookup, { appId: "app", sessionId: "gone" }), /404/);
  });
});
