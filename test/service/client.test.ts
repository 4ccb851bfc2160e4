import assert from "node:assert/strict";
import { type OperationId, operations } from "../../provider/service/operations";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { accessToken, failureOf, WatchedService } from "./support/client";
import { closedAfterEach } from "./support/close-after-each";
import { httpAnswer, RawServer } from "./support/raw-server";

const open = closedAfterEach();

async function simulated(options: SimulatorOptions = {}): Promise<Simulator> {
  return open(await startSimulator(options));
}

function clientOf(url: string, ...rest: [ConstructorParameters<typeof WatchedService>[1]?]): WatchedService {
  return open(new WatchedService(url, ...rest));
}

const ids = Object.keys(operations) as OperationId[];
const hook = { agent_id: "agent", webhook_id: "hook" };

/** The head of each request when every operation is called once, by operation. */
async function headsOfAll(more: ConstructorParameters<typeof WatchedService>[1]): Promise<Map<OperationId, string>> {
  const server = open(
    await RawServer.listen({ onRequest: ({ socket }) => socket.write(httpAnswer(400, "", { connection: "close" })) }),
  );
  const service = clientOf(server.url, more);
  const heads = new Map<OperationId, string>();
  for (const id of ids) {
    const before = server.connections.length;
    await failureOf(service.callAny(id));
    const [connection, ...others] = server.connections.slice(before);
    assert.deepEqual(others, []);
    heads.set(id, connection?.received ?? "");
  }
  return heads;
}

describe("A call", () => {
  it("sends method, path, query and body, and returns the validated response", async () => {
    const simulator = await simulated();
    const service = clientOf(simulator.url);
    const body = { target_url: "https://hooks.example.com/a", events: ["message.created"], description: "a" };
    const made = await service.call("webhook.create", {
      parameters: { agent_id: "a/1" },
      body,
      query: { "x y": "1&2" },
    });
    assert.deepEqual(
      simulator.requests.map(({ method, path, body }) => ({ method, path, body })),
      [{ method: "POST", path: "/api/agents/a%2F1/webhooks?x+y=1%262", body }],
    );
    assert.deepEqual(
      [made.id],
      simulator.objects.webhooks("a/1").map(({ id }) => id),
    );
  });

  it("reaches every operation of the table at its own method and path", async () => {
    const heads = await headsOfAll({});
    for (const id of ids) {
      const expected = operations[id].endpoint.replace(/[{}]/g, "");
      assert.equal(heads.get(id)?.split(" HTTP/1.1\r\n")[0], expected);
    }
  });

  it("accepts JSON, and declares a JSON body only when it sends one", async () => {
    const server = open(await RawServer.listen({ onRequest: ({ socket }) => socket.write(httpAnswer(400)) }));
    const service = clientOf(server.url);
    await failureOf(service.call("webhook.get", { parameters: hook }));
    assert.match(server.received, /\r\naccept: application\/json\r\n/i);
    assert.doesNotMatch(server.received, /content-type/i);
    await failureOf(service.call("webhook.update", { parameters: hook, body: { description: "ü" } }));
    assert.match(server.received, /\r\ncontent-type: application\/json\r\n/i);
    assert.ok(server.received.endsWith(Buffer.from('{"description":"ü"}').toString("latin1")));
  });

  it("uses the configured endpoint instead of the one in the table", async () => {
    const simulator = await simulated();
    const endpoints = { "webhook.get": "PATCH /api/agents/{agent_id}/webhooks/{webhook_id}" } as const;
    simulator.objects.putWebhook("agent", { id: "hook" });
    await clientOf(simulator.url, { endpoints }).call("webhook.get", { parameters: hook, body: {} });
    assert.deepEqual(
      simulator.requests.map(({ operation }) => operation),
      ["webhook.update"],
    );
  });

  it("that is not allowed sends no request", async () => {
    const simulator = await simulated();
    const service = clientOf(simulator.url, { documentedOnly: true, endpoints: { "webhook.update": "none" } });
    await assert.rejects(service.call("webhook.get", { parameters: hook }), /documentedOnly/);
    await assert.rejects(service.call("webhook.update", { parameters: hook }), /"none"/);
    await assert.rejects(
      service.call("folderItem.remove", { parameters: { folder_id: "..", app_id: "a" } }),
      /folder_id/,
    );
    assert.deepEqual(simulator.requests, []);
    assert.deepEqual([service.can("webhook.get"), service.can("folderItem.remove")], [false, true]);
  });
});

describe("The credential", () => {
  const bearer = /\r\nauthorization: Bearer full-access-token\r\n/;
  const key = /\r\napi_key: personal-key\r\n/;

  it("is the bearer token on every operation when no API key is set", async () => {
    for (const [id, head] of await headsOfAll({})) {
      assert.match(head, bearer, id);
      assert.doesNotMatch(head, /api_key/i, id);
    }
  });

  it("is only the API key on the operations that take it", async () => {
    for (const [id, head] of await headsOfAll({ apiKey: "personal-key" })) {
      const takesKey = operations[id].credential === "key";
      assert.match(head, takesKey ? key : bearer, id);
      assert.doesNotMatch(head, takesKey ? /authorization/i : /api_key/i, id);
    }
  });
});

