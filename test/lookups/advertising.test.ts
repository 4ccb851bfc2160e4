import assert from "node:assert/strict";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup, campaignsLookup } from "../../provider/lookups/campaigns";
import { geoTargetsLookup } from "../../provider/lookups/geo-targets";
import { searchTermsLookup } from "../../provider/lookups/search-terms";
import { searchThemesLookup } from "../../provider/lookups/search-themes";
import type { Asset } from "../../simulator";
import { seen } from "../support/deployment";
import { onService } from "./support";

const queries = (simulator: { requests: readonly { path: string }[] }): string[] =>
  simulator.requests.map(({ path }) => path.split("?")[1] ?? "");

describe("getGeoTargets", () => {
  const { ask, simulator } = onService();

  it("returns the best match first, each with the id for a campaign", async () => {
    const { targets, leftOut } = await ask(geoTargetsLookup, { appId: "a", query: "paris" });
    assert.deepEqual(
      targets.map(({ resourceName, canonicalName }) => [resourceName, canonicalName]),
      [
        ["geoTargetConstants/1006094", "Paris,Paris,Ile-de-France,France"],
        ["geoTargetConstants/1026481", "Paris,Texas,United States"],
      ],
    );
    assert.equal(leftOut, 0);
    assert.equal(simulator.requests[0]?.path, "/api/apps/a/ads-platform/geo-targets/search?query=paris");
  });

  it("keeps the order of the matches, where a better match precedes one with more reach", async () => {
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
      targets.map(({ name, reach }) => `${String(name)} ${String(reach)}`),
      ["Ulm 1", "Ulmen 50", "Chur 900"],
    );
  });

  it("needs no account, searches one country by one letter, and returns all locations without a query", async () => {
    assert.equal(simulator.objects.advertisingAccount("a"), undefined);
    const german = await ask(geoTargetsLookup, { appId: "a", query: "b", countryCode: "de" });
    assert.deepEqual(
      german.targets.map(({ name }) => name),
      ["Berlin", "Munich"],
    );
    for (const everywhere of [{ appId: "a" }, { appId: "a", countryCode: "" }])
      assert.equal((await ask(geoTargetsLookup, everywhere)).targets.length, simulator.objects.geoTargets().length);
    assert.deepEqual(queries(simulator), ["query=b&country_code=DE", "query=", "query=&country_code="]);
  });

  it("applies a limit of 1 to 100 itself, because the specification does not name that parameter", async () => {
    const [first] = simulator.objects.geoTargets();
    assert.ok(first);
    simulator.objects.setGeoTargets(Array.from({ length: 150 }, () => first));
    for (const limit of [1, 100]) {
      const { targets, leftOut } = await ask(geoTargetsLookup, { appId: "a", limit });
      assert.deepEqual([targets.length, leftOut], [limit, 100 - limit]);
    }
    assert.deepEqual(queries(simulator), ["query=", "query="]);
  });
});

describe("getSearchThemes", () => {
  const { ask, simulator } = onService();

  it("suggests in the requested language, and in English if that is unsupported or not given", async () => {
    for (const [language, theme] of [
      [undefined, "Shop near me"],
      ["xx", "Shop near me"],
      ["de-CH,de;q=0.8", "Shop in der Nähe"],
    ] as const) {
      const { searchThemes, notes } = await ask(searchThemesLookup, { appId: "a", businessName: "Shop", language });
      assert.deepEqual([searchThemes[0], notes], [theme, []]);
    }
  });

  it("sends the whole context, and saves nothing", async () => {
    const before = simulator.objects.all();
    const context = { businessName: "Pots", businessDescription: "Pans", landingPageUrl: "https://a.example/" };
    const { searchThemes } = await ask(searchThemesLookup, { appId: "a", ...context });
    assert.deepEqual(
      searchThemes.map((theme) => theme.replace(/.*(Pots|Pans).*/, "$1")),
      [...Array<string>(4).fill("Pots"), ...Array<string>(4).fill("Pans")],
    );
    const body = { business_name: "Pots", business_description: "Pans", landing_page_url: "https://a.example/" };
    assert.deepEqual(seen(simulator), [`searchTheme.suggest ${JSON.stringify(body)}`]);
    assert.deepEqual(simulator.objects.all(), before);
  });

  it("returns at most ten themes of at most 80 characters", async () => {
    simulator.objects.setSearchThemes("a", ["x".repeat(81), "y".repeat(80), ...Array<string>(11).fill("theme")]);
    const { searchThemes } = await ask(searchThemesLookup, { appId: "a" });
    assert.deepEqual(searchThemes, ["y".repeat(80), ...Array<string>(9).fill("theme")]);
  });

  it("says that an empty list is not an error", async () => {
    const { searchThemes, notes } = await ask(searchThemesLookup, { appId: "a" });
    assert.deepEqual(searchThemes, []);
    assert.match(notes.join(), /suggested no themes\. This is not an error/);
  });
});

