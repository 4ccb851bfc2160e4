import assert from "node:assert/strict";
import { type OperationId, operations } from "../../provider/service/operations";
import type { Asset, SearchTerm } from "../../simulator";
import { bearer, type Headers, onSimulator, type Reply } from "./support";

describe("The simulator's reads of an app", () => {
  const { simulator, ...service } = onSimulator();

  const get = (path: string) => service.get(`/api/apps/a${path}`);
  const post = (path: string, body?: unknown, headers: Headers = {}) =>
    service.post(`/api/apps/a${path}`, body, { ...bearer("full-access-token"), ...headers });
  const json = async (reply: Promise<Reply>): Promise<unknown> => (await reply).json;
  const isAsShown = (id: OperationId, answer: unknown): void => {
    assert.ok(operations[id].answer.safeParse(answer).success, id);
  };

  const themes = "/ads-platform/suggestions/search-themes";
  const terms = "/ads-platform/analytics/search-terms";
  const assets = "/ads-platform/assets";

  it("find locations by name, path and country, the best match first", async () => {
    const search = async (query: string) =>
      (await json(get(`/ads-platform/geo-targets/search?${query}`))) as Record<string, string>[];
    isAsShown("geoTarget.search", await search("query=z"));
    const found = async (query: string, field: string) => (await search(query)).map((place) => place[field]);
    assert.deepEqual(await found("query=Paris", "country_code"), ["FR", "US"]);
    assert.deepEqual(await found("query=bavaria", "name"), ["Munich"]);
    assert.deepEqual(await found("query=paris", "search_term"), ["paris", "paris"]);
    assert.equal((await search("query=&country_code=ch")).length, 4);
    assert.equal((await search("")).length, 12);
    const [first = assert.fail()] = simulator.objects.geoTargets();
    simulator.objects.setGeoTargets(Array.from({ length: 150 }, () => first));
    assert.equal((await search("query=")).length, 100);
  });

  it("suggest at most ten themes in a supported language, none with the platform's name", async () => {
    const suggest = async (body: unknown, headers = {}) =>
      ((await json(post(themes, body, headers))) as { search_themes: string[] }).search_themes;
    for (const [headers, theme] of [
      [{}, "Pots near me"],
      [{ "accept-language": "de-CH" }, "Pots in der Nähe"],
      [{ "accept-language": "xx" }, "Pots near me"],
    ] as const)
      assert.equal((await suggest({ business_name: "Pots" }, headers))[0], theme);
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
    objects.setSearchTerms("a", Array<Partial<SearchTerm>>(130).fill({ search_term: "x" }));
    assert.equal((await report()).length, 100);
    assert.equal(objects.searchTerms("a").length, 131);
    isAsShown("searchTerm.report", await json(get(terms)));
  });

  it("return 400 for a single date or a wrong order, and 422 for an invalid date or range", async () => {
    for (const [query, status] of [
      ["start_date=2026-01-01", 400],
      ["end_date=2026-01-01", 400],
      ["start_date=2026-01-02&end_date=2026-01-01", 400],
      ["start_date=2026-01-01&end_date=2026-01-01&date_range=TODAY", 200],
      ["date_range=SOMETIME", 422],
      ["start_date=1.1.2026&end_date=2026-01-01", 422],
    ] as const)
      assert.equal((await get(`${terms}?${query}`)).status, status, query);
  });

  it("list the library or a session, never both, and the assets attached to a campaign", async () => {
    const { objects } = simulator;
    const { id } = objects.putCampaign("a");
    objects.setAssetLibrary("a", [{ status: "NEW" }]);
    objects.setAssetSession("a", "s", [{ preview: 1 }]);
    objects.setCampaignAssets("a", id, [{ asset: 1 }]);
    assert.deepEqual(await json(get(assets)), { library: [{ status: "NEW" }] });
    assert.deepEqual(await json(get(`${assets}?session_id=s`)), { session: [{ preview: 1 }] });
    const attached = await json(get(`${assets}?session_id=expired&campaign_id=${id}`));
    assert.deepEqual(attached, { session: [], durable: [{ asset: 1 }] });
    assert.equal((await get(`${assets}?campaign_id=none`)).status, 404);
    objects.setAssetLibrary("a", Array<Asset>(5_002).fill({}));
    assert.equal(((await json(get(assets))) as { library: unknown[] }).library.length, 5_000);
    isAsShown("asset.list", await json(get(assets)));
  });

  it("return a connector's fields and the app's own values", async () => {
    const read = async (type: string) =>
      (await json(get(`/external-auth/connection-config/${type}`))) as {
        fields: { name: string }[];
        connection_config: object;
      };
    const crm = await read("example-crm");
    isAsShown("connector.fields", crm);
    assert.deepEqual(
      crm.fields.map(({ name }) => name),
      ["subdomain", "region"],
    );
    simulator.objects.setConnector("other", [{ name: "key" }]);
    for (const values of [{ key: "k" }, null]) {
      simulator.objects.setConnection("a", "other", values);
      assert.deepEqual((await read("other")).connection_config, values ?? {});
    }
    assert.deepEqual(await read("unheard-of"), { fields: [], connection_config: {} });
  });

  it("count users", async () => {
    isAsShown("userStats.get", await json(get("/analytics/stats/users")));
    assert.equal(simulator.objects.setUserStats("a", { live_users: 0 }).live_users, 0);
    assert.equal(((await json(get("/analytics/stats/users"))) as { live_users: number }).live_users, 0);
    assert.equal(simulator.objects.userStats("b").live_users, 3);
  });

  it("explain a failed run once, and nothing while the model is unavailable", async () => {
    const { objects } = simulator;
    const analyze = () => post("/workflows/w/runs/r/analyze");
    assert.equal((await analyze()).status, 404);
    objects.putWorkflowRun("a", "w", "r", { status: "running" });
    assert.equal((await analyze()).status, 400);
    objects.putWorkflowRun("a", "w", "r", { status: "failed" });
    objects.setLanguageModel("unavailable");
    assert.deepEqual((await analyze()).json, { explanation: "", generated_at: "" });
    objects.setLanguageModel("available");
    const first = (await analyze()).json as unknown;
    isAsShown("run.analyze", first);
    objects.setLanguageModel("unavailable");
    assert.deepEqual((await analyze()).json, first, "the stored text");
    assert.match(objects.workflowRun("a", "w", "r")?.explanation ?? "", /^Run r/);
    assert.equal(objects.workflowRun("a", "w", "x"), undefined);
    assert.equal((await analyze()).status, 429);
  });
});
