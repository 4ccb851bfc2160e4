import assert from "node:assert/strict";
import type { SimulatorOptions } from "../../simulator";
import { operations } from "../../provider/service/operations";
import { onSimulator, webhookBody } from "./support";

describe("The simulator's webhooks", () => {
  const { simulator, clock, get, post, remove, ...service } = onSimulator();

  const hooks = "/api/agents/a/webhooks";
  const create = async (fields = {}) => (await post(hooks, { ...webhookBody, ...fields })).json;
  const patch = (id: string, body: unknown) => service.patch(`${hooks}/${id}`, body);
  const update = async (id: string, body: unknown) => (await patch(id, body)).json;

  it("return the whole object for a creation, its times with a Z and no secret", async () => {
    const created = await create({ description: "orders", enabled: false, signing: "rotate" });
    assert.match(created.id, /^wh_/);
    const time = "2026-11-01T12:00:00.000Z";
    assert.deepEqual(created, {
      ...webhookBody,
      ...{ id: created.id, description: "orders", has_secret: false, secret: null, disabled_at: null },
      ...{ last_trigger_time: null, last_error: null, consecutive_failures: 0 },
      ...{ created_date: time, updated_date: time },
    });
  });

  it("are read back without the Z, in the shapes that the provider expects", async () => {
    const { id } = await create();
    const { json } = await get(`${hooks}/${id}`);
    assert.equal(json.created_date, "2026-11-01T12:00:00.000");
    assert.equal(operations["webhook.get"].answer.parse(json).created_date, "2026-11-01T12:00:00.000Z");
    assert.deepEqual((await get(hooks)).json, { webhooks: [json] });
    assert.deepEqual((await get("/api/agents/b/webhooks")).json, { webhooks: [] });
    assert.equal((await get(`/api/agents/b/webhooks/${id}`)).status, 404);
  });

  it("change only the fields that an update sends", async () => {
    const { id } = await create({ description: "orders" });
    clock.advance(1000);
    const { events, description, updated_date } = await update(id, {
      events: ["message.completed", "message.created"],
    });
    assert.deepEqual(events, ["message.completed", "message.created"]);
    assert.deepEqual([description, updated_date], ["orders", "2026-11-01T12:00:01.000"]);
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
    const { updated_date: _, ...before } = await update(id, { signing: "rotate" });
    const none = { target_url: null, events: null, description: null, enabled: null, signing: null };
    const { status, json } = await patch(id, { ...none, added_in_beta: 1 });
    assert.equal(status, 200);
    assert.deepEqual(json, { ...before, description: null, secret: null, updated_date: json.updated_date });
    assert.deepEqual([json.target_url, json.has_secret], [webhookBody.target_url, true]);
  });

  it("show a secret once, in the response of the rotation", async () => {
    const { id } = await create();
    const first = await update(id, { signing: "rotate" });
    const second = await update(id, { signing: "rotate" });
    assert.equal(typeof first.secret, "string");
    assert.notEqual(first.secret, second.secret);
    for (const webhook of [
      (await get(`${hooks}/${id}`)).json,
      (await get(hooks)).json.webhooks[0],
      await update(id, {}),
    ])
      assert.deepEqual([webhook?.has_secret, webhook?.secret], [true, null]);
    const kept = JSON.stringify([simulator.requests, simulator.objects.all()]);
    assert.equal(kept.includes(second.secret ?? ""), false);
  });

  it("stop signing on request", async () => {
    const { id } = await create();
    await patch(id, { signing: "rotate" });
    const { has_secret, secret } = await update(id, { signing: "disable" });
    assert.deepEqual([has_secret, secret], [false, null]);
  });

  it("are disabled and enabled again, which resets the failures", async () => {
    const { id } = await create();
    simulator.deliver("a", id, { ok: false });
    const off = await update(id, { enabled: false });
    assert.deepEqual([off.disabled_at, off.consecutive_failures], ["2026-11-01T12:00:00.000", 1]);
    clock.advance(1000);
    assert.equal((await update(id, { enabled: false })).disabled_at, off.disabled_at);
    const on = await update(id, { enabled: true });
    assert.deepEqual([on.disabled_at, on.consecutive_failures], [null, 0]);
  });

  it("are gone after a deletion, and a second one returns 404", async () => {
    const { id } = await create();
    const first = await remove(`${hooks}/${id}`);
    assert.deepEqual([first.status, first.json], [200, { success: true }]);
    assert.deepEqual(simulator.objects.webhooks(), []);
    for (const reply of [remove(`${hooks}/${id}`), get(`${hooks}/${id}`), patch(id, {})])
      assert.equal((await reply).status, 404);
  });

  it("can be changed outside the API", async () => {
    const webhook = simulator.objects.putWebhook("a", { id: "wh_mine" });
    simulator.objects.changeWebhook("a", "wh_mine", { target_url: "https://elsewhere.example.com/" });
    assert.equal((await get(`${hooks}/wh_mine`)).json.target_url, "https://elsewhere.example.com/");
    assert.equal(webhook.target_url, "https://example.com/hook", "returned objects are copies");
    assert.throws(() => simulator.objects.changeWebhook("a", "none", {}), /Agent a has no webhook none/);
  });
});

describe("The simulator's agents", () => {
  const { restart, get } = onSimulator();
  for (const [title, options, statuses] of [
    ["are those named, and an app that is not an agent returns 400", { agents: ["agent"] }, [200, 400, 404]],
    ["are all ids except the named apps, when no agent is named", {}, [200, 400, 200]],
  ] as [string, SimulatorOptions, number[]][])
    it(title, async () => {
      await restart({ ...options, apps: ["app"] });
      const replies = ["agent", "app", "other"].map((id) => get(`/api/agents/${id}/webhooks`));
      assert.deepEqual(
        (await Promise.all(replies)).map(({ status }) => status),
        statuses,
      );
    });
});
