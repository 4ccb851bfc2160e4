import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { bearer, send, webhookBody } from "./support";

describe("The simulator's validation", () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator();
    simulator.objects.putWebhook("a", { id: "w" });
  });
  after(() => simulator.close());

  async function refused(method: string, path: string, body: unknown) {
    const before = simulator.objects.all();
    const { status, json } = await send(simulator, method, path, { body });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(json), ["detail"]);
    for (const { loc, msg, type, ...rest } of json.detail) {
      assert.deepEqual(rest, {});
      assert.equal(loc[0], "body");
      assert.equal(typeof msg, "string");
      assert.equal(typeof type, "string");
    }
    assert.deepEqual(simulator.objects.all(), before);
    return json.detail;
  }

  it("names each missing field of a create request", async () => {
    assert.deepEqual(await refused("POST", "/api/agents/a/webhooks", {}), [
      { loc: ["body", "target_url"], msg: "Field required", type: "missing" },
      { loc: ["body", "events"], msg: "Field required", type: "missing" },
    ]);
  });

  it("accepts only a public https target", async () => {
    const notPublic = ["http://example.com/", "https://localhost/", "https://10.0.0.1/", "https://[::1]/", "hook", 7];
    for (const target_url of notPublic) {
      const update = await refused("PATCH", "/api/agents/a/webhooks/w", { target_url });
      assert.deepEqual(update[0]?.loc, ["body", "target_url"]);
      await refused("POST", "/api/agents/a/webhooks", { ...webhookBody, target_url });
    }
  });

  it("accepts only one or more of the two events", async () => {
    await refused("PATCH", "/api/agents/a/webhooks/w", { events: [] });
    const [problem] = await refused("PATCH", "/api/agents/a/webhooks/w", { events: ["message.created", "other"] });
    assert.deepEqual(problem?.loc, ["body", "events", 1]);
  });

  it("accepts only the documented values of the other fields", async () => {
    for (const body of [{ enabled: "yes" }, { signing: "on" }, { description: 1 }])
      await refused("PATCH", "/api/agents/a/webhooks/w", body);
    await refused("POST", "/api/app-folders/f/items", { app_id: "" });
    await refused("POST", "/api/app-folders/f/items", {});
  });

  it("accepts only a JSON object with a JSON content type", async () => {
    for (const body of ["", "{", "[]", "7"]) await refused("PATCH", "/api/agents/a/webhooks/w", body);
    const unsaid = await send(simulator, "PATCH", "/api/agents/a/webhooks/w", {
      body: "{}",
      headers: { ...bearer("full-access-token"), "content-type": "text/plain" },
    });
    assert.equal(unsaid.status, 422);
  });
});
