import assert from "node:assert/strict";
import { type OperationId, operations } from "../../provider/service/operations";
import { type Asset, type Simulator, startSimulator } from "../../simulator";
import { apiKey, bearer, send } from "./support";

describe("The simulator's reads of an app", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({
      credentials: [
        { value: "full-access-token", kind: "personal-token" },
        { value: "key", kind: "api-key" },
        { value: "limited", kind: "personal-token", apps: ["other"] },
      ],
    });
  });
  afterEach(() => simulator.close());

  const get = (path: string, headers?: Record<string, string>) =>
    send(simulator, "GET", `/api/apps/a${path}`, headers === undefined ? {} : { headers });
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(simulator, "POST", `/api/apps/a${path}`, {
      body,
      headers: { "content-type": "application/json", ...bearer("full-access-token"), ...headers },
    });
  const json = async (reply: ReturnType<typeof get>): Promise<unknown> => (await reply).json;
  const isAsShown = (id: OperationId, answer: unknown): void => {
    assert.ok(operations[id].answer.safeParse(answer).success, id);
  };

  const themes = "/ads-platform/suggestions/search-themes";
  const terms = "/ads-platform/analytics/search-terms";
  const assets = "/ads-platform/assets";

  it("find locations by name, path and country, the best match first", async () => {
    const search = async (query: string) =>
      (await json(get(`/ads-platform/geo-targets/search?${query}`))) as {
        name: string;
        country_code: string;
        search_term: string;
      }[];
    isAsShown("geoTarget.search", await search("query=z"));
    assert.deepEqual(
      (await search("query=Paris")).map(({ country_code }) => country_code),
      ["FR", "US"],
    );
    assert.deepEqual(
      (await search("query=bavaria")).map(({ name }) => name),
      ["Munich"],
    );
    assert.equal((await search("query=&country_code=ch")).length, 4);
    assert.equal((await search("")).length, 12);
    assert.equal((await search("query=paris"))[0]?.search_term, "paris");
    const [first] = simulator.objects.geoTargets();
    assert.ok(first);
    simulator.objects.setGeoTargets(Array.from({ length: 150 }, () => first));
    assert.equal((await search("query=")).length, 100);
  });

  it("suggest at most ten themes in a supported language, none with the platform's name", async () => {
    const suggest = async (body: unknown, headers = {}) =>
      ((await json(post(themes, body, headers))) as { search_themes: string[] }).search_themes;
    assert.deepEqual((await suggest({ business_name: "Pots" }))[0], "Pots near me");
    assert.deepEqual((await suggest({ business_name: "Pots" }, { "accept-language": "de-CH" }))[0], "Pots in der Nähe");
    assert.deepEqual((await suggest({ business_name: "Pots" }, { "accept-language": "xx" }))[0], "Pots near me");
    assert.deepEqual(await suggest({}), []);
    assert.deepEqual(await suggest({ business_name: "Workspace Apps" }), []);
    simulator.objects.setSearchThemes("a", [...Array<string>(12).fill("theme"), "x".repeat(81)]);
    assert.equal((await suggest({})).length, 10);
    simulator.objects.setSearchThemes("a", null);
    assert.deepEqual(await suggest({}), []);
    assert.equal((await post(themes, { business_name: 7 })).status, 422);
  });

  it("report the hundred terms with the most impressions, and silently omit a failing source", async () => {
    const { objects } = simulator;
    objects.setSearchTerms("a", [
      { search_term: "few", impressions: 1 },
      { search_term: "many", impressions: 9 },
    ]);
    objects.setSearchTerms("a", [{ search_term: "other", impressions: 5 }], "PERFORMANCE_MAX");
    const report = async () =>
      ((await json(get(terms))) as { search_term: string }[]).map(({ search_term }) => search_term);
    assert.deepEqual(await report(), ["many", "other", "few"]);
    objects.setSearchTermSource("a", "SMART", "failing");
    assert.deepEqual(await report(), ["other"]);
    objects.setSearchTermSource("a", "SMART", "working");
    assert.equal((await report()).length, 3);
    objects.setSearchTerms(
      "a",
      Array.from({ length: 130 }, () => ({ search_term: "x" })),
    );
    assert.equal((await report()).length, 100);
    assert.equal(objects.searchTerms("a").length, 131);
    isAsShown("searchTerm.report", await json(get(terms)));
  });

  it("return 400 for a single date or a wrong order, and 422 for an invalid date or range", async () => {
    const status = async (query: string) => (await get(`${terms}?${query}`)).status;
    assert.equal(await status("start_date=2026-01-01"), 400);
    assert.equal(await status("end_date=2026-01-01"), 400);
    assert.equal(await status("start_date=2026-01-02&end_date=2026-01-01"), 400);
    assert.equal(await status("start_date=2026-01-01&end_date=2026-01-01&date_range=TODAY"), 200);
    assert.equal(await status("date_range=SOMETIME"), 422);
    assert.equal(await status("start_date=1.1.2026&end_date=2026-01-01"), 422);
  });

  it("list the library or a session, never both, and the assets attached to a campaign", async () => {
    const { objects } = simulator;
    const { id } = objects.putCampaign("a");
    objects.setAssetLibrary("a", [{ status: "NEW" }]);
    objects.setAssetSession("a", "s", [{ preview: 1 }]);
    objects.setCampaignAssets("a", id, [{ asset: 1 }]);
    assert.deepEqual(await json(get(assets)), { library: [{ status: "NEW" }] });
    assert.deepEqual(await json(get(`${assets}?session_id=s`)), { session: [{ preview: 1 }] });
    assert.deepEqual(await json(get(`${assets}?session_id=expired&campaign_id=${id}`)), {
      session: [],
      durable: [{ asset: 1 }],
    });
    assert.equal((await get(`${assets}?campaign_id=none`)).status, 404);
    objects.setAssetLibrary("a", Array<Asset>(5_002).fill({}));
    assert.equal(((await json(get(assets))) as { library: unknown[] }).library.length, 5_000);
    isAsShown("asset.list", await json(get(assets)));
  });

  it("return a connector's fields and the app's own values", async () => {
    const path = "/external-auth/connection-config";
    const crm = await json(get(`${path}/example-crm`));
    isAsShown("connector.fields", crm);
    assert.deepEqual(
      (crm as { fields: { name: string }[]; connection_config: object }).fields.map(({ name }) => name),
      ["subdomain", "region"],
    );
    simulator.objects.setConnector("other", [{ name: "key" }]);
    simulator.objects.setConnection("a", "other", { key: "k" });
    assert.deepEqual(((await json(get(`${path}/other`))) as { connection_config: object }).connection_config, {
      key: "k",
    });
    simulator.objects.setConnection("a", "other", null);
    assert.deepEqual(((await json(get(`${path}/other`))) as { connection_config: object }).connection_config, {});
    assert.deepEqual(await json(get(`${path}/unheard-of`)), { fields: [], connection_config: {} });
    assert.equal((await get(`${path}/other`, apiKey("key"))).status, 401);
  });

  it("count users", async () => {
    isAsShown("userStats.get", await json(get("/analytics/stats/users")));
    assert.equal(simulator.objects.setUserStats("a", { live_users: 0 }).live_users, 0);
    assert.equal(((await json(get("/analytics/stats/users"))) as { live_users: number }).live_users, 0);
    assert.equal(simulator.objects.userStats("b").live_users, 3);
  });

  it("explain a failed run once, and nothing while the model is unavailable", async () => {
    const { objects } = simulator;
    const analyze = (run: string) => send(simulator, "POST", `/api/apps/a/workflows/w/runs/${run}/analyze`);
    assert.equal((await analyze("r")).status, 404);
    objects.putWorkflowRun("a", "w", "r", { status: "running" });
    assert.equal((await analyze("r")).status, 400);
    objects.putWorkflowRun("a", "w", "r", { status: "failed" });
    objects.setLanguageModel("unavailable");
    assert.deepEqual((await analyze("r")).json, { explanation: "", generated_at: "" });
    objects.setLanguageModel("available");
    const first = (await analyze("r")).json as unknown;
    isAsShown("run.analyze", first);
    objects.setLanguageModel("unavailable");
    assert.deepEqual((await analyze("r")).json, first, "the stored text");
    assert.match(objects.workflowRun("a", "w", "r")?.explanation ?? "", /^Run r/);
    assert.equal(objects.workflowRun("a", "w", "x"), undefined);
    assert.equal((await analyze("r")).status, 429);
  });

  it("are refused for a token without access to the app: 404, or 403 where only that is possible", async () => {
    const limited = bearer("limited");
    for (const [path, status] of [
      ["/ads-platform/geo-targets/search", 404],
      [terms, 404],
      [assets, 403],
      [`${assets}?campaign_id=c`, 404],
      ["/external-auth/connection-config/x", 404],
      ["/analytics/stats/users", 404],
    ] as const)
      assert.equal((await get(path, limited)).status, status, path);
    assert.equal((await post(themes, {}, limited)).status, 404);
    assert.equal((await post("/workflows/w/runs/r/analyze", undefined, limited)).status, 404);
  });

  it("of advertising, user stats and workflows accept an API key", async () => {
    for (const path of ["/ads-platform/geo-targets/search", terms, assets, "/analytics/stats/users"])
      assert.equal((await get(path, apiKey("key"))).status, 200, path);
  });
});