describe("getSearchTerms", () => {
  const { ask, simulator } = onService();

  it("returns most impressions first, and says that the terms of a failed read are missing", async () => {
    for (const appId of ["a", "b"]) {
      const rows = [1, 3].map((impressions) => ({ search_term: String(impressions), impressions }));
      simulator.objects.setSearchTerms(appId, rows);
      simulator.objects.setSearchTerms(appId, [{ search_term: "2", impressions: 2 }], "PERFORMANCE_MAX");
    }
    simulator.objects.setSearchTermSource("b", "SMART", "failing");
    for (const [appId, expected] of [
      ["a", ["3", "2", "1"]],
      ["b", ["2"]],
    ] as const) {
      const { terms, mayBeCut, mayMissSources, notes } = await ask(searchTermsLookup, { appId, dateRange: "TODAY" });
      assert.deepEqual(
        terms.map(({ searchTerm }) => searchTerm),
        expected,
      );
      assert.deepEqual([mayBeCut, mayMissSources, notes.length], [false, true, 1]);
      assert.match(notes.join(), /its terms are missing here\. The response does not show that/);
    }
  });

  it("says when the report may be truncated at 100 rows", async () => {
    const rows = Array.from({ length: 120 }, (_, impressions) => ({ search_term: String(impressions), impressions }));
    simulator.objects.setSearchTerms("a", rows);
    const { terms, mayBeCut, notes } = await ask(searchTermsLookup, { appId: "a" });
    assert.deepEqual([terms.length, terms[0]?.searchTerm, mayBeCut], [100, "119", true]);
    assert.match(notes.join(), /at most the 100 terms .* has that many\. There may be more/);
  });

  it("sends each of the thirteen ranges, both dates, a range with dates, or nothing for the default", async () => {
    const ranges = [
      ...["TODAY", "YESTERDAY", "LAST_7_DAYS", "LAST_14_DAYS", "LAST_30_DAYS", "LAST_90_DAYS"],
      ...["THIS_WEEK_MON_TODAY", "THIS_WEEK_SUN_TODAY", "LAST_WEEK_MON_SUN", "LAST_WEEK_SUN_SAT"],
      ...["LAST_BUSINESS_WEEK", "THIS_MONTH", "LAST_MONTH"],
    ];
    const days = { startDate: "2026-02-01", endDate: "2026-02-01" };
    const args = [...ranges.map((dateRange) => ({ dateRange })), days, { dateRange: "TODAY", ...days }, {}];
    for (const each of args) await ask(searchTermsLookup, { appId: "a", ...each });
    assert.deepEqual(queries(simulator), [
      ...ranges.map((range) => `date_range=${range}`),
      "start_date=2026-02-01&end_date=2026-02-01",
      "date_range=TODAY&start_date=2026-02-01&end_date=2026-02-01",
      "",
    ]);
    assert.ok(simulator.requests.every(({ status }) => status === 200));
  });
});

describe("getAdAssets", () => {
  const { ask, failure, simulator } = onService();

  it("returns the library without a session, each row as sent", async () => {
    const rows = [{ status: "ACCEPTED", image_url: "u" }, { kind: "new" }];
    simulator.objects.setAssetLibrary("a", rows);
    const result = await ask(adAssetsLookup, { appId: "a" });
    const library = [{ status: "ACCEPTED", fields: rows[0] }, { fields: rows[1] }];
    assert.deepEqual(result, { library, libraryMayBeCut: false, sessionIsInconclusive: false, notes: [] });
  });

  it("returns a session, and by the service's id the assets attached to a campaign, as sent", async () => {
    const { id, platform_campaign_id } = simulator.objects.putCampaign("a");
    simulator.objects.setAssetSession("a", "s", [{ preview: 1 }]);
    simulator.objects.setCampaignAssets("a", id, [{ asset: 2 }]);
    const result = await ask(adAssetsLookup, { appId: "a", sessionId: "s", campaignId: id });
    const { session, library, durable, notes } = result;
    assert.deepEqual([session, library, durable, notes], [[{ preview: 1 }], undefined, [{ asset: 2 }], []]);
    assert.deepEqual(queries(simulator), [`session_id=s&campaign_id=${id}`]);
    assert.match(
      await failure(adAssetsLookup, { appId: "a", campaignId: platform_campaign_id }),
      /^getAdAssets: asset\.list .*404/,
    );
  });

  it("returns the 5,000 newest assets, newest first, and says that there may be older ones", async () => {
    const rows = Array.from({ length: 5_002 }, (_, age): Asset => ({ age }));
    simulator.objects.setAssetLibrary("a", rows);
    const { library, libraryMayBeCut, notes } = await ask(adAssetsLookup, { appId: "a" });
    assert.deepEqual(
      library?.map(({ fields }) => fields),
      rows.slice(0, 5_000),
    );
    assert.equal(libraryMayBeCut, true);
    assert.match(notes.join(), /There may be older ones/);
  });

  it("says that an empty session proves nothing", async () => {
    const { session, sessionIsInconclusive, notes } = await ask(adAssetsLookup, { appId: "a", sessionId: "expired" });
    assert.deepEqual([session, sessionIsInconclusive], [[], true]);
    assert.match(notes.join(), /still running, produced nothing, or has expired/);
  });

  it("fails where the response lacks a requested list", async () => {
    for (const [list, args, body] of [
      ["library", {}, {}],
      ["session", { sessionId: "s" }, { session: null }],
      ["durable", { campaignId: "c" }, { library: [] }],
    ] as const) {
      simulator.fault({ operation: "asset.list", then: { status: 200, body } });
      assert.match(
        await failure(adAssetsLookup, { appId: "a", ...args }),
        new RegExp(`^getAdAssets: asset\\.list failed: the response has no ${list} list\\. \\[WA1704\\]\n`),
      );
    }
  });
});

