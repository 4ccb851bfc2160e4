import assert from "node:assert/strict";
import type { Connection } from "../../provider/service/endpoints";
import { isAbsent, isUncertain, ServiceError } from "../../provider/service/errors";
import { type RequestFault, type Simulator, startSimulator } from "../../simulator";
import { failureOf, WatchedService } from "./support/client";
import { closedAfterEach } from "./support/close-after-each";
import { closedPort, httpAnswer, RawServer } from "./support/raw-server";

const open = closedAfterEach();

interface Bench {
  simulator: Simulator;
  service: WatchedService;
}

async function bench(more: Partial<Connection> = {}): Promise<Bench> {
  const simulator = open(await startSimulator());
  simulator.objects.putWebhook("agent", { id: "hook" });
  return { simulator, service: open(new WatchedService(simulator.url, more)) };
}

const hook = { agent_id: "agent", webhook_id: "hook" };
const get = ({ service }: Pick<Bench, "service">) => service.call("webhook.get", { parameters: hook });
const remove = ({ service }: Bench) => service.call("webhook.delete", { parameters: hook });
const create = ({ service }: Pick<Bench, "service">) =>
  service.call("webhook.create", {
    parameters: { agent_id: "agent" },
    body: { target_url: "https://hooks.example.com/new", events: ["message.created"] },
  });

function statuses({ simulator }: Bench): (number | string)[] {
  return simulator.requests.map(({ status }) => status);
}

function created({ simulator }: Bench): number {
  return simulator.objects.webhooks("agent").filter(({ id }) => id !== "hook").length;
}

describe("A refusal", () => {
  for (const status of [400, 401, 402, 403, 404, 405, 422])
    it(`with ${String(status)} is final: one request, nothing changed`, async () => {
      const one = await bench();
      one.simulator.fault({ operation: "webhook.get", times: "always", then: { status } });
      one.simulator.fault({ operation: "webhook.create", times: "always", then: { status } });
      for (const call of [get, create]) {
        const failure = await failureOf(call(one));
        assert.deepEqual([failure.certainty, failure.status], ["refused", status]);
        assert.equal(
          failure.message.includes("Nothing was changed."),
          call === create,
          "a read changes nothing anyway",
        );
      }
      assert.deepEqual(statuses(one), [status, status]);
      assert.deepEqual(one.service.time.sleeps, []);
    });
});