describe("A response", () => {
  const wire = {
    id: "hook",
    target_url: "https://hooks.example.com/a",
    events: ["message.created"],
    has_secret: false,
    created_date: "2026-01-02T03:04:05",
  };

  async function answered(body: unknown): Promise<WatchedService> {
    const simulator = await simulated();
    simulator.fault({ operation: "webhook.get", times: "always", then: { status: 200, body } });
    return clientOf(simulator.url);
  }

  it("of another shape is an error that names operation, method, path and every field", async () => {
    const service = await answered({ ...wire, has_secret: "no", created_date: "some day", events: ["a", 7] });
    const { message } = await failureOf(service.call("webhook.get", { parameters: hook }));
    assert.match(
      message,
      /^webhook\.get failed: the response \(200\) could not be read: .*\n {2}Request: GET http:\/\/127\.0\.0\.1:\d+\/api\/agents\/agent\/webhooks\/hook\n/,
    );
    for (const field of ["has_secret", "created_date", "events.1"]) assert.ok(message.includes(`${field}: `), message);
  });

  for (const [what, body] of [
    ["empty", undefined],
    ["not JSON", "<html>Sign in to the network</html>"],
    ["truncated JSON", '{"id":"hook","target_url":'],
    ["of another type", [1]],
  ] as const)
    it(`that is ${what} cannot be read, and the error names the body`, async () => {
      const failure = await failureOf((await answered(body)).call("webhook.get", { parameters: hook }));
      assert.match(failure.message, /the response \(200\) could not be read: body: (not JSON|.*expected object)/);
      assert.deepEqual([failure.certainty, failure.status], ["uncertain", 200]);
    });

  it("that is a proxy's page is not treated as a deletion, whatever a deletion may return", async () => {
    const simulator = await simulated();
    simulator.fault({
      operation: "webhook.delete",
      times: "always",
      then: { status: 200, body: "<html>Sign in</html>" },
    });
    const failure = await failureOf(clientOf(simulator.url).call("webhook.delete", { parameters: hook }));
    assert.match(failure.message, /body: not JSON/);
    assert.equal(failure.certainty, "uncertain");
  });

  it("shows the service's clock by its date", async () => {
    const simulator = await simulated();
    const date = "Fri, 02 Jan 2026 00:00:00 GMT";
    simulator.fault({ operation: "webhook.get", then: { status: 200, body: wire, headers: { date } } });
    const service = clientOf(simulator.url);
    assert.equal(service.serviceTime(1_000), undefined, "nothing is known yet");
    await service.call("webhook.get", { parameters: hook });
    assert.equal(service.serviceTime(service.time.now()), Date.parse(date));
    for (const absurd of ["", "soon", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"]) {
      const headers = { date: absurd };
      simulator.fault({ operation: "webhook.get", then: { status: 200, body: wire, headers } });
      await service.call("webhook.get", { parameters: hook });
      assert.equal(service.serviceTime(service.time.now()), Date.parse(date), absurd);
    }
  });
});

describe("The error of a refused call", () => {
  it("is readable for a person who looks at a failed pipeline", async () => {
    const simulator = await simulated({ folders: [{ id: "mine", owner: "someone-else" }] });
    const call = clientOf(simulator.url).call("folderItem.remove", {
      parameters: { folder_id: "mine", app_id: "app" },
    });
    const failure = await failureOf(call);
    assert.deepEqual(failure.message.split("\n"), [
      "folderItem.remove failed: the service answered 404. [WA1505]",
      "  The service said: There is no such folder.",
      `  Request: DELETE ${simulator.url}/api/app-folders/mine/items/app`,
      "  Nothing was changed.",
      "  - Check folderId, appId and whose token is used. The folder does not exist, or it is another user's personal folder, or the token is limited to other apps.",
    ]);
    const { name, operation, certainty, status, serviceCode } = failure;
    assert.deepEqual(
      [name, operation, certainty, status, serviceCode],
      ["ServiceError", "folderItem.remove", "refused", 404, "folder_not_found"],
    );
  });

  it("says after a 404 that a base URL must not end in /api", async () => {
    const simulator = await simulated();
    const failure = await failureOf(clientOf(`${simulator.url}/api`).call("webhook.update", { parameters: hook }));
    assert.match(failure.message, /\/api\/api\/agents\/.*\n {2}- Remove \/api from the end of workspace-apps:baseUrl/s);
  });

  for (const status of [403, 404, 405])
    it(`says that the path is assumed after a ${String(status)} of an assumed operation, and nothing of a documented one`, async () => {
      const simulator = await simulated();
      const service = clientOf(simulator.url);
      const messageOf = async (operation: "webhook.delete" | "webhook.update"): Promise<string> => {
        simulator.fault({ operation, then: { status } });
        return (await failureOf(service.call(operation, { parameters: hook }))).message;
      };
      const message = await messageOf("webhook.delete");
      assert.match(message, /\n {2}The path of webhook\.delete is assumed: /);
      // A 403 is more likely about the token than about the path.
      assert.equal(message.includes("set it in workspace-apps:endpoints"), status !== 403);
      assert.doesNotMatch(await messageOf("webhook.update"), /assumed|endpoints/);
    });

  it("leaves a long id out of the request line, without truncating it", async () => {
    const simulator = await simulated();
    simulator.fault({ operation: "webhook.get", times: 2, then: { status: 400 } });
    const request = async (webhook_id: string) => {
      const failure = await failureOf(
        clientOf(simulator.url).call("webhook.get", { parameters: { ...hook, webhook_id } }),
      );
      return failure.message.split("\n")[1];
    };
    const path = `  Request: GET ${simulator.url}/api/agents/agent/webhooks`;
    assert.equal(await request("x".repeat(128)), `${path}/${"x".repeat(128)}`);
    assert.equal(await request("x".repeat(129)), `${path}/…`);
  });

  it("shows neither the query nor the token", async () => {
    const simulator = await simulated();
    simulator.fault({ operation: "webhook.get", then: { status: 400 } });
    const call = { parameters: hook, query: { search: "private" } };
    const failure = await failureOf(clientOf(simulator.url).call("webhook.get", call));
    assert.ok(!failure.message.includes("private") && !failure.message.includes(accessToken));
  });
});
