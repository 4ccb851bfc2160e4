import assert from "node:assert/strict";
import fc from "fast-check";
import { type AllObjects, type Simulator, startSimulator, type StoredObjects } from "../../simulator";
import { bearer, campaignBody, onSimulator, send, webhookBody } from "./support";

describe("Export and import of all objects", () => {
  const [{ simulator: from, restart }, { simulator: to }] = [onSimulator(), onSimulator()];

  const exported = async (simulator = from) =>
    (await send(simulator, "GET", "/__simulator/objects", { headers: {} })).json as unknown as AllObjects;
  const imported = (objects: unknown, simulator = to) =>
    send(simulator, "PUT", "/__simulator/objects", { body: objects, headers: {} });

  it("give another simulator the same objects, whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { maxLength: 12 }), async (changes) => {
        from.reset();
        for (const change of changes) change(from.objects);
        const all = await exported();
        const { status, text } = await imported(all);
        assert.equal(status, 200, text);
        assert.deepEqual(await exported(to), all);
      }),
      { numRuns: 100 },
    );
  });

  it("give it a state that requests have made, and it goes on from there", async () => {
    await useEverything(from);
    await imported(await exported());
    assert.deepEqual(await exported(to), await exported());
    const before = idsIn(to.objects.all());
    await useEverything(to);
    const after = idsIn(to.objects.all());
    assert.equal(new Set(after).size, after.length, "no id is used twice");
    assert.ok(after.length > before.length);
    const platformIds = to.objects.campaigns().map((campaign) => campaign.platform_campaign_id);
    assert.equal(new Set(platformIds).size, platformIds.length);
  });

  it("continue ids after objects that were given an id by hand", async () => {
    const { objects } = from;
    // It has the first number of the ad platform, although not the first id.
    objects.putCampaign("a", { id: "chosen" });
    objects.putCodingSession("a", { id: "cs_1" });
    objects.putTest("a", { id: "flow_1", running: ["run_1"] });
    const all = await exported();
    await imported(all);
    assert.notEqual(to.objects.putCampaign("a").platform_campaign_id, all.campaigns["a"]?.[0]?.platform_campaign_id);
    assert.notEqual(to.objects.putCodingSession("a").id, "cs_1");
    assert.notEqual(to.objects.putTest("a").id, "flow_1");
    assert.notEqual(to.objects.startRun("a", "flow_1"), "run_1");
  });

  it("move the clock forward to the youngest object, so a launch after an advance is listed and spends", async () => {
    from.clock.advance(600_000);
    await useEverything(from);
    const lists = [
      "/api/agents/a/webhooks",
      "/api/apps/a/ads-platform/campaigns",
      "/api/apps/a/entities/Task",
      "/api/apps/a/testing-agent/flows",
    ];
    const listed = (simulator: Simulator) =>
      Promise.all(lists.map(async (path) => (await send(simulator, "GET", path)).json));
    const spending = from.objects.spending();
    await imported(await exported());
    assert.deepEqual(await listed(to), await listed(from));
    assert.deepEqual(to.objects.spending(), spending);
    assert.ok((spending[0]?.spent ?? 0) > 0);
    const ahead = to.clock.aheadMilliseconds;
    assert.ok(ahead > 0 && ahead <= 600_000, "not further than necessary");
    to.objects.replaceAll(to.objects.all());
    assert.equal(to.clock.aheadMilliseconds, ahead, "it is not moved again");
  });

  it("are refused as a whole where a value is nested too deeply", async () => {
    await useEverything(from);
    const before = await exported(to);
    const depth = 20_000;
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const text = JSON.stringify(await exported()).replace('"title"', `"nested":${deep},"title"`);
    assert.match(text, /nested/);
    assert.equal((await imported(text)).status, 400);
    assert.deepEqual(await exported(to), before);
  });

  for (const kind of ["webhooks", "campaigns", "tests", "records"] as const)
    it(`move the clock for ${kind} alone, but not if an import is refused`, async () => {
      const before = await exported();
      from.clock.advance(600_000);
      await useEverything(from);
      const all = { ...before, [kind]: (await exported())[kind] };
      assert.notDeepEqual(all, before);
      assert.equal((await imported({ ...all, members: [{}] })).status, 400);
      assert.equal(to.clock.aheadMilliseconds, 0);
      await imported(all);
      assert.notEqual(to.clock.aheadMilliseconds, 0);
    });

  it("keep a launch key: repeating the launch returns the imported session", async () => {
    const headers = { ...bearer("full-access-token"), "idempotency-key": "k" };
    const launch = (simulator: Simulator) =>
      send(simulator, "POST", "/api/apps/a/coding-sessions", { body: { prompt: "p", title: "t" }, headers });
    const { json } = await launch(from);
    await imported(await exported());
    assert.deepEqual((await launch(to)).json, json);
    assert.equal(to.objects.codingSessions().length, 1);
  });

  it("keep coding sessions that share a launch key", async () => {
    const { objects } = from;
    objects.putCodingSession("a", { id: "b", launch_key: "b" });
    objects.putCodingSession("a", { id: "c", launch_key: "b" });
    objects.putCodingSession("a", { id: "d", launch_key: null });
    const all = await exported();
    await imported(all);
    assert.deepEqual(await exported(to), all);
  });

  it("keep a campaign waiting for conversion tracking", async () => {
    await restart({ tracking: "pending" });
    const body = { campaign: campaignBody };
    const { campaign } = (await send(from, "POST", "/api/apps/a/ads-platform/launch", { body })).json;
    await imported(await exported());
    to.advertising.trackingVerified("a");
    assert.equal(to.objects.campaign("a", campaign.id)?.status, "ENABLED");
  });

  it("replace what is there, but keep the owner of a folder that stays", async () => {
    to.objects.putWebhook("old");
    to.objects.putFolder({ id: "f", owner: "somebody" });
    to.objects.putFolder({ id: "g", owner: "somebody" });
    from.objects.addFolderItem("f", "app");
    await imported(await exported());
    assert.deepEqual(to.objects.all(), from.objects.all());
    const status = async (folder: string) => (await send(to, "GET", `/api/app-folders/${folder}/items`)).status;
    assert.deepEqual([await status("f"), await status("g")], [404, 200]);
  });

  it("add folders to a simulator that knows only some", async () => {
    const strict = await startSimulator({ folders: [{ id: "gone" }] });
    from.objects.addFolderItem("f", "app");
    await imported(await exported(), strict);
    assert.equal((await send(strict, "GET", "/api/app-folders/f/items")).json.items.length, 1);
    assert.equal((await send(strict, "GET", "/api/app-folders/gone/items")).status, 404);
    await strict.close();
  });

  it("are refused with the place of the first problem, and change nothing", async () => {
    from.objects.putWebhook("a", { id: "w" });
    from.objects.putCampaign("a", { id: "c" });
    from.objects.putRecord("a", "Task", { id: "r" });
    from.objects.putTest("a", { id: "t" });
    const all = await exported();
    const [webhook] = all.webhooks["a"] ?? [];
    const [campaign] = all.campaigns["a"] ?? [];
    const record = all.records["a"]?.["Task"]?.[0];
    const [member] = all.members;
    const campaigns = (fields: object) => ({ ...all, campaigns: { a: [{ ...campaign, ...fields }] } });
    const wrong: [given: unknown, place: string][] = [
      ["{", "The body must be JSON"],
      [[], "the request"],
      [{ ...all, members: undefined }, "members"],
      [{ ...all, others: {} }, "others"],
      [{ ...all, webhooks: [] }, "webhooks"],
      [{ ...all, webhooks: { a: [{ ...webhook, id: "" }] } }, "webhooks.a.0.id"],
      [{ ...all, webhooks: { a: [webhook, webhook] } }, "webhooks.a.1: is in the list twice"],
      [{ ...all, webhooks: { a: [{ ...webhook, secret: "s" }] } }, "webhooks.a.0"],
      ...["5", 0, -5_000_000].map((daily_budget_micros): [unknown, string] => [
        campaigns({ daily_budget_micros }),
        "campaigns.a.0.daily_budget_micros",
      ]),
      [campaigns({ created_date: "today" }), "campaigns.a.0.created_date"],
      [{ ...all, records: { a: { Task: [{ ...record, is_sample: 1 }] } } }, "records.a.Task.0.is_sample"],
      [{ ...all, tests: { a: [{ id: "t" }] } }, "tests.a.0.definition"],
      [{ ...all, folders: { f: ["a", "a"] } }, "folders.f.1"],
      [{ ...all, scans: { a: { status: "done" } } }, "scans.a.status"],
      [{ ...all, conversionGoals: { a: [1] } }, "conversionGoals.a.0"],
      [{ ...all, conversionGoals: { a: ["g", "h", "g"] } }, "conversionGoals.a.2: is in the list twice"],
      [{ ...all, codingSessions: { a: [{}] } }, "codingSessions.a.0.id"],
      [{ ...all, members: [{ ...member, role: "king" }] }, "members.0.role"],
      [{ ...all, members: [member, member] }, "members.1"],
    ];
    const before = to.objects.all();
    for (const [given, place] of wrong) {
      const { status, json } = await imported(given);
      assert.equal(status, 400, place);
      assert.ok(json.error.includes(place), `${json.error} does not name ${place}`);
    }
    assert.deepEqual(to.objects.all(), before);
    assert.throws(
      () => {
        to.objects.replaceAll({} as AllObjects);
      },
      { name: "ZodError" },
    );
  });

  it("take copies, so a test that goes on with what it gave changes nothing", () => {
    from.objects.putTest("a", { id: "t", definition: { steps: [1] } });
    const all = from.objects.all();
    to.objects.replaceAll(all);
    (all.tests["a"]?.[0]?.definition["steps"] as number[]).push(2);
    assert.deepEqual(to.objects.test("a", "t")?.definition, { steps: [1] });
  });
});

