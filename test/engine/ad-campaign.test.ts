import assert from "node:assert/strict";
import { type Campaign, type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { declared } from "../support/campaigns";
import { assertDone, assertFailed, programOf, PulumiProject } from "../../tools/harness/engine";

const app = declared.appId;
const campaign = (more: object = {}, options: object = {}): string =>
  programOf("AdCampaign", { ...declared, ...more }, options);
const launching = ["campaign.list", "campaign.readiness", "campaign.launch", "campaign.list"];

describe("AdCampaign on the real engine", () => {
  let simulator: Simulator;
  const start = async (options: SimulatorOptions = {}): Promise<void> => {
    simulator = await startSimulator(options);
  };
  beforeEach(() => start());
  afterEach(() => simulator.close());

  const project = (program: string, environment: Record<string, string> = {}): Promise<PulumiProject> =>
    PulumiProject.create({ program, environment, baseUrl: simulator.url });
  const campaigns = (): Campaign[] => simulator.objects.campaigns(app);
  const statuses = (): string[] => campaigns().map(({ status }) => status);
  /** The operations that the service saw since the last call. */
  const operations = (): string[] => {
    const all = simulator.requests.map(({ operation }) => String(operation));
    simulator.clearRequests();
    return all;
  };

  it("is launched with every argument, and has every output", async () => {
    const all = {
      campaignName: "Spring sale",
      campaignType: "PERFORMANCE_MAX",
      dailyBudgetMicros: 12_500_000,
      landingPage: "https://shop.example.com/spring",
      businessName: "Example Shop",
      keywordThemes: ["garden tools"],
      searchThemes: Array.from({ length: 10 }, (_, number) => `${String(number)} ${"x".repeat(78)}`),
      geoTargets: ["geoTargetConstants/2276", "geoTargetConstants/1004054"],
      logoUrl: "https://shop.example.com/logo.png",
      phoneNumber: "+49 30 1234567",
      timezone: "Europe/Berlin",
      extraFields: { ad_schedule: { days: ["MON"], from: 8 } },
      paused: false,
      deletionPolicy: "delete",
    };
    const stack = await project(campaign(all));
    assertDone(await stack.up(), { create: 1 });
    const sent = simulator.requests.find(({ operation }) => operation === "campaign.launch");
    assert.equal(sent?.path, "/api/apps/app-1/ads-platform/launch");
    const [live] = campaigns();
    assert.match(String(live?.campaign_name), /^Spring sale-[0-9a-f]{12}$/);
    assert.deepEqual(sent.body, {
      campaign: {
        campaign_name: live?.campaign_name,
        campaign_type: "PERFORMANCE_MAX",
        daily_budget_micros: 12_500_000,
        landing_page: "https://shop.example.com/spring",
        business_name: "Example Shop",
        keyword_themes: ["garden tools"],
        search_themes: all.searchThemes,
        geo_targets: ["geoTargetConstants/2276", "geoTargetConstants/1004054"],
        logo_url: "https://shop.example.com/logo.png",
        phone_number: "+49 30 1234567",
        ad_schedule: { days: ["MON"], from: 8 },
      },
      timezone: "Europe/Berlin",
    });
    assert.deepEqual(operations(), launching);
    const account = simulator.objects.advertisingAccount(app);
    const { id, urn: _, launchIntent: __, ...outputs } = await stack.outputs();
    assert.equal(id, live?.id);
    assert.deepEqual(outputs, {
      ...all,
      appId: app,
      campaignId: live?.id,
      platformCampaignId: live?.platform_campaign_id,
      accountId: account?.id,
      accountCurrencyCode: "USD",
      accountTimezone: "Europe/Berlin",
      platformCustomerId: account?.platform_customer_id,
      launchedName: live?.campaign_name,
      launchState: "confirmed",
      createdDate: live?.created_date,
    });
    await stack.write(campaign({ ...all, timezone: "Asia/Tokyo" }));
    assertDone(await stack.preview("--expect-no-changes"), {});
    assert.deepEqual(operations(), [], "a preview sends no request");
    assertDone(await stack.apply(campaign({ ...all, deletionPolicy: "pause" })), { update: 1 });
    assert.deepEqual(operations(), [], "neither the time zone nor the policy sends a request");
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(operations(), ["campaign.list", "campaign.pause", "campaign.list"]);
    assert.deepEqual(statuses(), ["PAUSED"]);
  });

  it("accepts unknown values at preview, and reads the list once for all campaigns of an app", async () => {
    const stack = await project(
      `
      const pulumi = require("@pulumi/pulumi");
      const apps = require("pulumi-workspace-apps");
      const first = new apps.AdCampaign("first", ${JSON.stringify(declared)});
      const after = (value) => first.campaignId.apply(() => value);
      new apps.AdCampaign("second", {
        appId: "${app}",
        campaignName: after("Summer sale"),
        campaignType: after("PERFORMANCE_MAX"),
        dailyBudgetMicros: after(1000000),
        landingPage: pulumi.interpolate\`https://shop.example.com/\${first.campaignId}\`,
        geoTargets: [first.campaignId, "geoTargetConstants/2276"],
        searchThemes: after(["garden"]),
        logoUrl: after("https://shop.example.com/logo.png"),
        timezone: after("UTC"),
        extraFields: { source: first.campaignId },
        paused: after(true),
      });`,
      { WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS: "5000000" },
    );
    assertDone(await stack.preview(), { create: 2 });
    assertDone(await stack.up(), { create: 2 });
    assert.deepEqual(campaigns()[1]?.geo_targets, [campaigns()[0]?.id, "geoTargetConstants/2276"]);
    assert.deepEqual(
      operations(),
      [...launching, "campaign.launch", "campaign.list", "campaign.pause"],
      "readiness is read once, and the list that the first launch has read serves the second one",
    );
    assertDone(await stack.refresh("--expect-no-changes"), { same: 2 });
    assert.deepEqual(operations(), ["campaign.list"]);
    simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
    assertFailed(await stack.refresh(), /campaign\.list failed: the service answered 403\..*Request: GET /);
    assert.deepEqual(operations(), ["campaign.list"], "one failed read fails all campaigns that share it");
    assert.equal((await stack.stored("AdCampaign")).length, 2);
  });

  it("is paused and resumed, and a refresh finds drift and removal", async () => {
    const stack = await project(campaign({ paused: true }, { protect: true }));
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(operations(), [...launching, "campaign.pause"]);
    assertDone(await stack.apply(campaign({ paused: false })), { update: 1 });
    assert.deepEqual(operations(), ["campaign.resume"]);
    const [{ id } = { id: "" }] = campaigns();
    simulator.objects.changeCampaign(app, id, { status: "PAUSED", daily_budget_micros: 9_000_000 });
    assertDone(await stack.refresh(), { update: 1 });
    const [stored] = await stack.stored("AdCampaign");
    assert.deepEqual([stored?.inputs?.["paused"], stored?.inputs?.["dailyBudgetMicros"]], [true, 9_000_000]);
    assertDone(await stack.preview(), { replace: 1 });
    assertDone(await stack.apply(campaign({ paused: false, dailyBudgetMicros: 9_000_000 })), { update: 1 });
    assert.deepEqual(statuses(), ["ENABLED"]);
    simulator.objects.changeCampaign(app, id, { status: "REMOVED" });
    assertDone(await stack.refresh(), { delete: 1 });
    assert.deepEqual(await stack.stored("AdCampaign"), []);
  });
});
