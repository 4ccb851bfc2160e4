import assert from "node:assert/strict";
import { type OperationId, readOnlyOperations, type Simulator, startSimulator } from "../../simulator";
import { isRead, operations } from "../../provider/service/operations";
import { apiKey, bearer, type Reply, send, webhookBody } from "./support";

describe("The simulator's credentials", () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator({
      credentials: [
        { value: "full-access-token", kind: "personal-token" },
        { value: "read-only-token", kind: "personal-token", permission: "read_only" },
        { value: "personal-api-key", kind: "api-key" },
        { value: "workspace-key", kind: "workspace-key" },
        { value: "limited", kind: "personal-token", apps: ["mine"] },
        { value: "viewer", kind: "personal-token", role: "viewer" },
      ],
    });
    simulator.objects.putWebhook("a", { id: "w" });
  });
  beforeEach(() => {
    simulator.clearRequests();
  });
  after(() => simulator.close());

  const webhookOperations = [
    ["POST", "/api/agents/a/webhooks", webhookBody],
    ["GET", "/api/agents/a/webhooks", undefined],
    ["GET", "/api/agents/a/webhooks/w", undefined],
    ["PATCH", "/api/agents/a/webhooks/w", {}],
    ["DELETE", "/api/agents/a/webhooks/w", undefined],
  ] as const;

  async function eachWebhookOperation(headers: Record<string, string>, check: (reply: Reply) => void): Promise<void> {
    for (const [method, path, body] of webhookOperations)
      check(await send(simulator, method, path, { body, headers: { "content-type": "application/json", ...headers } }));
    assert.equal(simulator.objects.webhooks("a").length, 1);
  }

  it("are required: a missing or wrong one, or one in the wrong form, returns 401", async () => {
    const wrong = [
      {},
      bearer("nobody"),
      bearer("personal-api-key"),
      apiKey("full-access-token"),
      { authorization: "x" },
    ];
    for (const headers of wrong)
      await eachWebhookOperation(headers, ({ status }) => {
        assert.equal(status, 401);
      });
  });

  it("of another workspace reach what that one holds, and nothing of this one", async () => {
    const other = await startSimulator();
    other.objects.putWebhook("a", { id: "here" });
    other.workspace("other").putWebhook("a", { id: "there" });
    const idsOf = async (token: string): Promise<unknown> => {
      const { json } = await send(other, "GET", "/api/agents/a/webhooks", { headers: bearer(token) });
      return json.webhooks.map(({ id }) => id);
    };
    assert.deepEqual([await idsOf("full-access-token"), await idsOf("other-workspace-token")], [["here"], ["there"]]);
    const { text } = await send(other, "GET", "/__simulator/objects?workspace=other");
    assert.match(text, /"there"/);
    assert.doesNotMatch(text, /"here"/);
    other.reset();
    assert.deepEqual(other.workspace("other").webhooks("a"), []);
    await other.close();
  });

  it("in the api_key form are refused where the specification lists only the token", async () => {
    await eachWebhookOperation(apiKey("personal-api-key"), ({ status }) => {
      assert.equal(status, 401);
    });
  });

  it("are accepted in both forms where the specification lists the API key", async () => {
    const path = "/api/apps/a/ads-platform/campaigns";
    assert.equal((await send(simulator, "GET", path, { headers: apiKey("personal-api-key") })).status, 200);
    assert.equal((await send(simulator, "GET", path)).status, 200);
    assert.equal((await send(simulator, "GET", path, { headers: apiKey("nobody") })).status, 401);
  });

  it("that are read-only are refused by every webhook operation", async () => {
    await eachWebhookOperation(bearer("read-only-token"), ({ status, json }) => {
      assert.deepEqual([status, json.code], [403, "read_only_credential_route_not_allowed"]);
    });
  });

  it("that are read-only can call the assumed operations, which only read, and no other", async () => {
    const headers = bearer("read-only-token");
    const isRefused = async (endpoint: string, to = simulator): Promise<boolean> => {
      const [method = "", path = ""] = endpoint.split(" ");
      const { status, json } = await send(to, method, path.replace(/[{}]/g, ""), { headers });
      return status === 403 && json.code === "read_only_credential_route_not_allowed";
    };
    for (const [id, { endpoint }] of Object.entries(operations))
      assert.equal(await isRefused(endpoint), !readOnlyOperations.includes(id as OperationId), id);
    assert.ok(readOnlyOperations.every((id) => isRead(id) && !id.startsWith("webhook.")));

    const strict = await startSimulator({ readOnlyOperations: ["scan.get"] });
    assert.equal(await isRefused(operations["scan.get"].endpoint, strict), false);
    assert.equal(await isRefused(operations["folderItem.list"].endpoint, strict), true);
    await strict.close();
  });

  it("of a workspace are refused by webhook operations, campaign deletion and test deletion, in both forms", async () => {
    for (const headers of [bearer("workspace-key"), apiKey("workspace-key")] as Record<string, string>[]) {
      await eachWebhookOperation(headers, ({ status }) => {
        assert.equal(status, 403);
      });
      for (const path of ["/api/apps/a/ads-platform/campaigns/c", "/api/apps/a/testing-agent/flows/f"])
        assert.equal((await send(simulator, "DELETE", path, { headers })).status, 403);
    }
  });

  it("of a workspace are accepted by folder operations", async () => {
    const headers = bearer("workspace-key");
    assert.equal((await send(simulator, "GET", "/api/app-folders/f/items", { headers })).status, 200);
  });

  it("limited to other apps cannot access the agent", async () => {
    await eachWebhookOperation(bearer("limited"), ({ status }) => {
      assert.equal(status, 404);
    });
    const own = await send(simulator, "GET", "/api/agents/mine/webhooks", { headers: bearer("limited") });
    assert.equal(own.status, 200);
  });

  it("of a viewer are refused by webhook operations", async () => {
    await eachWebhookOperation(bearer("viewer"), ({ status }) => {
      assert.equal(status, 403);
    });
  });

  it("are checked by every operation of the table", async () => {
    for (const { endpoint } of Object.values(operations)) {
      const [method = "", path = ""] = endpoint.split(" ");
      assert.equal((await send(simulator, method, path.replace(/[{}]/g, ""), { headers: {} })).status, 401, endpoint);
    }
  });

  it("are logged only by their form", async () => {
    await send(simulator, "GET", "/api/agents/a/webhooks");
    await send(simulator, "GET", "/api/agents/a/webhooks", { headers: apiKey("personal-api-key") });
    await send(simulator, "GET", "/api/agents/a/webhooks", { headers: {} });
    assert.deepEqual(
      simulator.requests.map((entry) => entry.credential),
      ["bearer", "api_key", "none"],
    );
    assert.doesNotMatch(JSON.stringify(simulator.requests), /full-access-token|personal-api-key/);
  });
});
