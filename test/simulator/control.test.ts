import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { bearer, campaignBody, controlOf, send, until, webhookBody } from "./support";

describe("The simulator's control interface", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const control = controlOf(() => simulator);
  const create = () => send(simulator, "POST", "/api/agents/a/webhooks", { body: webhookBody });

  it("returns and clears the request log, and is not logged itself", async () => {
    await create();
    const { json } = await control("GET", "requests");
    assert.deepEqual(
      json.requests.map((entry) => entry.operation),
      ["webhook.create"],
    );
    assert.deepEqual(json.requests[0]?.body, webhookBody);
    await control("DELETE", "requests");
    assert.deepEqual((await control("GET", "requests")).json, { requests: [] });
    assert.deepEqual(simulator.requests, []);
  });

  it("scripts faults and clears them", async () => {
    const posted = await control("POST", "faults", {
      operation: "webhook.create",
      times: "always",
      then: { status: 500 },
    });
    assert.equal(posted.status, 200);
    assert.equal((await create()).status, 500);
    await control("DELETE", "faults");
    assert.equal((await create()).status, 200);
    await control("POST", "faults", { operation: "webhook.list", lagMilliseconds: 60_000 });
    assert.deepEqual((await send(simulator, "GET", "/api/agents/a/webhooks")).json, { webhooks: [] });
  });

  it("releases delayed responses", async () => {
    await control("POST", "faults", { operation: "webhook.create", commit: true, then: "hold" });
    const created = create();
    await until(() => simulator.objects.webhooks("a").length === 1);
    assert.deepEqual((await control("POST", "release")).json, { released: 1 });
    assert.equal((await created).status, 200);
  });

  it("puts, changes and removes webhooks", async () => {
    const made = await control("PUT", "objects/webhooks", { agentId: "a/b", fields: { description: "by hand" } });
    assert.equal(made.json.description, "by hand");
    const target = { agentId: "a/b", webhookId: made.json.id };
    const changed = await control("PUT", "objects/webhooks", { ...target, fields: { description: null } });
    assert.equal(changed.json.description, null);
    assert.deepEqual((await control("GET", "objects")).json.webhooks, { "a/b": [changed.json] });
    await control("PUT", "objects/webhooks", { agentId: "a/b", webhookId: "wh_chosen", fields: {} });
    assert.equal(simulator.objects.webhooks("a/b").length, 2);
    const query = new URLSearchParams(target).toString();
    assert.deepEqual((await control("DELETE", `objects/webhooks?${query}`)).json, { removed: true });
    assert.deepEqual((await control("DELETE", `objects/webhooks?${query}`)).json, { removed: false });
  });

  it("puts and removes folders and their items", async () => {
    await control("PUT", "objects/folder-items", { folderId: "f", appId: "app" });
    const { folders } = (await control("GET", "objects")).json as unknown as { folders: unknown };
    assert.deepEqual(folders, { f: ["app"] });
    assert.deepEqual((await control("DELETE", "objects/folder-items?folderId=f&appId=app")).json, { removed: true });
    await control("PUT", "objects/folders", { id: "f", owner: "somebody" });
    assert.equal((await send(simulator, "GET", "/api/app-folders/f/items")).status, 404);
    await control("PUT", "objects/folders", { id: "f" });
    assert.equal((await send(simulator, "GET", "/api/app-folders/f/items")).status, 200);
    await control("DELETE", "objects/folders?folderId=f");
    assert.equal((await send(simulator, "GET", "/api/app-folders/f/items")).status, 404);
  });

  it("puts, changes and drops campaigns", async () => {
    const made = await control("PUT", "objects/campaigns", { appId: "a/b", fields: { campaign_name: "by hand" } });
    assert.equal(made.json.campaign_name, "by hand");
    const target = { appId: "a/b", campaignId: made.json.id };
    const changed = await control("PUT", "objects/campaigns", { ...target, fields: { status: "PAUSED" } });
    assert.equal(changed.json.primary_status, "PAUSED");
    assert.deepEqual((await control("GET", "objects")).json.campaigns, { "a/b": [changed.json] });
    await control("PUT", "objects/campaigns", { appId: "a/b", campaignId: "chosen", fields: {} });
    assert.equal(simulator.objects.campaign("a/b", "chosen")?.status, "ENABLED");
    const query = new URLSearchParams(target).toString();
    assert.deepEqual((await control("DELETE", `objects/campaigns?${query}`)).json, { removed: true });
    assert.deepEqual((await control("DELETE", `objects/campaigns?${query}`)).json, { removed: false });
  });

  it("returns every launch, also of campaigns that were dropped later", async () => {
    const body = { campaign: campaignBody };
    const { campaign } = (await send(simulator, "POST", "/api/apps/a/ads-platform/launch", { body })).json;
    simulator.objects.removeCampaign("a", campaign.id);
    assert.deepEqual((await control("GET", "launches?appId=a")).json, { launches: [campaign] });
    assert.deepEqual((await control("GET", "launches")).json, { launches: [campaign] });
    assert.deepEqual((await control("GET", "launches?appId=b")).json, { launches: [] });
  });

  it("sets the preconditions of launches", async () => {
    const readiness = async () => (await send(simulator, "GET", "/api/apps/a/ads-platform/launch-readiness")).json;
    const launch = async () =>
      (await send(simulator, "POST", "/api/apps/a/ads-platform/launch", { body: { campaign: campaignBody } })).status;
    await control("PUT", "advertising", { paymentProvider: "unreachable" });
    await control("PUT", "advertising/landing-pages", { appId: "a", landingPage: campaignBody.landing_page });
    const { landing_page, error } = await readiness();
    assert.deepEqual([landing_page, error], [campaignBody.landing_page, "payment_provider_unavailable"]);
    await control("PUT", "advertising", { paymentProvider: "reachable", billingHold: true });
    assert.equal(await launch(), 409);
    await control("PUT", "advertising", { billingHold: false, adPlatform: "refusing" });
    assert.equal(await launch(), 400);
    assert.ok(simulator.objects.advertisingAccount("a"));
    await control("PUT", "advertising", { adPlatform: "accepting" });
    assert.equal(await launch(), 200);
    assert.equal((await control("POST", "advertising/tracking", { appId: "a" })).status, 200);
  });

  it("puts, changes and removes records, and returns the writes through the service", async () => {
    const at = { appId: "a/b", entityName: "Task" };
    const made = await control("PUT", "objects/records", { ...at, fields: { title: "by hand", is_sample: true } });
    const target = { ...at, recordId: made.json.id };
    await control("PUT", "objects/records", { ...target, fields: { title: null } });
    const record = simulator.objects.record("a/b", "Task", made.json.id);
    assert.deepEqual([record?.["title"], record?.is_sample], [null, true]);
    await control("PUT", "objects/records", { ...at, recordId: "chosen", fields: {} });
    assert.equal(simulator.objects.records("a/b", "Task").length, 2);
    const query = new URLSearchParams(target).toString();
    assert.deepEqual((await control("DELETE", `objects/records?${query}`)).json, { removed: true });
    assert.deepEqual((await control("DELETE", `objects/records?${query}`)).json, { removed: false });
    assert.deepEqual((await control("GET", "record-writes")).json, { writes: [] });
    await send(simulator, "PUT", "/api/apps/a%2Fb/entities/Task/chosen", { body: {} });
    const { writes } = (await control("GET", `record-writes?${new URLSearchParams(at).toString()}`))
      .json as unknown as {
      writes: unknown;
    };
    assert.deepEqual(writes, simulator.objects.recordWrites("a/b", "Task"));
    assert.equal(simulator.objects.recordWrites("a/b").length, 1);
  });

  it("sets an entity's schema and rules", async () => {
    const schema = { fields: ["title"], updateRule: { title: "open" }, readOnlyFields: [], refusalStatus: 400 };
    await control("PUT", "entities", { appId: "a", entityName: "Task", schema });
    const { id } = simulator.objects.putRecord("a", "Task", { title: "open" });
    const update = (body: unknown) => send(simulator, "PUT", `/api/apps/a/entities/Task/${id}`, { body });
    assert.equal((await update({ title: "closed", other: 1 })).status, 200);
    assert.equal((await update({ title: "open" })).status, 400);
    assert.equal("other" in (simulator.objects.record("a", "Task", id) ?? {}), false);
  });

  it("puts, changes, runs and removes tests", async () => {
    const made = await control("PUT", "objects/tests", { appId: "a", definition: { name: "by hand" } });
    const target = { appId: "a", flowId: made.json.id };
    const { json } = await control("POST", "test-runs", target);
    await control("PUT", "objects/tests", { ...target, definition: { name: "changed" } });
    const test = simulator.objects.test("a", made.json.id);
    assert.deepEqual([test?.definition, json], [{ name: "changed" }, { run: test?.running[0] }]);
    await send(simulator, "DELETE", `/api/apps/a/testing-agent/flows/${made.json.id}`);
    assert.deepEqual((await control("GET", "cancelled-runs?appId=a")).json, {
      runs: simulator.objects.cancelledRuns("a"),
    });
    assert.equal(simulator.objects.cancelledRuns().length, 1);
    await control("PUT", "objects/tests", { appId: "a", flowId: "chosen", definition: {} });
    assert.deepEqual((await control("DELETE", "objects/tests?appId=a&flowId=chosen")).json, { removed: true });
    assert.deepEqual((await control("DELETE", "objects/tests?appId=a&flowId=chosen")).json, { removed: false });
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
    await control("PUT", "advertising/conversions", {
      appId: "a",
      goals: ["OWN"],
      enabledMappings: 2,
      conversionId: "",
    });
    const path = "/api/apps/a/ads-platform/tracking-scan/build-bootstrap-prompt";
    const { composer_prompt, ...rest } = (await send(simulator, "POST", path, { body: { wire_events: true } }))
      .json as unknown as { composer_prompt: string };
    assert.deepEqual(rest, { conversion_id: "", actions_created_or_existing: 11, wired_mappings: 2 });
    assert.equal((await control("PUT", "advertising/accounts", { appId: "b" })).status, 200);
  });

  it("changes coding sessions and connects repositories", async () => {
    await control("PUT", "repositories", { appId: "a", fullName: "team/app" });
    await send(simulator, "POST", "/api/apps/a/coding-sessions", {
      body: { prompt: "p", title: "t" },
      headers: { ...bearer("full-access-token"), "content-type": "application/json", "idempotency-key": "k" },
    });
    const fields = { state: "completed", outcome: "answer", pull_request: null, summary: "Done." };
    const target = { appId: "a", sessionId: "cs_1" };
    const { json } = await control("PUT", "objects/coding-sessions", { ...target, fields });
    const [session] = simulator.objects.codingSessions("a");
    assert.deepEqual([session?.state, session?.repository_full_name], ["completed", "team/app"]);
    assert.deepEqual(session, json);
  });

  it("simulates deliveries", async () => {
    const { id } = (await create()).json;
    const played = await control("POST", "deliveries", {
      agentId: "a",
      webhookId: id,
      outcome: { ok: false, status: 500, body: "no" },
    });
    assert.equal(played.json.last_error?.response_body, "no");
    assert.equal(simulator.objects.webhook("a", id)?.consecutive_failures, 1);
  });

  it("returns 400 and a sentence for requests that it does not understand", async () => {
    const wrong = [
      await control("POST", "faults", { operation: "webhook.creat", then: "reset" }),
      await control("POST", "faults", "{"),
      await control("POST", "faults", 7),
      await control("POST", "faults", "null"),
      await control("PUT", "objects/webhooks", { agentId: "a", fields: { secret: "x" } }),
      await control("POST", "deliveries", { agentId: "a", webhookId: "w", outcome: { ok: true } }),
      await control("DELETE", "objects/webhooks?agentId=a"),
      await control("PUT", "objects/campaigns", { appId: "a", fields: { daily_budget_micros: "1" } }),
      await control("GET", "launches?app=a"),
      await control("PUT", "advertising", { paymentProvider: "gone" }),
      await control("PUT", "advertising/landing-pages", { appId: "a" }),
      await control("POST", "advertising/tracking", {}),
      await control("PUT", "objects/records", { appId: "a", entityName: "Task", fields: [] }),
      await control("PUT", "objects/records", { appId: "a", entityName: "Task", fields: { created_date: "today" } }),
      await control("PUT", "objects/records", { appId: "a", entityName: "Task", fields: { id: "elsewhere" } }),
      await control("GET", "record-writes?entity=Task"),
      await control("PUT", "entities", { appId: "a", entityName: "Task", schema: { field: [] } }),
      await control("PUT", "objects/tests", { appId: "a" }),
      await control("POST", "test-runs", { appId: "a", flowId: "none" }),
      await control("PUT", "objects/scans", { appId: "a", fields: { status: "done" } }),
      await control("PUT", "advertising/accounts", { appId: "a", fields: { name: "x" } }),
      await control("PUT", "advertising/conversions", { appId: "a", enabledMappings: -1 }),
      await control("PUT", "objects/coding-sessions", { appId: "a", sessionId: "none", fields: {} }),
      await control("PUT", "objects/coding-sessions", { appId: "a", sessionId: "none", fields: { state: "asleep" } }),
      await control("PUT", "repositories", { appId: "a", fullName: "" }),
    ];
    for (const { status, json } of wrong) {
      assert.equal(status, 400);
      assert.match(json.error, /^[A-Z].*\.$/);
    }
    assert.match(wrong[0]?.json.error ?? "", /operation: unknown operation/);
    assert.match(wrong[5]?.json.error ?? "", /Agent a has no webhook w\./);
    assert.equal((await control("GET", "other")).status, 404);
  });
});