type StateChange = (objects: StoredObjects) => void;

const name = fc.oneof(
  fc.constantFrom("a", "b", "__proto__", "constructor", "toString", "10", "<img onerror=alert(1)>"),
  fc.string({ minLength: 1, unit: "binary" }),
);
const text = fc.string({ unit: "binary" });
/** In the past, because a later creation moves the clock, and with it what campaigns report. */
const time = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2025-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString());
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const json = fc.jsonValue({ maxDepth: 3 });
/** Among the names is `__proto__`, as a body of a request may have it. */
const jsonObject = fc
  .array(fc.tuple(name, json), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);
const some = <Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
  fc.record<Partial<Model>, never>(model, { requiredKeys: [] }) as fc.Arbitrary<Partial<Model>>;

/** A change with values that are drawn. */
const changing = <Values extends unknown[]>(
  values: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  change: (objects: StoredObjects, ...values: Values) => unknown,
) =>
  fc.tuple(...values).map((drawn): StateChange => (objects) => {
    change(objects, ...(drawn as Values));
  });

const webhook = some({ id: name, target_url: text, description: orNull(text), disabled_at: orNull(time) });
const campaign = some({
  ...{ id: name, campaign_name: text, status: text, created_date: time, geo_targets: fc.array(text) },
});
const test = some({ id: name, definition: jsonObject, running: fc.array(text) });
const session = some({ id: name, launch_key: orNull(text), pull_request: orNull(jsonObject), summary: orNull(text) });

