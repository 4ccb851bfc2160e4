import assert from "node:assert/strict";
import type { Fault } from "../../simulator";
import { bearer, onSimulator, until, webhookBody } from "./support";

describe("A fault of the simulator", () => {
  const { simulator, clock, get, post } = onSimulator();

  const hooks = "/api/agents/a/webhooks";
  const create = () => post(hooks, webhookBody);
  const list = async () => (await get(hooks)).json.webhooks.length;
  const stored = () => simulator.objects.webhooks("a").length;
  const status = () => simulator.requests.map((entry) => entry.status);
  /** The caller gives up as soon as its request has arrived. */
  const abandon = async () => {
    const going = new AbortController();
    const { signal } = going;
    const gone = assert.rejects(fetch(simulator.url + hooks, { method: "POST", signal }), { name: "AbortError" });
    await until(() => simulator.requests.length === 1);
    going.abort();
    await gone;
  };

  it("returns any status and body in place of the service, once", async () => {
    const then = { status: 503, body: { message: "down" }, headers: { "retry-after": "7" } };
    simulator.fault({ operation: "webhook.create", then });
    const reply = await create();
    assert.deepEqual([reply.status, reply.json, reply.headers["retry-after"]], [503, { message: "down" }, "7"]);
    assert.equal(stored(), 0);
    assert.equal((await create()).status, 200);
    assert.deepEqual(status(), [503, 200]);
  });

  it("sends a string unchanged, in the given content type", async () => {
    simulator.fault({ operation: "webhook.list", then: { status: 200, body: "<p>", contentType: "text/html" } });
    simulator.fault({ operation: "webhook.list", then: { status: 204 } });
    for (const expected of [
      [200, "<p>", "text/html"],
      [204, "", undefined],
    ]) {
      const { status, text, headers } = await get(hooks);
      assert.deepEqual([status, text, headers["content-type"]], expected);
    }
  });

  it("occurs as often as configured, after the configured number of normal responses, and in order", async () => {
    simulator.fault({ operation: "webhook.create", skip: 1, times: 2, then: { status: 500 } });
    simulator.fault({ operation: "webhook.create", then: { status: 502 } });
    for (let request = 0; request < 5; request++) await create();
    assert.deepEqual(status(), [200, 500, 500, 502, 200]);
  });

  it("can occur always, until cleared", async () => {
    for (const times of ["always", Infinity] as const) {
      simulator.fault({ operation: "webhook.create", times, then: { status: 500 } });
      for (let request = 0; request < 3; request++) assert.equal((await create()).status, 500);
      simulator.clearFaults();
      assert.equal((await create()).status, 200);
    }
  });

  it("affects only its own operation", async () => {
    simulator.fault({ operation: "webhook.create", then: { status: 500 } });
    assert.equal((await get(hooks)).status, 200);
    assert.equal((await create()).status, 500);
  });

  it("affects only requests with its parameters, and leaves the others to the next fault", async () => {
    simulator.fault({ operation: "webhook.create", parameters: { agent_id: "b" }, skip: 1, then: { status: 500 } });
    simulator.fault({ operation: "webhook.create", then: { status: 502 } });
    const createOf = async (agent: string) => (await post(`/api/agents/${agent}/webhooks`, webhookBody)).status;
    assert.deepEqual([await createOf("b"), await createOf("a"), await createOf("a")], [200, 502, 200]);
    assert.deepEqual([await createOf("b"), await createOf("b")], [500, 200]);
  });

  it("can respond in place of the service", async () => {
    simulator.fault({ operation: "member.list", then: { status: 200, body: { members: [] } } });
    const reply = await post("/api/workspace/members/list", {});
    assert.deepEqual([reply.status, reply.json], [200, { members: [] }]);
  });

  it("loses the response after the change was made", async () => {
    simulator.fault({ operation: "webhook.create", commit: true, then: { status: 504 } });
    assert.equal((await create()).status, 504);
    assert.equal(stored(), 1);
  });

  for (const [when, commit] of [
    ["before", false],
    ["after", true],
  ] as const)
    it(`resets the connection ${when} the change`, async () => {
      simulator.fault({ operation: "webhook.create", commit, then: "reset" });
      await assert.rejects(create(), { code: "ECONNRESET" });
      assert.deepEqual([stored(), status()], [commit ? 1 : 0, ["reset"]]);
      assert.deepEqual(simulator.requests[0]?.body, webhookBody);
    });

  it("commits only what the service would have accepted", async () => {
    simulator.fault({ operation: "webhook.create", commit: true, times: 2, then: { status: 502 } });
    await post(hooks, {});
    await post(hooks, webhookBody, bearer("nobody"));
    assert.deepEqual([stored(), ...status()], [0, 502, 502]);
  });

  it("hangs until the simulator closes, which ends the connection at once", async () => {
    simulator.fault({ operation: "webhook.create", commit: true, then: "hang" });
    const lost = assert.rejects(create(), { code: "ECONNRESET" });
    await until(() => stored() === 1);
    assert.deepEqual(status(), ["none"]);
    await simulator.close();
    await lost;
    assert.deepEqual(status(), ["none"]);
  });

  it("hangs until the caller disconnects, and then the next request is served normally", async () => {
    simulator.fault({ operation: "webhook.create", then: "hang" });
    await abandon();
    assert.equal((await create()).status, 200);
    assert.deepEqual(status(), ["none", 200]);
  });

  it("delays the service's own response", async () => {
    simulator.fault({ operation: "webhook.create", delayMilliseconds: 60, then: "pass" });
    const started = performance.now();
    assert.equal((await create()).status, 200);
    // Timers may fire up to a millisecond early.
    assert.ok(performance.now() - started >= 59);
    assert.equal(stored(), 1);
  });

  it("holds the service's own response until it is released, and then reports that it was sent", async () => {
    simulator.fault({ operation: "webhook.create", commit: true, then: "hold" });
    simulator.fault({ operation: "webhook.create", then: "hold" });
    const created = [create(), create()];
    await until(() => simulator.requests.length === 2);
    assert.deepEqual([stored(), ...status()], [1, "none", "none"]);
    assert.equal(await simulator.release(), 2);
    assert.deepEqual([stored(), ...status()], [2, 200, 200]);
    for (const { json } of await Promise.all(created)) assert.ok(simulator.objects.webhook("a", json.id));
    assert.equal(await simulator.release(), 0);
  });

  it("that holds a response survives a caller that disconnects", async () => {
    simulator.fault({ operation: "webhook.create", commit: true, then: "hold" });
    await abandon();
    assert.equal(await simulator.release(), 1);
    assert.equal((await create()).status, 200);
  });

  it("that is still waiting ends with the simulator", async () => {
    simulator.fault({ operation: "webhook.create", commit: true, delayMilliseconds: 3_600_000, then: "pass" });
    const lost = assert.rejects(create(), { code: "ECONNRESET" });
    await until(() => stored() === 1);
    await simulator.close();
    await lost;
  });

  it("makes a list lag, until cleared", async () => {
    simulator.fault({ operation: "webhook.list", lagMilliseconds: 5000 });
    const { id } = (await create()).json;
    assert.equal(await list(), 0);
    assert.equal((await get(`${hooks}/${id}`)).status, 200);
    clock.advance(4999);
    assert.equal(await list(), 0);
    clock.advance(1);
    assert.equal(await list(), 1);
    await create();
    assert.equal(await list(), 1);
    simulator.clearFaults();
    assert.equal(await list(), 2);
  });

  for (const [operation, path, put] of [
    ["campaign.list", "/api/apps/a/ads-platform/campaigns", "putCampaign"],
    ["folderItem.list", "/api/app-folders/a/items", "addFolderItem"],
    ["record.list", "/api/apps/a/entities/Task", "putRecord"],
    ["test.list", "/api/apps/a/testing-agent/flows", "putTest"],
  ] as const)
    it(`makes ${operation} lag too`, async () => {
      const rows = async () => Object.values((await get(path)).json).flat().length;
      simulator.fault({ operation, lagMilliseconds: 5000 });
      if (put === "putRecord") simulator.objects.putRecord("a", "Task");
      else if (put === "addFolderItem") simulator.objects.addFolderItem("a", "app");
      else simulator.objects[put]("a");
      assert.equal(await rows(), 0);
      clock.advance(5000);
      assert.equal(await rows(), 1);
    });

  it("that is misspelled is refused, not ignored", () => {
    const wrong = [
      { operation: "webhook.creat" },
      { then: "rest" },
      { time: 2 },
      { then: undefined, lagMilliseconds: 1 },
      { then: "pass", delayMilliseconds: 2 ** 31 },
      { parameters: { agentId: "a" } },
      { parameters: { agent_id: 1 } },
    ];
    for (const fault of wrong)
      assert.throws(() => {
        simulator.fault({ operation: "webhook.create", then: "reset", ...fault } as Fault);
      });
  });

  it("whose header cannot be sent is refused, not met by a request", () => {
    const answers = [
      { status: 500, headers: { "retry after": "7" } },
      { status: 500, headers: { "retry-after": "7\r\n" } },
      { status: 500, contentType: "text/html\n" },
    ];
    for (const then of answers)
      assert.throws(() => {
        simulator.fault({ operation: "webhook.create", then });
      }, /HTTP cannot send such a header/);
  });
});
