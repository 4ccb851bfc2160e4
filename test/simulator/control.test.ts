import assert from "node:assert/strict";
import type { LoggedRequest } from "../../simulator";
import { bearer, campaignBody, onSimulator, until, webhookBody } from "./support";

describe("The simulator's control interface", () => {
  const { simulator, control, get, post, put, remove } = onSimulator();
  const hooks = "/api/agents/a/webhooks";
  const create = () => post(hooks, webhookBody);
  const set = async (path: string, body: unknown) => (await control("PUT", path, body)).text;
  const inApp = async (path: string) => (await get(`/api/apps/a/${path}`)).text;
  const launch = () => post("/api/apps/a/ads-platform/launch", { campaign: campaignBody });

  it("returns and clears the request log, and is not logged itself", async () => {
    await create();
    const { requests } = (await control("GET", "requests")).json;
    assert.deepEqual(
      requests.map(({ operation, body }: LoggedRequest) => [operation, body]),
      [["webhook.create", webhookBody]],
    );
    await control("DELETE", "requests");
    assert.deepEqual((await control("GET", "requests")).json, { requests: [] });
    assert.deepEqual(simulator.requests, []);
  });

  it("scripts faults and clears them", async () => {
    const fault = { operation: "webhook.create", times: "always", then: { status: 500 } };
    assert.equal((await control("POST", "faults", fault)).status, 200);
    assert.equal((await create()).status, 500);
    await control("DELETE", "faults");
    assert.equal((await create()).status, 200);
    await control("POST", "faults", { operation: "webhook.list", lagMilliseconds: 60_000 });
    assert.deepEqual((await get(hooks)).json, { webhooks: [] });
  });

  it("releases delayed responses", async () => {
    await control("POST", "faults", { operation: "webhook.create", commit: true, then: "hold" });
    const created = create();
    await until(() => simulator.objects.webhooks("a").length === 1);
    assert.deepEqual((await control("POST", "release")).json, { released: 1 });
    assert.equal((await created).status, 200);
  });

  const app = { appId: "a/b" };
  const task = { ...app, entityName: "Task" };
  for (const [kind, owner, idName, made, changed, expected] of [
    ["webhooks", { agentId: "a/b" }, "webhookId", { description: "by hand" }, { description: null }, {}],
    ["campaigns", app, "campaignId", { campaign_name: "by hand" }, { status: "PAUSED" }, { primary_status: "PAUSED" }],
    ["records", task, "recordId", { title: "by hand", is_sample: true }, { title: null }, { is_sample: true }],
  ] as const)
    it(`puts, changes and removes ${kind}`, async () => {
      const path = `objects/${kind}`;
      const first = (await control("PUT", path, { ...owner, fields: made })).json;
      assert.deepEqual({ ...first, ...made }, first);
      const target = { ...owner, [idName]: first.id };
      const second = (await control("PUT", path, { ...target, fields: changed })).json;
      assert.deepEqual({ ...second, ...changed, ...expected }, second);
      const all = (await control("GET", "objects")).json[kind as "webhooks"] as unknown;
      assert.deepEqual(all, { "a/b": kind === "records" ? { Task: [second] } : [second] });
      await control("PUT", path, { ...owner, [idName]: "chosen", fields: {} });
      for (const id of [first.id, "chosen"]) {
        const query = new URLSearchParams({ ...target, [idName]: id }).toString();
        assert.deepEqual((await control("DELETE", `${path}?${query}`)).json, { removed: true });
        assert.deepEqual((await control("DELETE", `${path}?${query}`)).json, { removed: false });
      }
    });

  it("puts and removes folders and their items", async () => {
    const status = async () => (await get("/api/app-folders/f/items")).status;
    await control("PUT", "objects/folder-items", { folderId: "f", appId: "app" });
    assert.deepEqual(simulator.objects.all().folders, { f: ["app"] });
    assert.deepEqual((await control("DELETE", "objects/folder-items?folderId=f&appId=app")).json, { removed: true });
    await control("PUT", "objects/folders", { id: "f", owner: "somebody" });
    assert.equal(await status(), 404);
    await control("PUT", "objects/folders", { id: "f" });
    assert.equal(await status(), 200);
    await control("DELETE", "objects/folders?folderId=f");
    assert.equal(await status(), 404);
  });

  it("returns every launch, also of campaigns that were dropped later", async () => {
    const { campaign } = (await launch()).json;
    simulator.objects.removeCampaign("a", campaign.id);
    for (const [query, launches] of [
      ["?appId=a", [campaign]],
      ["", [campaign]],
      ["?appId=b", []],
    ] as const)
      assert.deepEqual((await control("GET", `launches${query}`)).json, { launches });
  });

  it("sets the preconditions of launches", async () => {
    const { landing_page: landingPage } = campaignBody;
    await control("PUT", "advertising", { paymentProvider: "unreachable" });
    await control("PUT", "advertising/landing-pages", { appId: "a", landingPage });
    const { landing_page, error } = (await get("/api/apps/a/ads-platform/launch-readiness")).json;
    assert.deepEqual([landing_page, error], [landingPage, "payment_provider_unavailable"]);
    for (const [settings, status] of [
      [{ paymentProvider: "reachable", billingHold: true }, 409],
      [{ billingHold: false, adPlatform: "refusing" }, 400],
      [{ adPlatform: "accepting" }, 200],
    ] as const) {
      await control("PUT", "advertising", settings);
      assert.equal((await launch()).status, status);
      assert.equal(simulator.objects.advertisingAccount("a") !== undefined, status !== 409);
    }
    assert.equal((await control("POST", "advertising/tracking", { appId: "a" })).status, 200);
  });

  it("returns the writes of records through the service", async () => {
    await control("PUT", "objects/records", { ...task, recordId: "chosen", fields: {} });
    assert.deepEqual((await control("GET", "record-writes")).json, { writes: [] });
    await put("/api/apps/a%2Fb/entities/Task/chosen", {});
    const written = await control("GET", `record-writes?${new URLSearchParams(task).toString()}`);
    assert.deepEqual(written.json, { writes: simulator.objects.recordWrites("a/b", "Task") });
    assert.equal(simulator.objects.recordWrites("a/b").length, 1);
  });

  it("sets an entity's schema and rules", async () => {
    const schema = { fields: ["title"], updateRule: { title: "open" }, readOnlyFields: [], refusalStatus: 400 };
    await control("PUT", "entities", { appId: "a", entityName: "Task", schema });
    const { id } = simulator.objects.putRecord("a", "Task", { title: "open" });
    const update = async (body: unknown) => (await put(`/api/apps/a/entities/Task/${id}`, body)).status;
    assert.deepEqual([await update({ title: "closed", other: 1 }), await update({ title: "open" })], [200, 400]);
    assert.equal("other" in (simulator.objects.record("a", "Task", id) ?? {}), false);
  });

  it("puts, changes, runs and removes tests", async () => {
    const made = await control("PUT", "objects/tests", { appId: "a", definition: { name: "by hand" } });
    const target = { appId: "a", flowId: made.json.id };
    const { json } = await control("POST", "test-runs", target);
    await control("PUT", "objects/tests", { ...target, definition: { name: "changed" } });
    const test = simulator.objects.test("a", made.json.id);
    assert.deepEqual([test?.definition, json], [{ name: "changed" }, { run: test?.running[0] }]);
    await remove(`/api/apps/a/testing-agent/flows/${made.json.id}`);
    const cancelled = await control("GET", "cancelled-runs?appId=a");
    assert.deepEqual(cancelled.json, { runs: simulator.objects.cancelledRuns("a") });
    assert.equal(simulator.objects.cancelledRuns().length, 1);
    await control("PUT", "objects/tests", { appId: "a", flowId: "chosen", definition: {} });
    for (const removed of [true, false])
      assert.deepEqual((await control("DELETE", "objects/tests?appId=a&flowId=chosen")).json, { removed });
  });

  it("sets security scans", async () => {
    const fields = { status: "up_to_date", ignored_fingerprints: ["f"], result: { hardcoded_secrets: [{}] } };
    const { json } = await control("PUT", "objects/scans", { appId: "a", fields });
    assert.deepEqual(json, simulator.objects.scan("a"));
    assert.deepEqual(simulator.objects.scan("a").result?.hardcoded_secrets, [{}]);
    assert.deepEqual(simulator.objects.ignoredFindings("a"), ["f"]);
  });

  it("puts advertising accounts and their conversion data", async () => {
    const account = await control("PUT", "advertising/accounts", { appId: "a", fields: { timezone: "Asia/Tokyo" } });
    assert.deepEqual(account.json, simulator.objects.advertisingAccount("a"));
    const conversions = { appId: "a", goals: ["OWN"], enabledMappings: 2, conversionId: "" };
    await control("PUT", "advertising/conversions", conversions);
    const path = "/api/apps/a/ads-platform/tracking-scan/build-bootstrap-prompt";
    const { composer_prompt: _, ...rest } = (await post(path, { wire_events: true })).json as unknown as {
      composer_prompt: string;
    };
    assert.deepEqual(rest, { conversion_id: "", actions_created_or_existing: 11, wired_mappings: 2 });
    assert.equal((await control("PUT", "advertising/accounts", { appId: "b" })).status, 200);
  });

  it("changes coding sessions and connects repositories", async () => {
    await control("PUT", "repositories", { appId: "a", fullName: "team/app" });
    const headers = { ...bearer("full-access-token"), "idempotency-key": "k" };
    await post("/api/apps/a/coding-sessions", { prompt: "p", title: "t" }, headers);
    const fields = { state: "completed", outcome: "answer", pull_request: null, summary: "Done." };
    const { json } = await control("PUT", "objects/coding-sessions", { appId: "a", sessionId: "cs_1", fields });
    const [session] = simulator.objects.codingSessions("a");
    assert.deepEqual([session?.state, session?.repository_full_name], ["completed", "team/app"]);
    assert.deepEqual(session, json);
  });

  it("simulates deliveries", async () => {
    const { id } = (await create()).json;
    const outcome = { ok: false, status: 500, body: "no" };
    const { json } = await control("POST", "deliveries", { agentId: "a", webhookId: id, outcome });
    assert.deepEqual([json.last_error?.response_body, json.consecutive_failures], ["no", 1]);
    assert.equal(simulator.objects.webhook("a", id)?.consecutive_failures, 1);
  });

  it("adds, changes and removes members, who are listed among the objects", async () => {
    const email = "new@example.com";
    assert.match(await set("objects/members", { email }), /"role":"editor"/);
    assert.match(await set("objects/members", { email, fields: { role: "admin" } }), /"role":"admin"/);
    assert.match((await control("GET", "objects")).text, /"members":\[.*new@example\.com/);
    assert.match((await control("DELETE", `objects/members?email=${email}`)).text, /"removed":true/);
    await set("credit-limits", { monthly_limit: 7 });
    assert.match((await post("/api/workspace/members/list", {})).text, /"total":5,"monthly_limit":7/);
  });

  it("sets the results of advertising look-ups", async () => {
    const names = { resource_name: "g", name: "Ulm", canonical_name: "Ulm" };
    await set("advertising/geo-targets", [{ ...names, country_code: "DE", target_type: "City", reach: 1 }]);
    assert.match(await inApp("ads-platform/geo-targets/search"), /^\[\{"resource_name":"g"[^[]*\]$/);
    await set("advertising/search-themes", { appId: "a", themes: ["pots"] });
    const suggested = await post("/api/apps/a/ads-platform/suggestions/search-themes", {});
    assert.equal(suggested.text, '{"search_themes":["pots"]}');
    await set("advertising/search-terms", { appId: "a", rows: [{ search_term: "pots" }] });
    assert.match(await inApp("ads-platform/analytics/search-terms"), /"search_term":"pots"/);
    await set("advertising/search-term-sources", { appId: "a", source: "SMART", state: "failing" });
    assert.equal(await inApp("ads-platform/analytics/search-terms"), "[]");
    simulator.objects.putCampaign("a", { id: "c" });
    for (const assets of [
      { library: [{ n: 1 }] },
      { sessionId: "s", session: [{ n: 2 }] },
      { campaignId: "c", durable: [{ n: 3 }] },
    ])
      await set("advertising/assets", { appId: "a", ...assets });
    assert.equal(await inApp("ads-platform/assets"), '{"library":[{"n":1}]}');
    const attached = '{"session":[{"n":2}],"durable":[{"n":3}]}';
    assert.equal(await inApp("ads-platform/assets?session_id=s&campaign_id=c"), attached);
  });

  it("sets the results of app look-ups", async () => {
    await set("connectors", { integrationType: "crm", fields: [{ name: "key" }] });
    await set("connections", { appId: "a", integrationType: "crm", values: { key: "k" } });
    assert.match(await inApp("external-auth/connection-config/crm"), /"name":"key".*"connection_config":\{"key":"k"\}/);
    assert.match(await set("user-stats", { appId: "a", fields: { live_users: 0 } }), /"live_users":0/);
    await set("workflow-runs", { appId: "a", workflowId: "w", runId: "r" });
    await set("language-model", { state: "unavailable" });
    const explained = await post("/api/apps/a/workflows/w/runs/r/analyze");
    assert.equal(explained.text, '{"explanation":"","generated_at":""}');
  });

  it("returns 400 and a sentence for requests that it does not understand", async () => {
    const a = { appId: "a" };
    const record = { ...a, entityName: "Task" };
    const session = { ...a, sessionId: "none" };
    for (const [method, path, body, reason] of [
      ["POST", "faults", { operation: "webhook.creat", then: "reset" }, /operation: unknown operation/],
      ["POST", "faults", "{"],
      ["POST", "faults", 7],
      ["POST", "faults", "null"],
      ["PUT", "objects/webhooks", { agentId: "a", fields: { secret: "x" } }],
      ["POST", "deliveries", { agentId: "a", webhookId: "w", outcome: { ok: true } }, /Agent a has no webhook w\./],
      ["DELETE", "objects/webhooks?agentId=a"],
      ["PUT", "objects/campaigns", { ...a, fields: { daily_budget_micros: "1" } }],
      ["GET", "launches?app=a"],
      ["PUT", "advertising", { paymentProvider: "gone" }],
      ["PUT", "advertising/landing-pages", a],
      ["POST", "advertising/tracking", {}],
      ["PUT", "objects/records", { ...record, fields: [] }],
      ["PUT", "objects/records", { ...record, fields: { created_date: "today" } }],
      ["PUT", "objects/records", { ...record, fields: { id: "elsewhere" } }],
      ["GET", "record-writes?entity=Task"],
      ["PUT", "entities", { ...record, schema: { field: [] } }],
      ["PUT", "objects/tests", a],
      ["POST", "test-runs", { ...a, flowId: "none" }],
      ["PUT", "objects/scans", { ...a, fields: { status: "done" } }],
      ["PUT", "advertising/accounts", { ...a, fields: { name: "x" } }],
      ["PUT", "advertising/conversions", { ...a, enabledMappings: -1 }],
      ["PUT", "objects/coding-sessions", { ...session, fields: {} }],
      ["PUT", "objects/coding-sessions", { ...session, fields: { state: "asleep" } }],
      ["PUT", "repositories", { ...a, fullName: "" }],
      ["PUT", "objects/members", { email: "" }],
      ["PUT", "objects/members", { email: "a", fields: { role: "king" } }],
      ["PUT", "credit-limits", { monthly: 1 }],
      ["PUT", "advertising/geo-targets", [{ name: "x" }]],
      ["PUT", "advertising/assets", a],
      ["PUT", "user-stats", { ...a, fields: { live_users: -1 } }],
      ["PUT", "language-model", { state: "asleep" }],
    ] as [string, string, unknown?, RegExp?][]) {
      const { status, json } = await control(method, path, body);
      assert.equal(status, 400, path);
      assert.match(json.error, /^[A-Z].*\.$/);
      if (reason) assert.match(json.error, reason);
    }
    assert.equal((await control("GET", "other")).status, 404);
  });
});
