import assert from "node:assert/strict";
import { bearer, type Headers, onSimulator, send, webhookBody } from "./support";

describe("The simulator's validation", () => {
  const { simulator } = onSimulator();
  beforeEach(() => {
    simulator.objects.putWebhook("a", { id: "w" });
  });
  const hooks = "/api/agents/a/webhooks";

  async function refused(method: string, path: string, body: unknown, headers?: Headers) {
    const before = simulator.objects.all();
    const { status, json } = await send(simulator, method, path, { body, headers });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(json), ["detail"]);
    for (const { loc, msg, type, ...rest } of json.detail) {
      assert.deepEqual(rest, {});
      assert.deepEqual([loc[0], typeof msg, typeof type], ["body", "string", "string"]);
    }
    assert.deepEqual(simulator.objects.all(), before);
    return json.detail;
  }
  const refusedUpdate = (body: unknown, headers?: Headers) => refused("PATCH", `${hooks}/w`, body, headers);

  it("names each missing field of a create request", async () => {
    const missing = { msg: "Field required", type: "missing" };
    assert.deepEqual(await refused("POST", hooks, {}), [
      { loc: ["body", "target_url"], ...missing },
      { loc: ["body", "events"], ...missing },
    ]);
  });

  it("accepts only a public https target", async () => {
    const notPublic = ["http://example.com/", "https://localhost/", "https://10.0.0.1/", "https://[::1]/", "hook", 7];
    for (const target_url of notPublic) {
      assert.deepEqual((await refusedUpdate({ target_url }))[0]?.loc, ["body", "target_url"]);
      await refused("POST", hooks, { ...webhookBody, target_url });
    }
  });

  it("accepts only one or more of the two events", async () => {
    await refusedUpdate({ events: [] });
    const [problem] = await refusedUpdate({ events: ["message.created", "other"] });
    assert.deepEqual(problem?.loc, ["body", "events", 1]);
  });

  it("accepts only the documented values of the other fields", async () => {
    for (const body of [{ enabled: "yes" }, { signing: "on" }, { description: 1 }]) await refusedUpdate(body);
    for (const body of [{ app_id: "" }, {}]) await refused("POST", "/api/app-folders/f/items", body);
  });

  it("accepts only a JSON object with a JSON content type", async () => {
    for (const body of ["", "{", "[]", "7"]) await refusedUpdate(body);
    await refusedUpdate("{}", { ...bearer("full-access-token"), "content-type": "text/plain" });
  });
});
