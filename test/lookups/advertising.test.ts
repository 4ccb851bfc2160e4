import assert from "node:assert/strict";
import fc from "fast-check";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup, campaignsLookup } from "../../provider/lookups/campaigns";
import { geoTargetsLookup } from "../../provider/lookups/geo-targets";
import { searchTermsLookup } from "../../provider/lookups/search-terms";
import { searchThemesLookup } from "../../provider/lookups/search-themes";
import { asset, wholeLibrary } from "../support/assets";
import { seen } from "../support/deployment";
import type { Asset } from "../../simulator";
import { onService } from "./support";

const paths = (simulator: { requests: readonly { path: string }[] }): string[] =>
  simulator.requests.map(({ path }) => path.replace(/^\/api\/apps\/a\/ads-platform/, ""));

describe("getGeoTargets", () => {
  const { ask, failure, simulator } = onService();

  it("returns the best match first, each with the id for a campaign", async () => {
    const { targets, leftOut } = await ask(geoTargetsLookup, { appId: "a", query: "paris" });
    assert.deepEqual(
      targets.map(({ canonicalName }) => canonicalName),
      ["Paris,Paris,Ile-de-France,France", "Paris,Texas,United States"],
    );
    assert.deepEqual(targets[0], {
      resourceName: "geoTargetConstants/1006094",
      name: "Paris",
      canonicalName: "Paris,Paris,Ile-de-France,France",
      countryCode: "FR",
      targetType: "City",
      reach: 2_100_000,
      searchTerm: "paris",
    });
    assert.equal(leftOut, 0);
    assert.deepEqual(paths(simulator), ["/geo-targets/search?query=paris"]);
  });

  it("searches one country, applies the limit locally, and says how many results it left out", async () => {
    const { targets, leftOut } = await ask(geoTargetsLookup, { appId: "a", countryCode: "ch", limit: 3 });
    assert.deepEqual([targets.length, leftOut], [3, 1]);
    assert.ok(targets.every(({ countryCode }) => countryCode === "CH"));
    assert.deepEqual(paths(simulator), ["/geo-targets/search?query=&country_code=CH"]);
  });

  it("refuses a limit or a country out of bounds without a request", async () => {
    for (const limit of [0, 101, 2.5, "3"])
      assert.match(
        await failure(geoTargetsLookup, { appId: "a", limit }),
        /limit must be a whole number from 1 to 100/,
      );
    for (const countryCode of [" ", "C", "CHE", "1A", "ÄÖ", 7])
      assert.match(await failure(geoTargetsLookup, { appId: "a", countryCode }), /getGeoTargets: countryCode must be/);
    assert.match(await failure(geoTargetsLookup, { appId: "" }), /appId must not be empty/);
    assert.match(await failure(geoTargetsLookup, {}), /getGeoTargets: appId is required/);
    assert.deepEqual(simulator.requests, []);
  });
});

describe("getSearchThemes", () => {
  const { ask, failure, simulator } = onService();

  it("returns suggestions in the requested language", async () => {
    const args = { appId: "a", businessName: "Shop", landingPageUrl: "https://shop.example.com/" };
    const english = await ask(searchThemesLookup, args);
    assert.deepEqual(english.searchThemes, ["Shop near me", "buy Shop online", "best Shop", "Shop prices"]);
    assert.deepEqual(english.notes, []);
    const german = await ask(searchThemesLookup, { ...args, language: "de-CH,de;q=0.8" });
    assert.equal(german.searchThemes[0], "Shop in der Nähe");
    const body = JSON.stringify({ business_name: "Shop", landing_page_url: "https://shop.example.com/" });
    assert.deepEqual(seen(simulator), [`searchTheme.suggest ${body}`, `searchTheme.suggest ${body}`]);
  });

  it("says that an empty list is not an error", async () => {
    const { searchThemes, notes } = await ask(searchThemesLookup, { appId: "a" });
    assert.deepEqual(searchThemes, []);
    assert.match(notes.join(), /suggested no themes\. This is not an error/);
  });

  it("refuses a language that is not a valid header, without a request", async () => {
    for (const language of ["", "de\r\nX-Other: 1", "französisch"])
      assert.match(
        await failure(searchThemesLookup, { appId: "a", language }),
        /language must be as in an Accept-Language/,
      );
    assert.deepEqual(simulator.requests, []);
  });
});