describe("An uncertain outcome", () => {
  const faults: Record<string, Pick<RequestFault, "then">> = {
    "a 409": { then: { status: 409, body: { message: "Timed out after being sent." } } },
    "a 307": { then: { status: 307, headers: { location: "/api/agents/agent/webhooks" } } },
    "a 408": { then: { status: 408 } },
    "a 421": { then: { status: 421 } },
    "a 500": { then: { status: 500 } },
    "a 503 with Retry-After": { then: { status: 503, headers: { "retry-after": "1" } } },
    "a reset": { then: "reset" },
    "an unreadable response": { then: { status: 200, body: "<html>" } },
    "a response without an id": { then: { status: 200, body: {} } },
  };
  for (const [what, { then }] of Object.entries(faults))
    it(`after ${what} is not retried when a retry could do harm`, async () => {
      const one = await bench();
      one.simulator.fault({ operation: "webhook.create", commit: true, then });
      const failure = await failureOf(create(one));
      assert.ok(isUncertain(failure));
      assert.match(failure.message, /It may or may not have been carried out\./);
      assert.equal(one.simulator.requests.length, 1);
      assert.equal(created(one), 1, "it was carried out, once");
    });

  it("is the result of a redirect, also when any response would be accepted", async () => {
    const one = await bench();
    const headers = { location: "/api/agents/agent/webhooks/hook" };
    one.simulator.fault({ operation: "webhook.delete", times: "always", then: { status: 303, headers } });
    const failure = await failureOf(remove(one));
    assert.deepEqual([failure.certainty, failure.status], ["uncertain", 303]);
    assert.ok(one.simulator.objects.webhook("agent", "hook"), "it still exists");
  });

  it("after a timeout is not retried either", async () => {
    const one = await bench({ requestTimeoutSeconds: 0.15 });
    one.simulator.fault({ operation: "webhook.create", commit: true, then: "hang" });
    const failure = await failureOf(create(one));
    assert.ok(isUncertain(failure));
    assert.match(
      failure.message,
      /^webhook\.create failed: no response within 0\.15 s\. \[WA1511\]\n {2}Request: POST .*\n {2}It may or may not/,
    );
    assert.deepEqual([one.simulator.requests.length, created(one)], [1, 1]);
  });

  for (const [what, { then }] of Object.entries(faults))
    it(`after ${what} is retried when that is harmless`, async () => {
      const one = await bench();
      one.simulator.fault({ operation: "webhook.get", times: 2, then });
      assert.equal((await get(one)).id, "hook");
      assert.equal(one.simulator.requests.length, 3);
    });

  it("of a harmless write is retried, and the error is accurate when it stays uncertain", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.delete", times: "always", then: { status: 502 } });
    const failure = await failureOf(remove(one));
    assert.match(
      failure.message,
      /answered 502\. \[WA1510\]\n.*\n {2}The path of webhook\.delete is assumed: .*\n {2}It may or may not have been carried out\./,
    );
    assert.equal(one.simulator.requests.length, 5);
  });

  it("of a read does not mention anything carried out", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.get", times: "always", then: { status: 502 } });
    assert.doesNotMatch((await failureOf(get(one))).message, /carried out/);
  });

  it("follows the call's own retry setting instead of the table's", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.update", times: "always", then: { status: 502 } });
    const rotation = { parameters: hook, body: { signing: "rotate" }, repeatable: false };
    assert.ok(isUncertain(await failureOf(one.service.call("webhook.update", rotation))));
    assert.equal(one.simulator.requests.length, 1);
  });

  it("is retried after jittered waits that double", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.get", times: "always", then: { status: 502 } });
    const chances = [0, 0.999999, 0.5, 0];
    one.service.time.random = () => chances.shift() ?? 0;
    await failureOf(get(one));
    assert.deepEqual(one.service.time.sleeps, [125, 500, 750, 1000]);
    assert.equal(one.simulator.requests.length, 5);
  });

  it("is avoided for a request that must not be repeated, which gets its own connection", async () => {
    const server = open(
      await RawServer.listen({
        onRequest: ({ socket, requests }) => {
          if (requests > 1) socket.resetAndDestroy();
          else socket.write(httpAnswer(200, '{"id":"made"}'));
        },
      }),
    );
    const service = open(new WatchedService(server.url));
    for (let index = 0; index < 4; index++) await service.callAny("webhook.delete").catch(() => undefined);
    server.connections.length = 0;
    for (let index = 0; index < 4; index++) await service.callAny("webhook.create");
    assert.deepEqual(
      server.connections.map(({ requests }) => requests),
      [1, 1, 1, 1],
    );
  });
});

describe("A request that was certainly not sent", () => {
  it("is retried for every operation, and then reported", async () => {
    const service = open(new WatchedService(`http://127.0.0.1:${String(await closedPort())}`));
    for (const call of [get, create]) {
      service.time.sleeps.length = 0;
      const failure = await failureOf(call({ service }));
      assert.equal(failure.certainty, "not-sent");
      assert.match(failure.message, /ECONNREFUSED.*\n {2}No request was sent\.\n {2}- Check workspace-apps:baseUrl/s);
      assert.deepEqual(service.time.sleeps, [188, 375, 750, 1500]);
    }
  });

  it("reaches the service when it is back, and only once", async () => {
    const port = await closedPort();
    const service = open(new WatchedService(`http://127.0.0.1:${String(port)}`));
    let simulator: Simulator | undefined;
    const wait = service.time.sleep.bind(service.time);
    service.time.sleep = async (milliseconds) => {
      await wait(milliseconds);
      simulator ??= open(await startSimulator({ port }));
    };
    await create({ service });
    assert.equal(simulator?.requests.length, 1);
    assert.equal(simulator.objects.webhooks("agent").length, 1);
  });
});

