import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { send } from "./support";

describe("The simulator's control of look-ups", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const put = (path: string, body: unknown) =>
    send(simulator, "PUT", `/__simulator/${path}`, { body, headers: { "content-type": "application/json" } });
  const read = async (method: string, path: string, body?: unknown): Promise<string> =>
    (await send(simulator, method, path, { body })).text;
  const inApp = (path: string): Promise<string> => read("GET", `/api/apps/a/${path}`);

  it("adds, changes and removes members, who are listed among the objects", async () => {
    const email = "new@example.com";
    assert.match((await put("objects/members", { email })).text, /"role":"editor"/);
    assert.match((await put("objects/members", { email, fields: { role: "admin" } })).text, /"role":"admin"/);
    assert.match(await read("GET", "/__simulator/objects"), /"members":\[.*new@example\.com/);
    assert.match(await read("DELETE", `/__simulator/objects/members?email=${email}`), /"removed":true/);
    await put("credit-limits", { monthly_limit: 7 });
    assert.match(await read("POST", "/api/workspace/members/list", {}), /"total":5,"monthly_limit":7/);
  });

  it("sets the results of advertising look-ups", async () => {
    const place = {
      resource_name: "g",
      name: "Ulm",
      canonical_name: "Ulm",
      country_code: "DE",
      target_type: "City",
      reach: 1,
    };
    await put("advertising/geo-targets", [place]);
    assert.match(await inApp("ads-platform/geo-targets/search"), /^\[\{"resource_name":"g"[^[]*\]$/);
    await put("advertising/search-themes", { appId: "a", themes: ["pots"] });
    const suggested = await read("POST", "/api/apps/a/ads-platform/suggestions/search-themes", {});
    assert.equal(suggested, '{"search_themes":["pots"]}');
    await put("advertising/search-terms", { appId: "a", rows: [{ search_term: "pots" }] });
    assert.match(await inApp("ads-platform/analytics/search-terms"), /"search_term":"pots"/);
    await put("advertising/search-term-sources", { appId: "a", source: "SMART", state: "failing" });
    assert.equal(await inApp("ads-platform/analytics/search-terms"), "[]");
    await put("advertising/assets", { appId: "a", library: [{ n: 1 }] });
    await put("advertising/assets", { appId: "a", sessionId: "s", session: [{ n: 2 }] });
    simulator.objects.putCampaign("a", { id: "c" });
    await put("advertising/assets", { appId: "a", campaignId: "c", durable: [{ n: 3 }] });
    assert.equal(await inApp("ads-platform/assets"), '{"library":[{"n":1}]}');
    assert.equal(
      await inApp("ads-platform/assets?session_id=s&campaign_id=c"),
      '{"session":[{"n":2}],"durable":[{"n":3}]}',
    );
  });

  it("sets the results of app look-ups", async () => {
    await put("connectors", { integrationType: "crm", fields: [{ name: "key" }] });
    await put("connections", { appId: "a", integrationType: "crm", values: { key: "k" } });
    assert.match(await inApp("external-auth/connection-config/crm"), /"name":"key".*"connection_config":\{"key":"k"\}/);
    assert.match((await put("user-stats", { appId: "a", fields: { live_users: 0 } })).text, /"live_users":0/);
    await put("workflow-runs", { appId: "a", workflowId: "w", runId: "r" });
    await put("language-model", { state: "unavailable" });
    const explained = await read("POST", "/api/apps/a/workflows/w/runs/r/analyze");
    assert.equal(explained, '{"explanation":"","generated_at":""}');
  });

  it("refuses requests that it does not understand", async () => {
    for (const [path, body] of [
      ["objects/members", { email: "" }],
      ["objects/members", { email: "a", fields: { role: "king" } }],
      ["credit-limits", { monthly: 1 }],
      ["advertising/geo-targets", [{ name: "x" }]],
      ["advertising/assets", { appId: "a" }],
      ["user-stats", { appId: "a", fields: { live_users: -1 } }],
      ["language-model", { state: "asleep" }],
    ] as const)
      assert.equal((await put(path, body)).status, 400, JSON.stringify(body));
  });
});