describe("getSearchTerms", () => {
  const { ask, failure, simulator } = onService();

  it("returns the rows in camelCase, and says what they may lack", async () => {
    simulator.objects.setSearchTerms("a", [
      { search_term: "pots", impressions: 3, clicks: 1, cost_micros: 9, conversions: 0.5 },
    ]);
    const result = await ask(searchTermsLookup, { appId: "a" });
    assert.deepEqual(result.terms, [
      { searchTerm: "pots", campaign: "Campaign", impressions: 3, clicks: 1, costMicros: 9, conversions: 0.5 },
    ]);
    assert.deepEqual([result.mayBeCut, result.mayMissSources, result.notes.length], [false, true, 1]);
    assert.match(result.notes.join(), /its terms are missing here\. The response does not show that/);
  });

  it("says when the report may be truncated at 100 rows", async () => {
    const rows = Array.from({ length: 120 }, (_, impressions) => ({ search_term: String(impressions), impressions }));
    simulator.objects.setSearchTerms("a", rows);
    const { terms, mayBeCut, notes } = await ask(searchTermsLookup, { appId: "a" });
    assert.deepEqual([terms.length, terms[0]?.searchTerm, mayBeCut], [100, "119", true]);
    assert.match(notes.join(), /at most the 100 terms .* has that many\. There may be more/);
  });

  it("sends the preset or both dates", async () => {
    await ask(searchTermsLookup, { appId: "a", dateRange: "LAST_MONTH" });
    await ask(searchTermsLookup, { appId: "a", startDate: "2026-02-01", endDate: "2026-02-28" });
    assert.deepEqual(paths(simulator), [
      "/analytics/search-terms?date_range=LAST_MONTH",
      "/analytics/search-terms?start_date=2026-02-01&end_date=2026-02-28",
    ]);
  });

  it("refuses a single date, a wrong order, an invalid day and an unknown preset without a request", async () => {
    for (const [args, words] of [
      [{ startDate: "2026-01-01" }, /startDate requires endDate/],
      [{ endDate: "2026-01-01" }, /endDate requires startDate/],
      [{ startDate: "2026-02-30", endDate: "2026-03-01" }, /startDate must be a day that exists, as YYYY-MM-DD/],
      [{ startDate: "1.2.2026", endDate: "2026-03-01" }, /startDate must be a day/],
      [{ startDate: "2026-03-02", endDate: "2026-03-01" }, /startDate must not be after endDate/],
      [{ dateRange: "LAST_8_DAYS" }, /dateRange must be one of "TODAY"/],
    ] as const)
      assert.match(await failure(searchTermsLookup, { appId: "a", ...args }), words);
    assert.deepEqual(simulator.requests, []);
  });

  it("accepts every pair of days in order, and none in reverse order", () => {
    const day = fc
      .date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(day, day, (startDate, endDate) => {
        const { success } = searchTermsLookup.args.safeParse({ appId: "a", startDate, endDate });
        assert.equal(success, startDate <= endDate);
      }),
    );
  });
});

