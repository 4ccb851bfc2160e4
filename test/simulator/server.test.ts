import assert from "node:assert/strict";
import { connect } from "node:net";
import { once } from "node:events";
import { type OperationId, startSimulator } from "../../simulator";
import { Service } from "../../simulator/service";
import { campaignBody, send } from "./support";

describe("The simulator's server", () => {
  it("listens on loopback, on the requested port", async () => {
    const first = await startSimulator();
    assert.equal(first.url, `http://127.0.0.1:${String(first.port)}`);
    await first.close();
    const second = await startSimulator({ port: first.port });
    assert.equal(second.port, first.port);
    await second.close();
  });

  it("reports when the port is already in use", async () => {
    const first = await startSimulator();
    await assert.rejects(startSimulator({ port: first.port }), { code: "EADDRINUSE" });
    await first.close();
  });

  it("keeps the objects of two simulators separate", async () => {
    const [one, other] = await Promise.all([startSimulator(), startSimulator()]);
    one.objects.putWebhook("a");
    assert.deepEqual((await send(other, "GET", "/api/agents/a/webhooks")).json, { webhooks: [] });
    await Promise.all([one.close(), other.close()]);
  });

  it("dates every response by its own clock, whichever part responds", async () => {
    const simulator = await startSimulator({ now: () => Date.parse("2031-02-03T04:05:06Z") });
    simulator.fault({ operation: "member.list", then: { status: 503 } });
    for (const [method, path] of [
      ["GET", "/api/agents/a/webhooks"],
      ["POST", "/api/workspace/members/list"],
      ["PUT", "/api/agents/a/webhooks"],
      ["GET", "/elsewhere"],
    ] as const) {
      const { headers } = await fetch(simulator.url + path, { method });
      assert.equal(headers.get("date"), "Mon, 03 Feb 2031 04:05:06 GMT", path);
    }
    await simulator.close();
  });

  it("ends idle connections when it closes, and may be closed twice", async () => {
    const simulator = await startSimulator();
    const socket = connect(simulator.port, "127.0.0.1");
    await once(socket, "connect");
    const ended = once(socket, "close");
    socket.resume();
    await simulator.close();
    await ended;
    await simulator.close();
  });

  it("does not change the process's own Request and Response", async () => {
    const before = [globalThis.Request, globalThis.Response];
    const simulator = await startSimulator();
    assert.deepEqual([globalThis.Request, globalThis.Response], before);
    await simulator.close();
  });
});

describe("The simulator's service, without a socket,", () => {
  it("carries out what it is sent, on the given clock", () => {
    const now = Date.parse("2031-02-03T04:05:06Z");
    const service = new Service({ now: () => now });
    const presented = { form: "bearer", value: "full-access-token" } as const;
    const parameters = { app_id: "a", entity_name: "Task" };
    const status = (operation: OperationId, json: object, more = {}) =>
      service.answer({ operation, parameters, body: { json }, presented, ...more }).status;
    const session = { prompt: "p", title: "t" };
    assert.equal(status("campaign.launch", { campaign: campaignBody }), 200);
    assert.equal(status("record.create", { title: "Write" }), 200);
    assert.equal(status("codingSession.launch", session), 422);
    assert.equal(status("codingSession.launch", session, { idempotencyKey: "key" }), 200);
    const { objects } = service.areas;
    const created = [objects.launches("a")[0], objects.records("a", "Task")[0]];
    for (const object of created) assert.equal(object?.created_date, new Date(now).toISOString());
    assert.equal(objects.codingSessions("a").length, 1);
  });
});