const anyChange: fc.Arbitrary<StateChange> = fc.oneof(
  changing([name, webhook], (objects, agent, fields) => objects.putWebhook(agent, fields)),
  changing([name, name], (objects, agent, id) => {
    objects.putWebhook(agent, { id });
    objects.removeWebhook(agent, id);
  }),
  changing([name, name], (objects, folder, app) => {
    objects.addFolderItem(folder, app);
  }),
  changing([name, campaign], (objects, app, fields) => objects.putCampaign(app, fields)),
  changing([name, name, jsonObject], (objects, app, entity, { id: _, ...fields }) =>
    objects.putRecord(app, entity, fields),
  ),
  changing([name, test], (objects, app, fields) => objects.putTest(app, fields)),
  changing(
    [name, fc.constantFrom("none", "up_to_date", "scanning"), fc.array(json)],
    (objects, app, status, hardcoded_secrets) => objects.setScan(app, { status, result: { hardcoded_secrets } }),
  ),
  changing([name, fc.array(text)], (objects, app, goals) => {
    objects.setConversionGoals(app, goals);
  }),
  changing([name, session], (objects, app, fields) => objects.putCodingSession(app, fields)),
  changing([name, fc.constantFrom("joined", "pending"), text], (objects, email, status, full_name) =>
    objects.putMember({ email, status, full_name }),
  ),
);

/** Creates an object of every kind through the service. */
async function useEverything(simulator: Simulator): Promise<void> {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const sending = { body, headers: { ...bearer("full-access-token"), ...headers } };
    const { status, text } = await send(simulator, "POST", path, sending);
    assert.equal(status, 200, text);
  };
  await post("/api/agents/a/webhooks", webhookBody);
  await post("/api/app-folders/f/items", { app_id: "a" });
  await post("/api/apps/a/ads-platform/launch", { campaign: campaignBody });
  await post("/api/apps/a/entities/Task", { title: "t" });
  await post("/api/apps/a/testing-agent/flows", { name: "t" });
  await post("/api/apps/a/security/scan/ignore", { fingerprint: "f" });
  const key = `k${String(simulator.objects.codingSessions().length)}`;
  await post("/api/apps/a/coding-sessions", { prompt: "p", title: "t" }, { "idempotency-key": key });
  simulator.objects.putMember({ email: `${String(simulator.objects.members().length)}@example.com` });
}

function idsIn({ webhooks, campaigns, records, tests, codingSessions, members }: AllObjects): string[] {
  const byOwner: Record<string, { id: string }[]>[] = [
    webhooks,
    campaigns,
    tests,
    codingSessions,
    ...Object.values(records),
  ];
  const ids = byOwner.flatMap((owners) => Object.values(owners).flat()).map(({ id }) => id);
  return [...ids, ...members.flatMap(({ user_id }) => user_id ?? [])];
}