describe("getAdAssets without a campaign", () => {
  const { ask, failure, simulator, later } = onService(
    {},
    {
      credentials: [
        { value: "full-access-token", kind: "personal-token" },
        { value: "limited", kind: "personal-token", apps: ["other"] },
      ],
    },
  );

  it("gets the responses 200, 401 or 403 only", async () => {
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

describe("getCampaigns and getCampaign", () => {
  const { ask, failure, simulator, later } = onService();

  it("return the live values from one read of the list, with deleted campaigns", async () => {
    const { id } = simulator.objects.putCampaign("a", { campaign_name: "Spring" });
    simulator.objects.putCampaign("a", { status: "REMOVED" });
    const [all, one, again] = await Promise.all([
      ask(campaignsLookup, { appId: "a" }),
      ask(campaignLookup, { appId: "a", campaignId: id }),
      ask(campaignLookup, { appId: "a", campaignId: id }),
    ]);
    assert.deepEqual(seen(simulator), ["campaign.list"]);
    assert.deepEqual(
      all.campaigns.map(({ status }) => status),
      ["ENABLED", "REMOVED"],
    );
    assert.deepEqual([one, again], [all.campaigns[0], all.campaigns[0]]);
    const { reviewStatus, servingStatus, primaryStatusReasons } = one;
    assert.deepEqual(
      [reviewStatus, servingStatus, primaryStatusReasons],
      ["UNDER_REVIEW", "PENDING", ["ADS_UNDER_REVIEW"]],
    );
  });

  it("fail for a campaign that is not in the list, and recognize the ad platform's id", async () => {
    const { id, platform_campaign_id } = simulator.objects.putCampaign("a");
    assert.match(
      await failure(campaignLookup, { appId: "a", campaignId: "cmp_x" }),
      /^getCampaign: App a has no campaign cmp_x\. \[WA1703\]\n {2}campaign\.list returned 1 campaigns\.$/,
    );
    assert.match(
      await failure(campaignLookup, { appId: "a", campaignId: platform_campaign_id }),
      new RegExp(
        `that is the ad platform's id\\. \\[WA1703\\]\n  - Use the service's id of the same campaign: ${id}\\.$`,
      ),
    );
  });

  it("send no request with documentedOnly, and say how to set the list", async () => {
    later({ documentedOnly: "true" });
    assert.match(
      await failure(campaignsLookup, { appId: "a" }),
      /^getCampaigns: campaign\.list is not called: workspace-apps:documentedOnly is true .*\n {2}- Set the path/,
    );
    assert.deepEqual(simulator.requests, []);
  });

  it("leave out unusual values instead of failing", async () => {
    const odd = { id: "c", campaign_name: "n", status: "ENABLED", updated_date: "soon", review_status: 7 };
    simulator.fault({ operation: "campaign.list", then: { status: 200, body: [odd] } });
    const { campaigns } = await ask(campaignsLookup, { appId: "a" });
    assert.deepEqual(campaigns, [{ campaignId: "c", campaignName: "n", status: "ENABLED" }]);
  });

  it("fail when the assumed list is not available, and say how to set it", async () => {
    simulator.fault({ operation: "campaign.list", then: { status: 404 } });
    assert.match(
      await failure(campaignsLookup, { appId: "a" }),
      /^getCampaigns: campaign\.list failed: .*workspace-apps:endpoints/s,
    );
  });
});
