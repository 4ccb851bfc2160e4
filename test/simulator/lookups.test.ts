import assert from "node:assert/strict";
import { onSimulator } from "./support";

/* The tests of the look-ups prove the rest of these reads. */

describe("The simulator's reads of an app", () => {
  const { simulator, ...service } = onSimulator();

  const get = (path: string) => service.get(`/api/apps/a${path}`);
  const post = (path: string, body?: unknown) => service.post(`/api/apps/a${path}`, body);

  const themes = "/ads-platform/suggestions/search-themes";
  const terms = "/ads-platform/analytics/search-terms";

  it("find locations of a country in small letters, and repeat the search term", async () => {
    const search = async (query: string) =>
      (await get(`/ads-platform/geo-targets/search?${query}`)).json as unknown as Record<string, string>[];
    assert.equal((await search("query=&country_code=ch")).length, 4);
    assert.deepEqual(
      (await search("query=paris")).map(({ search_term }) => search_term),
      ["paris", "paris"],
    );
  });

  it("suggest no theme with the platform's name, and those of the request again after a reset", async () => {
    const suggest = async (body: unknown) => (await post(themes, body)).text;
    assert.equal(await suggest({ business_name: "Workspace Apps" }), '{"search_themes":[]}');
    simulator.objects.setSearchThemes("a", ["theme"]);
    assert.equal(await suggest({}), '{"search_themes":["theme"]}');
    simulator.objects.setSearchThemes("a", null);
    assert.equal(await suggest({}), '{"search_themes":[]}');
    assert.equal((await post(themes, { business_name: 7 })).status, 422);
  });

  it("report the terms of a source again when it works again", async () => {
    simulator.objects.setSearchTerms("a", Array<object>(130).fill({ search_term: "pots" }));
    const reported = async () => ((await get(terms)).json as unknown as unknown[]).length;
    for (const [state, count] of [
      ["failing", 0],
      ["working", 100],
    ] as const) {
      simulator.objects.setSearchTermSource("a", "SMART", state);
      assert.equal(await reported(), count);
    }
    assert.equal(simulator.objects.searchTerms("a").length, 130);
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

  it("return no values of a connection that was removed", async () => {
    for (const values of [{ key: "k" }, null]) {
      simulator.objects.setConnection("a", "crm", values);
      const { json } = await get("/external-auth/connection-config/crm");
      assert.deepEqual(json, { fields: [], connection_config: values ?? {} });
    }
  });

  it("explain a failed run once, and nothing while the model is unavailable", async () => {
    const { objects } = simulator;
    const analyze = () => post("/workflows/w/runs/r/analyze");
    assert.equal((await analyze()).status, 404);
    objects.putWorkflowRun("a", "w", "r");
    objects.setLanguageModel("unavailable");
    assert.deepEqual((await analyze()).json, { explanation: "", generated_at: "" });
    assert.equal(objects.workflowRun("a", "w", "r")?.explanation, null);
    objects.setLanguageModel("available");
    const { explanation } = (await analyze()).json as unknown as { explanation: string };
    assert.deepEqual(
      [explanation, objects.workflowRun("a", "w", "x")],
      [objects.workflowRun("a", "w", "r")?.explanation, undefined],
    );
  });
});
