import assert from "node:assert/strict";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { geoTargetsLookup } from "../../provider/lookups/geo-targets";
import { searchTermsLookup } from "../../provider/lookups/search-terms";
import { searchThemesLookup } from "../../provider/lookups/search-themes";
import { onService } from "./support";

describe("Look-ups for advertising, by the specification", () => {
  const { ask, failure, simulator } = onService();
  const queries = (): string[] => simulator.requests.map(({ path }) => path.split("?")[1] ?? "");

  it("find locations without an account, also by one letter, and return all of them without a query", async () => {
    assert.equal(simulator.objects.advertisingAccount("a"), undefined);
    const one = await ask(geoTargetsLookup, { appId: "a", query: "b", countryCode: "de" });
    assert.deepEqual(
      one.targets.map(({ name }) => name),
      ["Berlin", "Munich"],
    );
    const all = await ask(geoTargetsLookup, { appId: "a" });
    assert.equal(all.targets.length, simulator.objects.geoTargets().length);
    assert.deepEqual(queries(), ["query=b&country_code=DE", "query="]);
  });

  it("search everywhere with an empty country", async () => {
    const everywhere = await ask(geoTargetsLookup, { appId: "a", countryCode: "" });
    assert.equal(everywhere.targets.length, simulator.objects.geoTargets().length);
    assert.deepEqual(queries(), ["query=&country_code="]);
  });

  it("keep the order of the matches, where a better match precedes one with more reach", async () => {
    const place = (name: string, canonical_name: string, reach: number) => ({
      ...{ resource_name: `id/${canonical_name}`, name, canonical_name, reach },
      ...{ country_code: "CH", target_type: "City" },
    });
    simulator.objects.setGeoTargets([
      place("Chur", "Chur,Ulm Valley", 900),
      place("Ulmen", "Ulmen", 50),
      place("Ulm", "Ulm", 1),
    ]);
    const { targets } = await ask(geoTargetsLookup, { appId: "a", query: "ulm" });
    assert.deepEqual(
      targets.map(({ name, reach }) => [name, reach]),
      [
        ["Ulm", 1],
        ["Ulmen", 50],
        ["Chur", 900],
      ],
    );
  });

  it("return 1 to 100 locations, and send no limit, because the specification does not name that parameter", async () => {
    const [first] = simulator.objects.geoTargets();
    assert.ok(first);
    simulator.objects.setGeoTargets(Array.from({ length: 150 }, () => first));
    for (const limit of [1, 100]) {
      const { targets, leftOut } = await ask(geoTargetsLookup, { appId: "a", limit });
      assert.deepEqual([targets.length, leftOut], [limit, 100 - limit]);
    }
    assert.deepEqual(queries(), ["query=", "query="]);
  });

  it("suggest themes from the whole context, and save nothing", async () => {
    const before = simulator.objects.all();
    const args = {
      appId: "a",
      businessName: "Pots",
      businessDescription: "Pans",
      landingPageUrl: "https://a.example/",
    };
    const { searchThemes } = await ask(searchThemesLookup, args);
    assert.deepEqual(
      searchThemes.map((theme) => theme.replace(/.*(Pots|Pans).*/, "$1")),
      [...Array<string>(4).fill("Pots"), ...Array<string>(4).fill("Pans")],
    );
    assert.deepEqual(simulator.requests[0]?.body, {
      business_name: "Pots",
      business_description: "Pans",
      landing_page_url: "https://a.example/",
    });
    assert.equal(simulator.requests.length, 1);
    assert.deepEqual(simulator.objects.all(), before);
  });

  it("suggest in English when the language is unsupported or not given", async () => {
    for (const language of [undefined, "xx"]) {
      const { searchThemes } = await ask(searchThemesLookup, { appId: "a", businessName: "Pots", language });
      assert.equal(searchThemes[0], "Pots near me");
    }
  });

  it("suggest at most ten themes of at most 80 characters", async () => {
    simulator.objects.setSearchThemes("a", ["x".repeat(81), "y".repeat(80), ...Array<string>(11).fill("theme")]);
    const { searchThemes } = await ask(searchThemesLookup, { appId: "a" });
    assert.deepEqual(searchThemes, ["y".repeat(80), ...Array<string>(9).fill("theme")]);
  });

  it("report search terms for each of the thirteen ranges, and for the service's default without a range", async () => {
    const ranges = [
      ...["TODAY", "YESTERDAY", "LAST_7_DAYS", "LAST_14_DAYS", "LAST_30_DAYS", "LAST_90_DAYS"],
      ...["THIS_WEEK_MON_TODAY", "THIS_WEEK_SUN_TODAY", "LAST_WEEK_MON_SUN", "LAST_WEEK_SUN_SAT"],
      ...["LAST_BUSINESS_WEEK", "THIS_MONTH", "LAST_MONTH"],
    ];
    for (const dateRange of ranges) await ask(searchTermsLookup, { appId: "a", dateRange });
    await ask(searchTermsLookup, { appId: "a" });
    assert.deepEqual(queries(), [...ranges.map((range) => `date_range=${range}`), ""]);
    assert.ok(simulator.requests.every(({ status }) => status === 200));
  });

  it("send dates together with a range unchanged", async () => {
    const days = { startDate: "2026-02-01", endDate: "2026-02-01" };
    await ask(searchTermsLookup, { appId: "a", dateRange: "TODAY", ...days });
    assert.deepEqual(queries(), ["date_range=TODAY&start_date=2026-02-01&end_date=2026-02-01"]);
    assert.equal(simulator.requests[0]?.status, 200);
  });

  it("keep the order of most impressions first, and lack the terms of a failed read", async () => {
    const rows = [1, 3].map((impressions) => ({ search_term: String(impressions), impressions }));
    simulator.objects.setSearchTerms("a", rows);
    simulator.objects.setSearchTerms("a", [{ search_term: "2", impressions: 2 }], "PERFORMANCE_MAX");
    const terms = async (appId: string) =>
      (await ask(searchTermsLookup, { appId, dateRange: "TODAY" })).terms.map(({ searchTerm }) => searchTerm);
    assert.deepEqual(await terms("a"), ["3", "2", "1"]);
    simulator.objects.setSearchTerms("b", rows);
    simulator.objects.setSearchTerms("b", [{ search_term: "2", impressions: 2 }], "PERFORMANCE_MAX");
    simulator.objects.setSearchTermSource("b", "SMART", "failing");
    assert.deepEqual(await terms("b"), ["2"]);
  });

  it("list the assets attached to a campaign only by the service's id", async () => {
    const { id, platform_campaign_id } = simulator.objects.putCampaign("a");
    simulator.objects.setCampaignAssets("a", id, [{ asset: 1 }]);
    assert.deepEqual((await ask(adAssetsLookup, { appId: "a", campaignId: id })).durable, [{ asset: 1 }]);
    assert.match(
      await failure(adAssetsLookup, { appId: "a", campaignId: platform_campaign_id }),
      /^getAdAssets: asset\.list .*404/,
    );
  });

  it("list the 5,000 newest assets, newest first", async () => {
    simulator.objects.setAssetLibrary(
      "a",
      Array.from({ length: 5_002 }, (_, age) => ({ age })),
    );
    const { library } = await ask(adAssetsLookup, { appId: "a" });
    assert.deepEqual(
      library?.map(({ fields }) => fields["age"]),
      Array.from({ length: 5_000 }, (_, age) => age),
    );
  });
});

describe("Assets without a campaign, by the specification", () => {
  const { ask, failure, simulator, later } = onService(
    {},
    {
      credentials: [
        { value: "full-access-token", kind: "personal-token" },
        { value: "limited", kind: "personal-token", apps: ["other"] },
      ],
    },
  );

  it("get the responses 200, 401 or 403 only", async () => {
    for (const sessionId of [undefined, "of nothing"]) await ask(adAssetsLookup, { appId: "nowhere", sessionId });
    later({ accessToken: "unknown" });
    assert.match(await failure(adAssetsLookup, { appId: "a" }), /^getAdAssets: .*401/);
    later({ accessToken: "limited" });
    assert.match(await failure(adAssetsLookup, { appId: "a" }), /^getAdAssets: .*403/);
    assert.deepEqual(
      simulator.requests.map(({ status }) => status),
      [200, 200, 401, 403],
    );
  });
});