describe("getAdAssets", () => {
  const { ask, failure, simulator } = onService();

  it("returns the library without a session, with its known fields by name and each row as sent", async () => {
    const row = { status: "ACCEPTED", accepted_campaign_id: "cmp_1", accepted_resource_names: ["r"], image_url: "u" };
    simulator.objects.setAssetLibrary("a", [row, { kind: "new" }]);
    const result = await ask(adAssetsLookup, { appId: "a" });
    assert.deepEqual(result, {
      library: [
        { status: "ACCEPTED", acceptedCampaignId: "cmp_1", acceptedResourceNames: ["r"], fields: row },
        { fields: { kind: "new" } },
      ],
      libraryMayBeCut: false,
      sessionIsInconclusive: false,
      notes: [],
    });
  });

  it("returns a session and the assets attached to a campaign as sent", async () => {
    const { id } = simulator.objects.putCampaign("a");
    simulator.objects.setAssetSession("a", "s", [{ preview: 1 }]);
    simulator.objects.setCampaignAssets("a", id, [{ asset: 2 }]);
    const { session, library, durable, notes } = await ask(adAssetsLookup, {
      appId: "a",
      sessionId: "s",
      campaignId: id,
    });
    assert.deepEqual([session, library, durable, notes], [[{ preview: 1 }], undefined, [{ asset: 2 }], []]);
    assert.deepEqual(paths(simulator), [`/assets?session_id=s&campaign_id=${id}`]);
  });

  it("says when the library may be truncated, and that an empty session proves nothing", async () => {
    simulator.objects.setAssetLibrary("a", Array<Asset>(5_001).fill({ status: "NEW" }));
    const cut = await ask(adAssetsLookup, { appId: "a" });
    assert.deepEqual([cut.library?.length, cut.libraryMayBeCut], [5_000, true]);
    assert.match(cut.notes.join(), /There may be older ones/);
    const empty = await ask(adAssetsLookup, { appId: "a", sessionId: "expired" });
    assert.deepEqual([empty.session, empty.sessionIsInconclusive], [[], true]);
    assert.match(empty.notes.join(), /still running, produced nothing, or has expired/);
  });

  it("returns a whole library of 5,000 assets with 65 fields each", async () => {
    simulator.objects.setAssetLibrary("a", [...wholeLibrary]);
    const { library = [], libraryMayBeCut } = await ask(adAssetsLookup, { appId: "a" });
    assert.deepEqual([library.length, libraryMayBeCut], [5_000, true]);
    assert.deepEqual(library.at(-1), {
      status: "ACCEPTED",
      acceptedCampaignId: "cmp_1",
      acceptedResourceNames: ["assets/1", "assets/2", "assets/3"],
      fields: asset,
    });
  });

  it("refuses a library with more values than any library has", async () => {
    simulator.objects.setAssetLibrary("a", [{ values: Array<number>(1_000_000).fill(1) }]);
    assert.match(await failure(adAssetsLookup, { appId: "a" }), /could not be read: body: more than 1000000 values/);
  });

  it("refuses empty ids without a request", async () => {
    assert.match(await failure(adAssetsLookup, { appId: "a", sessionId: "" }), /sessionId must not be empty/);
    assert.match(await failure(adAssetsLookup, { appId: "a", campaignId: "" }), /campaignId must not be empty/);
    assert.deepEqual(simulator.requests, []);
  });
});

describe("getCampaigns and getCampaign", () => {
  const { ask, failure, simulator, later } = onService();

  it("return the live values, with time zones, from one read of the list", async () => {
    const { id } = simulator.objects.putCampaign("a", { campaign_name: "Spring", geo_targets: ["g"] });
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
    assert.deepEqual(all.campaigns[0], one);
    assert.deepEqual(one, again);
    const { reviewStatus, servingStatus, primaryStatusReasons, updatedDate, learningEndsAt, geoTargets } = one;
    assert.deepEqual(
      [reviewStatus, servingStatus, primaryStatusReasons],
      ["UNDER_REVIEW", "PENDING", ["ADS_UNDER_REVIEW"]],
    );
    assert.match(`${String(updatedDate)} ${String(learningEndsAt)}`, /^\S+Z \S+Z$/);
    assert.deepEqual(geoTargets, ["g"]);
  });

  it("fail for a campaign that is not in the list, and recognize the ad platform's id", async () => {
    const { id, platform_campaign_id } = simulator.objects.putCampaign("a");
    assert.match(
      await failure(campaignLookup, { appId: "a", campaignId: "cmp_x" }),
      /^getCampaign: App a has no campaign cmp_x\.\n {2}campaign\.list returned 1 campaigns\.$/,
    );
    assert.match(
      await failure(campaignLookup, { appId: "a", campaignId: platform_campaign_id }),
      new RegExp(`that is the ad platform's id\\.\n  - Use the service's id of the same campaign: ${id}\\.$`),
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