describe("The rate limit", () => {
  const limited = (headers: Record<string, string> = {}) => ({ status: 429, body: { message: "Slow down." }, headers });

  it("is waited for as many seconds as Retry-After says, and every operation continues", async () => {
    for (const [operation, call] of [
      ["webhook.get", get],
      ["webhook.create", create],
    ] as const) {
      const one = await bench();
      one.simulator.fault({ operation, then: limited({ "retry-after": "7" }) });
      await call(one);
      assert.deepEqual(statuses(one), [429, 200]);
      assert.deepEqual(one.service.time.sleeps, [7_500]);
      assert.deepEqual(one.service.lines, [`${operation}: waiting 8 s for its rate limit.`]);
    }
  });

  it("is waited for until the date in Retry-After, by the service's clock", async () => {
    const one = await bench();
    const headers = { date: "Wed, 01 Jul 2026 12:00:00 GMT", "retry-after": "Wed, 01 Jul 2026 12:00:20 GMT" };
    one.simulator.fault({ operation: "webhook.get", then: limited(headers) });
    await get(one);
    assert.deepEqual(one.service.time.sleeps, [20_500]);
    assert.deepEqual(statuses(one), [429, 200]);
  });

  it("also delays the other calls of the operation", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.get", then: limited({ "retry-after": "30" }) });
    const start = one.service.time.now();
    await get(one);
    await one.service.call("webhook.get", { parameters: { ...hook } });
    assert.equal(one.service.time.now() - start, 30_500);
    one.simulator.fault({ operation: "webhook.get", times: 5, then: limited({ "retry-after": "30" }) });
    await failureOf(get(one));
    const waits = one.service.time.sleeps.length;
    await one.service.call("folderItem.list", { parameters: { folder_id: "f" } });
    assert.equal(one.service.time.sleeps.length, waits, "another operation does not wait");
  });

  it("is an error after five attempts, which says that nothing was changed and how long to wait", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.create", times: "always", then: limited({ "retry-after": "9" }) });
    const failure = await failureOf(create(one));
    assert.deepEqual([failure.certainty, failure.retryAfterMilliseconds], ["limited", 9_000]);
    assert.match(
      failure.message,
      /429\. \[WA1509\]\n {2}The service said: Slow down\.\n.*\n {2}The service asks to wait 9 s\.\n {2}The rate limit was reached; nothing was changed\./,
    );
    assert.deepEqual(statuses(one), [429, 429, 429, 429, 429]);
  });
});

describe("A wait before a retry", () => {
  it("is as long as a 503 asks, and is reported", async () => {
    const one = await bench();
    const then = { status: 503, headers: { "retry-after": "40" } };
    one.simulator.fault({ operation: "webhook.get", then });
    await get(one);
    assert.deepEqual(one.service.time.sleeps, [40_000]);
    assert.deepEqual(one.service.lines, ["webhook.get: retrying in 40 s."]);
  });

  for (const status of [429, 503])
    it(`is never a silent hour after a ${String(status)}: the error says when to come back`, async () => {
      const one = await bench();
      const then = { status, headers: { "retry-after": "3600" } };
      one.simulator.fault({ operation: "webhook.get", times: "always", then });
      assert.match((await failureOf(get(one))).message, /The service asks to wait 3600 s\./);
      assert.deepEqual([statuses(one), one.service.time.sleeps], [[status], []]);
    });

  it("of less than two seconds is not reported", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.get", then: { status: 502 } });
    await get(one);
    assert.deepEqual(one.service.lines, []);
  });
});

describe("An error", () => {
  const error = (status: number, certainty: ServiceError["certainty"]) =>
    new ServiceError({ code: "WA1507", operation: "webhook.get", certainty, reason: "", status });

  it("can prove absence only with 404 or 405", () => {
    assert.ok(isAbsent(error(404, "refused")) && isAbsent(error(405, "refused")));
    for (const status of [400, 403, 410, 500]) assert.ok(!isAbsent(error(status, "refused")));
    assert.ok(!isAbsent(new Error("404")));
  });

  it("is uncertain only when the client says so", () => {
    assert.ok(isUncertain(error(500, "uncertain")));
    for (const certainty of ["refused", "limited", "not-sent"] as const) assert.ok(!isUncertain(error(500, certainty)));
    assert.ok(!isUncertain(new Error("uncertain")));
  });
});

describe("A write that is retried after an uncertain outcome", () => {
  const add = ({ service }: Bench) =>
    service.call("folderItem.add", { parameters: { folder_id: "folder" }, body: { app_id: "app" } });

  for (const status of [400, 403, 404, 422])
    it(`does not claim that nothing changed when it ends with ${String(status)}`, async () => {
      const one = await bench();
      one.simulator.fault({ operation: "folderItem.add", commit: true, then: "reset" });
      one.simulator.fault({ operation: "folderItem.add", then: { status } });
      const failure = await failureOf(add(one));
      assert.deepEqual([failure.certainty, failure.status], ["uncertain", status]);
      assert.match(failure.message, /an earlier attempt may have been carried out/);
      assert.doesNotMatch(failure.message, /Nothing was changed\./);
    });

  it("ends with the 404 of an object that does not exist, which is evidence", async () => {
    const one = await bench();
    one.simulator.fault({ operation: "webhook.delete", commit: true, then: "reset" });
    const failure = await failureOf(remove(one));
    assert.deepEqual([failure.certainty, failure.status], ["refused", 404]);
  });

  it("stays uncertain when the service can no longer be reached", async () => {
    const simulator = await startSimulator();
    const service = open(new WatchedService(simulator.url));
    simulator.fault({ operation: "folderItem.add", commit: true, then: "reset" });
    service.time.sleep = () => simulator.close();
    assert.equal((await failureOf(add({ simulator, service }))).certainty, "uncertain");
  });
});
