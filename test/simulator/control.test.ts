import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { send, webhookBody } from "./support";

describe("the simulator's control interface", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const control = (method: string, path: string, body?: unknown) =>
    send(simulator, method, `/__simulator/${path}`, { body, headers: {} });
  const create = () => send(simulator, "POST", "/api/agents/a/webhooks", { body: webhookBody });

  it("gives the request log and clears it, itself unlogged", async () => {
    await create();
    const { json } = await control("GET", "requests");
    assert.deepEqual(
      json.requests.map((entry) => entry.operation),
      ["webhook.create"],
    );
    assert.deepEqual(json.requests[0]?.body, webhookBody);
    await control("DELETE", "requests");
    assert.deepEqual((await control("GET", "requests")).json, { requests: [] });
    assert.deepEqual(simulator.requests, []);
  });

  it("scripts faults and clears them", async () => {
    const posted = await control("POST", "faults", {
      operation: "webhook.create",
      times: "always",
      then: { status: 500 },
    });
    assert.equal(posted.status, 200);
    assert.equal((await create()).status, 500);
    await control("DELETE", "faults");
    assert.equal((await create()).status, 200);
    await control("POST", "faults", { operation: "webhook.list", lagMilliseconds: 60_000 });
    assert.deepEqual((await send(simulator, "GET", "/api/agents/a/webhooks")).json, { webhooks: [] });
  });

  it("puts, changes and removes webhooks", async () => {
    const made = await control("PUT", "objects/webhooks", { agentId: "a/b", fields: { description: "by hand" } });
    assert.equal(made.json.description, "by hand");
    const target = { agentId: "a/b", webhookId: made.json.id };
    const changed = await control("PUT", "objects/webhooks", { ...target, fields: { description: null } });
    assert.equal(changed.json.description, null);
    assert.deepEqual((await control("GET", "objects")).json.webhooks, { "a/b": [changed.json] });
    await control("PUT", "objects/webhooks", { agentId: "a/b", webhookId: "wh_chosen", fields: {} });
    assert.equal(simulator.objects.webhooks("a/b").length, 2);
    const query = new URLSearchParams(target).toString();
    assert.deepEqual((await control("DELETE", `objects/webhooks?${query}`)).json, { removed: true });
    assert.deepEqual((await control("DELETE", `objects/webhooks?${query}`)).json, { removed: false });
  });

  it("puts and removes folders and their items", async () => {
    await control("PUT", "objects/folder-items", { folderId: "f", appId: "app" });
    assert.deepEqual((await control("GET", "objects")).json, { webhooks: {}, folders: { f: ["app"] } });
    assert.deepEqual((await control("DELETE", "objects/folder-items?folderId=f&appId=app")).json, { removed: true });
    await control("PUT", "objects/folders", { id: "f", owner: "somebody" });
    assert.equal((await send(simulator, "GET", "/api/app-folders/f/items")).status, 404);
    await control("PUT", "objects/folders", { id: "f" });
    assert.equal((await send(simulator, "GET", "/api/app-folders/f/items")).status, 200);
    await control("DELETE", "objects/folders?folderId=f");
    assert.equal((await send(simulator, "GET", "/api/app-folders/f/items")).status, 404);
  });

  it("plays deliveries", async () => {
    const { id } = (await create()).json;
    const played = await control("POST", "deliveries", {
      agentId: "a",
      webhookId: id,
      outcome: { ok: false, status: 500, body: "no" },
    });
    assert.equal(played.json.last_error?.response_body, "no");
    assert.equal(simulator.objects.webhook("a", id)?.consecutive_failures, 1);
  });

  it("answers what it does not understand with 400 and a sentence", async () => {
    const wrong = [
      await control("POST", "faults", { operation: "webhook.creat", then: "reset" }),
      await control("POST", "faults", "{"),
      await control("POST", "faults", 7),
      await control("POST", "faults", "null"),
      await control("PUT", "objects/webhooks", { agentId: "a", fields: { secret: "x" } }),
      await control("POST", "deliveries", { agentId: "a", webhookId: "w", outcome: { ok: true } }),
      await control("DELETE", "objects/webhooks?agentId=a"),
    ];
    for (const { status, json } of wrong) {
      assert.equal(status, 400);
      assert.match(json.error, /^[A-Z].*\.$/);
    }
    assert.match(wrong[0]?.json.error ?? "", /operation: is no operation/);
    assert.match(wrong[5]?.json.error ?? "", /Agent a has no webhook w\./);
    assert.equal((await control("GET", "other")).status, 404);
  });
});
