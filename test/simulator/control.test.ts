import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { campaignBody, send, until, webhookBody } from "./support";

describe("the simulator's control interface", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const control = (method: string, path: string, body?: unknown) =>
    send(simulator, method, `/__simulator/${path}`, { body, headers: {} });
  const create = () => send(simulator, "POST", "/api/agents/a/webhooks", { body: webhookBody });

  it("gives the request log and clears it, itself unlogged", async () => {
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

  it("releases answers that were held back", async () => {
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
    const stored = { webhooks: {}, folders: { f: ["app"] }, campaigns: {} };
    assert.deepEqual((await control("GET", "objects")).json, stored);
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

  it("gives every launch, also of a campaign dropped since", async () => {
    const body = { campaign: campaignBody };
    const { campaign } = (await send(simulator, "POST", "/api/apps/a/ads-platform/launch", { body })).json;
    simulator.objects.removeCampaign("a", campaign.id);
    assert.deepEqual((await control("GET", "launches?appId=a")).json, { launches: [campaign] });
    assert.deepEqual((await control("GET", "launches")).json, { launches: [campaign] });
    assert.deepEqual((await control("GET", "launches?appId=b")).json, { launches: [] });
  });

  it("sets what launches depend on", async () => {
    const readiness = async () => (await send(simulator, "GET", "/api/apps/a/ads-platform/launch-readiness")).json;
    const launch = async () =>
      (await send(simulator, "POST", "/api/apps/a/ads-platform/launch", { body: { campaign: campaignBody } })).status;
    await control("PUT", "advertising", { paymentProvider: "unreachable" });
    await control("PUT", "advertising/landing-pages", { appId: "a", landingPage: "https://a.example.com/" });
    const { landing_page, error } = await readiness();
    assert.deepEqual([landing_page, error], ["https://a.example.com/", "payment_provider_unavailable"]);
    await control("PUT", "advertising", { paymentProvider: "reachable", billingHold: true });
    assert.equal(await launch(), 409);
    await control("PUT", "advertising", { billingHold: false });
    assert.equal(await launch(), 200);
    assert.equal((await control("POST", "advertising/tracking", { appId: "a" })).status, 200);
  });

  it("plays deliveries", async () => {
    const { id } = (await create()).json;
    const played = await control("POST", "deliveries", {
      agentId: "a",
      webhookId: id,
      outcome: { ok: false, status: 500, body: "no" },
    });
    assert.equal(played.json.last_error?.response_body, "no");
    assert.equal(simulator.objects.webhook("a", id)?.consecutive_failures, 1);
  });

  it("answers what it does not understand with 400 and a sentence", async () => {
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
    ];
    for (const { status, json } of wrong) {
      assert.equal(status, 400);
      assert.match(json.error, /^[A-Z].*\.$/);
    }
    assert.match(wrong[0]?.json.error ?? "", /operation: is no operation/);
    assert.match(wrong[5]?.json.error ?? "", /Agent a has no webhook w\./);
    assert.equal((await control("GET", "other")).status, 404);
  });
});
