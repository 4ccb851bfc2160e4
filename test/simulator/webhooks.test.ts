import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { operations } from "../../provider/service/operations";
import { send, TestClock, webhookBody } from "./support";

describe("The simulator's webhooks", () => {
  const clock = new TestClock();
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({ now: clock.now });
  });
  afterEach(() => simulator.close());

  const create = async (fields = {}) =>
    (await send(simulator, "POST", "/api/agents/a/webhooks", { body: { ...webhookBody, ...fields } })).json;
  const patch = (id: string, body: unknown) => send(simulator, "PATCH", `/api/agents/a/webhooks/${id}`, { body });

  it("return the whole object for a creation, its times with a Z and no secret", async () => {
    const created = await create({ description: "orders", enabled: false, signing: "rotate" });
    assert.match(created.id, /^wh_/);
    assert.deepEqual(created, {
      id: created.id,
      target_url: "https://hooks.example.com/in",
      events: ["message.created"],
      description: "orders",
      has_secret: false,
      last_trigger_time: null,
      last_error: null,
      consecutive_failures: 0,
      disabled_at: null,
      created_date: "2026-11-01T12:00:00.000Z",
      updated_date: "2026-11-01T12:00:00.000Z",
      secret: null,
    });
  });

  it("are read back without the Z, in the shapes that the provider expects", async () => {
    const { id } = await create();
    const read = await send(simulator, "GET", `/api/agents/a/webhooks/${id}`);
    assert.equal(read.json.created_date, "2026-11-01T12:00:00.000");
    assert.equal(operations["webhook.get"].answer.parse(read.json).created_date, "2026-11-01T12:00:00.000Z");
    const list = await send(simulator, "GET", "/api/agents/a/webhooks");
    assert.deepEqual(list.json, { webhooks: [read.json] });
    assert.deepEqual((await send(simulator, "GET", "/api/agents/b/webhooks")).json, { webhooks: [] });
  });

  it("change only the fields that an update sends", async () => {
    const { id } = await create({ description: "orders" });
    clock.advance(1000);
    const { json } = await patch(id, { events: ["message.completed", "message.created"] });
    assert.deepEqual(json.events, ["message.completed", "message.created"]);
    assert.equal(json.description, "orders");
    assert.equal(json.updated_date, "2026-11-01T12:00:01.000");
    assert.equal(simulator.objects.webhook("a", id)?.target_url, "https://hooks.example.com/in");
  });

  it("return the whole object, unchanged, for an empty update", async () => {
    const { id } = await create();
    const before = simulator.objects.webhooks("a");
    clock.advance(1000);
    const { status, json } = await patch(id, {});
    assert.equal(status, 200);
    assert.equal(json.target_url, "https://hooks.example.com/in");
    assert.deepEqual(simulator.objects.webhooks("a"), before);
  });

  it("treat null as no change, except for the description, which it removes", async () => {
    const { id } = await create({ description: "orders" });
    await patch(id, { signing: "rotate" });
    const { status, json } = await patch(id, {
      target_url: null,
      events: null,
      description: null,
      enabled: null,
      signing: null,
      added_in_beta: 1,
    });
    assert.equal(status, 200);
    assert.equal(json.description, null);
    assert.equal(json.target_url, "https://hooks.example.com/in");
    assert.deepEqual(json.events, ["message.created"]);
    assert.equal(json.has_secret, true);
    assert.equal("added_in_beta" in json, false);
  });

  it("show a secret once, in the response of the rotation", async () => {
    const { id } = await create();
    const first = (await patch(id, { signing: "rotate" })).json;
    const second = (await patch(id, { signing: "rotate" })).json;
    assert.equal(typeof first.secret, "string");
    assert.notEqual(first.secret, second.secret);
    const later = [
      (await send(simulator, "GET", `/api/agents/a/webhooks/${id}`)).json,
      (await send(simulator, "GET", "/api/agents/a/webhooks")).json.webhooks[0],
      (await patch(id, {})).json,
    ];
    for (const webhook of later) {
      assert.equal(webhook?.has_secret, true);
      assert.equal(webhook.secret, null);
    }
    const kept = JSON.stringify([simulator.requests, simulator.objects.all()]);
    assert.equal(kept.includes(second.secret ?? ""), false);
  });

  it("stop signing on request", async () => {
    const { id } = await create();
    await patch(id, { signing: "rotate" });
    const { json } = await patch(id, { signing: "disable" });
    assert.equal(json.has_secret, false);
    assert.equal(json.secret, null);
  });

  it("are disabled and enabled again, which resets the failures", async () => {
    const { id } = await create();
    simulator.deliver("a", id, { ok: false });
    const off = (await patch(id, { enabled: false })).json;
    assert.equal(off.disabled_at, new Date(clock.now()).toISOString().replace("Z", ""));
    assert.equal(off.consecutive_failures, 1);
    clock.advance(1000);
    assert.equal((await patch(id, { enabled: false })).json.disabled_at, off.disabled_at);
    const on = (await patch(id, { enabled: true })).json;
    assert.equal(on.disabled_at, null);
    assert.equal(on.consecutive_failures, 0);
  });

  it("are gone after a deletion, and a second one returns 404", async () => {
    const { id } = await create();
    const first = await send(simulator, "DELETE", `/api/agents/a/webhooks/${id}`);
    assert.deepEqual([first.status, first.json], [200, { success: true }]);
    assert.deepEqual(simulator.objects.webhooks(), []);
    for (const method of ["DELETE", "GET"])
      assert.equal((await send(simulator, method, `/api/agents/a/webhooks/${id}`)).status, 404);
    assert.equal((await patch(id, {})).status, 404);
  });

  it("belong only to their agent", async () => {
    const { id } = await create();
    assert.equal((await send(simulator, "GET", `/api/agents/b/webhooks/${id}`)).status, 404);
  });

  it("can be changed outside the API", async () => {
    const webhook = simulator.objects.putWebhook("a", { id: "wh_mine", description: "by hand" });
    simulator.objects.changeWebhook("a", "wh_mine", { target_url: "https://elsewhere.example.com/" });
    const read = await send(simulator, "GET", "/api/agents/a/webhooks/wh_mine");
    assert.equal(read.json.description, "by hand");
    assert.equal(read.json.target_url, "https://elsewhere.example.com/");
    assert.equal(webhook.target_url, "https://example.com/hook", "returned objects are copies");
    assert.throws(() => simulator.objects.changeWebhook("a", "none", {}), /Agent a has no webhook none/);
    assert.equal(simulator.objects.removeWebhook("a", "wh_mine"), true);
    assert.equal(simulator.objects.removeWebhook("a", "wh_mine"), false);
  });
});

describe("The simulator's agents", () => {
  it("are those named, and an app that is not an agent returns 400", async () => {
    const simulator = await startSimulator({ agents: ["agent"], apps: ["app"] });
    const status = async (id: string) => (await send(simulator, "GET", `/api/agents/${id}/webhooks`)).status;
    assert.deepEqual([await status("agent"), await status("app"), await status("other")], [200, 400, 404]);
    await simulator.close();
  });

  it("are all ids except the named apps, when no agent is named", async () => {
    const simulator = await startSimulator({ apps: ["app"] });
    const status = async (id: string) => (await send(simulator, "GET", `/api/agents/${id}/webhooks`)).status;
    assert.deepEqual([await status("anything"), await status("app")], [200, 400]);
    await simulator.close();
  });
});
