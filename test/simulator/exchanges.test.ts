import assert from "node:assert/strict";
import { Exchanges, messageOf } from "../../simulator/exchanges";
import { apiKey, bearer, type Headers, onSimulator, until, webhookBody } from "./support";

describe("The exchanges of the simulator", () => {
  const { simulator, get, post, patch, control } = onSimulator();
  const hooks = "/api/agents/a/webhooks";
  const create = (headers?: Headers) => post(`${hooks}?x=1`, webhookBody, headers);
  const responseTo = (number: number) => {
    const { response } = simulator.exchange(number);
    return typeof response === "object" ? response : assert.fail(response);
  };

  it("have the request and the response as they were on the wire", async () => {
    const { text, headers } = await create();
    const { request } = simulator.exchange(1);
    const response = responseTo(1);
    assert.deepEqual((await control("GET", "exchange?number=1")).json, simulator.exchange(1));
    assert.deepEqual([request.method, request.path], ["POST", "/api/agents/a/webhooks?x=1"]);
    assert.equal(request.body, JSON.stringify(webhookBody));
    assert.equal(request.headers["content-type"], "application/json");
    assert.deepEqual([response.status, response.body, response.fullLength], [200, text, undefined]);
    const { date, "content-type": type } = response.headers;
    assert.deepEqual([date, type], [headers["date"], "application/json"]);
  });

  it("show no credential in any form, nor does the log", async () => {
    await create(bearer("canary-token"));
    await create(apiKey("canary-key"));
    const others = { cookie: "session=canary-cookie", "x-auth-token": "canary-own" };
    await create({ authorization: "Basic canary-basic", ...others });
    assert.doesNotMatch(kept(), /canary/);
    assert.equal(simulator.exchange(1).request.headers["authorization"], "[secret]");
    assert.equal(simulator.exchange(2).request.headers["api_key"], "[secret]");
  });

  it("show no secret that the service generated", async () => {
    const { id } = simulator.objects.putWebhook("a");
    const { secret } = (await patch(`${hooks}/${id}`, { signing: "rotate" })).json;
    assert.ok(secret !== null);
    assert.ok(!responseTo(1).body.includes(secret));
    assert.match(responseTo(1).body, /"secret":"\[secret\]"/);
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
    await get(path);
    const expected =
      "/api/agents/a/webhooks?x=a%20b&access_token=[secret]&api_key=[secret]&key=[secret]&to%6ben=[secret]&token&y";
    assert.deepEqual([simulator.requests[0]?.path, simulator.exchange(1).request.path], [expected, expected]);
    assert.doesNotMatch(kept(shown), /canary/);
    assert.equal(shown.length, 2);
  });

  it("leave every other target as it was", async () => {
    for (const path of ["/a&token=b/c", "/a?", "/a?b?c=d&&=e&author=f&monkey=g", "/a?%=%E0%A4%A"]) {
      simulator.clearRequests();
      await get(path);
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
    const { text } = await get("/api/apps/a/external-auth/connection-config/crm");
    assert.match(text, /canary/, "the caller gets them");
    assert.doesNotMatch(kept(), /canary/);
    const config = { password: "[secret]", nested: "[secret]", empty: "[secret]" };
    assert.deepEqual(JSON.parse(responseTo(1).body), { fields: [], connection_config: config });
  });

  it("show no secret of a scripted text, and other texts as they are", async () => {
    const texts = ['{ "id": "w",  "secret": "canary" }', '{ "id":  1 }', '{"secret": null}', "secret: none", ""];
    for (const body of texts) simulator.fault({ operation: "webhook.create", then: { status: 200, body } });
    for (const body of texts) assert.equal((await create()).text, body);
    const bodies = texts.map((_, index) => responseTo(index + 1).body);
    assert.deepEqual(bodies, ['{"id":"w","secret":"[secret]"}', ...texts.slice(1)]);
  });

  it("show what a fault did: a scripted response, a reset, or none yet", async () => {
    const unwell = { status: 503, body: "busy", headers: { "Retry-After": "3" }, contentType: "text/html" };
    for (const then of [unwell, "reset", "hold"] as const) simulator.fault({ operation: "webhook.create", then });
    await create();
    await assert.rejects(create());
    const held = create();
    await until(() => simulator.requests.length === 3);
    const { status, body, headers } = responseTo(1);
    assert.deepEqual([status, body, headers["retry-after"], headers["content-type"]], [503, "busy", "3", "text/html"]);
    assert.deepEqual([simulator.exchange(2).response, simulator.exchange(3).response], ["reset", "none"]);
    await simulator.release();
    await held;
  });

  it("keep the beginning of a long body, and its length", async () => {
    const description = "é".repeat(100_000);
    await post(hooks, { ...webhookBody, description });
    const { body, fullLength } = simulator.exchange(1).request;
    assert.deepEqual([body.length, fullLength], [65_536, JSON.stringify({ ...webhookBody, description }).length]);
    assert.deepEqual(simulator.requests[0]?.body, { ...webhookBody, description }, "the log has it all");
  });

  it("keep a body that is no text as text that JSON can carry", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await fetch(simulator.url + hooks, { method: "POST", body: bytes });
    const { status, json } = await control("GET", "exchange?number=1");
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

  it("are cleared with the log, and a response says when one is not kept", async () => {
    await create();
    simulator.clearRequests();
    const { status, json } = await control("GET", "exchange?number=1");
    const error = "The exchange of request 1 is not kept: there is no such request, or it was long ago.";
    assert.deepEqual([status, json], [400, { error }]);
  });
});

describe("The simulator's request log", () => {
  const { simulator, get, post, patch, control } = onSimulator();

  it("says how long a request took and whether its operation is documented, and can be read from a number on", async () => {
    await post("/api/agents/a/webhooks", webhookBody);
    await patch("/api/agents/a/webhooks/w", {});
    await get("/elsewhere");
    const { requests } = simulator;
    assert.deepEqual(
      requests.map(({ documented }) => documented),
      [false, true, false],
    );
    assert.ok(requests.every(({ milliseconds = -1 }) => Number.isInteger(milliseconds) && milliseconds >= 0));
    for (const [query, numbers] of [
      ["", [1, 2, 3]],
      ["?after=2", [3]],
      ["?after=99", []],
    ] as const) {
      const { json } = await control("GET", `requests${query}`);
      assert.deepEqual(
        json.requests.map(({ number }) => number),
        numbers,
      );
    }
    for (const query of ["?after=x", "?after=-1", "?after=1.5", "?since=1"])
      assert.equal((await control("GET", `requests${query}`)).status, 400, query);
  });
});
