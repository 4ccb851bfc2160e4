import assert from "node:assert/strict";
import fc from "fast-check";
import { operations, parameterNames } from "../../provider/service/operations";
import { onSimulator, send, webhookBody } from "./support";

/** Any text that can be one path segment, including text that looks encoded. */
const id = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.string({ minLength: 1 }),
    fc.string({
      unit: fc.constantFrom("%", "2", "5", "F", "/", ".", "é", "?", "#", "+", " ", "\\", "💾"),
      minLength: 1,
    }),
  )
  .filter((text) => text.isWellFormed() && text !== "." && text !== "..");

describe("The simulator's paths", () => {
  const { simulator, get, post, put } = onSimulator();
  const hooks = "/api/agents/a/webhooks";

  it("decode every id exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(id, id, async (agent, webhook) => {
        simulator.clearRequests();
        const path = `/api/agents/${encodeURIComponent(agent)}/webhooks/${encodeURIComponent(webhook)}`;
        await get(path);
        const [entry] = simulator.requests;
        assert.equal(entry?.operation, "webhook.get");
        assert.equal(entry.path, path);
        assert.deepEqual({ ...entry.parameters }, { agent_id: agent, webhook_id: webhook });
      }),
      { numRuns: 300 },
    );
  });

  it("keep an object under its decoded id", async () => {
    await post("/api/agents/a%2Fb%252F/webhooks", webhookBody);
    assert.equal(simulator.objects.webhooks("a/b%2F").length, 1);
  });

  it("include every operation of the table", async () => {
    for (const [name, { endpoint }] of Object.entries(operations)) {
      const [method = "", path = ""] = endpoint.split(" ");
      await send(simulator, method, path.replace(/[{}]/g, ""));
      const entry = simulator.requests.at(-1);
      assert.equal(entry?.operation, name);
      assert.deepEqual(Object.keys(entry.parameters), parameterNames(endpoint));
    }
  });

  it("return 404 for an unknown path and 405 for another method", async () => {
    assert.equal((await get("/api/agents/a/hooks")).status, 404);
    const { status, headers } = await put(`${hooks}/w`, {});
    assert.deepEqual([status, headers["allow"]], [405, "GET, PATCH, DELETE"]);
    assert.deepEqual(
      simulator.requests.map((entry) => [entry.operation, entry.status]),
      [
        [undefined, 404],
        [undefined, 405],
      ],
    );
  });

  it("are logged in the order of arrival, with body and query", async () => {
    await post(`${hooks}?trace=1`, webhookBody);
    const [entry] = simulator.requests;
    const { number, at, milliseconds, ...rest } = entry ?? assert.fail("nothing was logged");
    assert.equal(typeof number, "number");
    assert.equal(new Date(at).toISOString(), at);
    assert.equal(typeof milliseconds, "number");
    assert.deepEqual(
      { ...rest, parameters: { ...rest.parameters } },
      {
        operation: "webhook.create",
        documented: false,
        method: "POST",
        path: "/api/agents/a/webhooks?trace=1",
        parameters: { agent_id: "a" },
        body: webhookBody,
        status: 200,
        credential: "bearer",
      },
    );
    await get(hooks);
    assert.equal(simulator.requests[1]?.number, number + 1);
    assert.equal(simulator.requests[1].body, undefined);
  });
});
