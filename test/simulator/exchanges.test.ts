import assert from "node:assert/strict";
import { type Exchange, type Simulator, startSimulator } from "../../simulator";
import { Exchanges, messageOf } from "../../simulator/exchanges";
import { apiKey, bearer, send, webhookBody } from "./support";

describe("The exchanges of the simulator", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());
  const create = (headers: Record<string, string> = bearer("full-access-token")) =>
    send(simulator, "POST", "/api/agents/a/webhooks?x=1", { body: webhookBody, headers });

  it("have the request and the response as they were on the wire", async () => {
    const { text, headers } = await create();
    const { json } = await send(simulator, "GET", "/__simulator/exchange?number=1", { headers: {} });
    const { request, response } = json as unknown as Exchange;
    assert.deepEqual(json, simulator.exchange(1));
    assert.deepEqual([request.method, request.path], ["POST", "/api/agents/a/webhooks?x=1"]);
    assert.equal(request.body, JSON.stringify(webhookBody));
    assert.equal(request.headers["content-type"], "application/json");
    assert.ok(typeof response === "object");
    assert.deepEqual([response.status, response.body], [200, text]);
    assert.deepEqual(
      [response.headers["date"], response.headers["content-type"]],
      [headers["date"], "application/json"],
    );
    assert.equal(response.fullLength, undefined);
  });

  it("show no credential in any form, nor does the log", async () => {
    const secrets = ["canary-token", "canary-key", "canary-basic", "canary-cookie", "canary-own"];
    await create(bearer("canary-token"));
    await create(apiKey("canary-key"));
    await create({
      authorization: "Basic canary-basic",
      cookie: "session=canary-cookie",
      "x-auth-token": "canary-own",
    });
    const numbers = simulator.requests.map(({ number }) => number);
    const kept = JSON.stringify([simulator.requests, numbers.map((number) => simulator.exchange(number))]);
    assert.deepEqual(
      secrets.filter((secret) => kept.includes(secret)),
      [],
    );
    assert.equal(simulator.exchange(1).request.headers["authorization"], "[secret]");
    assert.equal(simulator.exchange(2).request.headers["api_key"], "[secret]");
  });

  it("show no secret that the service generated", async () => {
    const { id } = simulator.objects.putWebhook("a");
    const update = { body: { signing: "rotate" } };
    const { json } = await send(simulator, "PATCH", `/api/agents/a/webhooks/${id}`, update);
    const { response } = simulator.exchange(1);
    assert.ok(typeof response === "object" && json.secret !== null);
    assert.ok(!response.body.includes(json.secret));
    assert.match(response.body, /"secret":"\[secret\]"/);
  });

  /** All that is kept, and what a reader of the events was shown. */
  function kept(shown: unknown[] = []): string {
    return JSON.stringify([
      simulator.requests,
      simulator.requests.map(({ number }) => simulator.exchange(number)),
      shown,
    ]);
  }

  it("show no credential in the query, nor do the log and the events", async () => {
    const shown: unknown[] = [];
    simulator.listen({ request: (entry) => shown.push(structuredClone(entry)), changed: () => undefined });
    const path =
      "/api/agents/a/webhooks?x=a%20b&access_token=canary&api_key=canary?&key=canary=&to%6ben=canary&token&y";
    await send(simulator, "GET", path);
    const expected =
      "/api/agents/a/webhooks?x=a%20b&access_token=[secret]&api_key=[secret]&key=[secret]&to%6ben=[secret]&token&y";
    assert.deepEqual([simulator.requests[0]?.path, simulator.exchange(1).request.path], [expected, expected]);
    assert.doesNotMatch(kept(shown), /canary/);
    assert.equal(shown.length, 2);
  });

  it("leave every other target as it was", async () => {
    for (const path of ["/a&token=b/c", "/a?", "/a?b?c=d&&=e&author=f&monkey=g", "/a?%=%E0%A4%A"]) {
      simulator.clearRequests();
      await send(simulator, "GET", path);
      assert.equal(simulator.requests[0]?.path, path);
    }
  });

  it("show no header that may authenticate, but the challenge and the key of a launch", () => {
    const hidden = ["X-Auth", "x-auth-user", "Auth_Key", "X-Authentication", "X-Amz-Credential", "Set-Cookie"];
    const open = ["WWW-Authenticate", "Idempotency-Key", "X-Author"];
    const { headers } = messageOf(Object.fromEntries([...hidden, ...open].map((name) => [name, "value"])), "");
    assert.deepEqual(Object.values(headers), [...hidden.map(() => "[secret]"), ...open.map(() => "value")]);
  });

  it("show no value of a connection, only its names", async () => {
    simulator.objects.setConnection("a", "crm", { password: "canary", nested: { deep: "canary" }, empty: null });
    const { text } = await send(simulator, "GET", "/api/apps/a/external-auth/connection-config/crm");
    assert.match(text, /canary/, "the caller gets them");
    assert.doesNotMatch(kept(), /canary/);
    const { response } = simulator.exchange(1);
    assert.ok(typeof response === "object");
    const config = { password: "[secret]", nested: "[secret]", empty: "[secret]" };
    assert.deepEqual(JSON.parse(response.body), { fields: [], connection_config: config });
  });

  it("show no secret of a scripted text, and other texts as they are", async () => {
    const texts = ['{ "id": "w",  "secret": "canary" }', '{ "id":  1 }', '{"secret": null}', "secret: none", ""];
    for (const body of texts) simulator.fault({ operation: "webhook.create", then: { status: 200, body } });
    for (const body of texts) assert.equal((await create()).text, body);
    const bodies = texts.map((_, index) => {
      const { response } = simulator.exchange(index + 1);
      return typeof response === "object" ? response.body : response;
    });
    assert.deepEqual(bodies, ['{"id":"w","secret":"[secret]"}', ...texts.slice(1)]);
  });

  it("show what a fault did: a scripted response, a reset, or none yet", async () => {
    simulator.fault({
      operation: "webhook.create",
      then: { status: 503, body: "busy", headers: { "Retry-After": "3" }, contentType: "text/html" },
    });
    simulator.fault({ operation: "webhook.create", then: "reset" });
    simulator.fault({ operation: "webhook.create", then: "hold" });
    await create();
    await assert.rejects(create());
    const held = create();
    while (simulator.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
    const [scripted, reset, open] = [1, 2, 3].map((number) => simulator.exchange(number).response);
    assert.ok(typeof scripted === "object");
    assert.deepEqual([scripted.status, scripted.body], [503, "busy"]);
    assert.deepEqual([scripted.headers["retry-after"], scripted.headers["content-type"]], ["3", "text/html"]);
    assert.deepEqual([reset, open], ["reset", "none"]);
    await simulator.release();
    await held;
  });

  it("keep the beginning of a long body, and its length", async () => {
    const description = "é".repeat(100_000);
    await send(simulator, "POST", "/api/agents/a/webhooks", { body: { ...webhookBody, description } });
    const { request } = simulator.exchange(1);
    assert.equal(request.body.length, 65_536);
    assert.equal(request.fullLength, JSON.stringify({ ...webhookBody, description }).length);
    assert.equal(
      (simulator.requests[0]?.body as { description: string }).description,
      description,
      "the log has it all",
    );
  });

  it("keep a body that is no text as text that JSON can carry", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await fetch(`${simulator.url}/api/agents/a/webhooks`, { method: "POST", body: bytes });
    const { status, json } = await send(simulator, "GET", "/__simulator/exchange?number=1", { headers: {} });
    assert.equal(status, 200);
    assert.deepEqual(json, simulator.exchange(1));
  });

  it("are forgotten from the oldest on when they are too many", () => {
    const exchanges = new Exchanges();
    const message = messageOf({ accept: "x" }, "x".repeat(100_000));
    const isKept = (number: number): boolean => {
      try {
        return exchanges.get(number).request.body.length === 65_536;
      } catch {
        return false;
      }
    };
    for (let number = 1; number <= 600; number++) {
      exchanges.received(number, { method: "POST", path: "/", ...message });
      if (number % 2 === 0) exchanges.responded(number, { status: 200, ...message });
    }
    const kept = Array.from({ length: 600 }, (_, index) => index + 1).filter(isKept);
    assert.equal(kept.at(-1), 600);
    // Each pair has three bodies.
    assert.ok(kept.length > 300 && kept.length < 350, String(kept.length));
    assert.deepEqual(
      kept,
      Array.from(kept, (_, index) => 601 - kept.length + index),
      "the latest",
    );
  });

  it("say when one is not kept", async () => {
    const { status, json } = await send(simulator, "GET", "/__simulator/exchange?number=1", { headers: {} });
    assert.deepEqual(
      [status, json.error],
      [400, "The exchange of request 1 is not kept: there is no such request, or it was long ago."],
    );
  });

  it("are cleared with the log", async () => {
    await create();
    simulator.clearRequests();
    assert.throws(() => simulator.exchange(1), /is not kept/);
  });
});

describe("The simulator's request log", () => {
  it("says how long a request took and whether its operation is documented, and can be read from a number on", async () => {
    const simulator = await startSimulator();
    await send(simulator, "POST", "/api/agents/a/webhooks", { body: webhookBody });
    await send(simulator, "PATCH", "/api/agents/a/webhooks/w", { body: {} });
    await send(simulator, "GET", "/elsewhere");
    const { requests } = simulator;
    assert.deepEqual(
      requests.map(({ documented }) => documented),
      [false, true, false],
    );
    assert.ok(requests.every(({ milliseconds = -1 }) => Number.isInteger(milliseconds) && milliseconds >= 0));
    const read = async (query: string) =>
      await send(simulator, "GET", `/__simulator/requests${query}`, { headers: {} });
    assert.deepEqual((await read("")).json.requests.length, 3);
    assert.deepEqual(
      (await read("?after=2")).json.requests.map(({ number }) => number),
      [3],
    );
    assert.deepEqual((await read("?after=99")).json.requests, []);
    for (const query of ["?after=x", "?after=-1", "?after=1.5", "?since=1"])
      assert.equal((await read(query)).status, 400, query);
    await simulator.close();
  });
});
