import assert from "node:assert/strict";
import { type Campaign, type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { declared } from "../support/campaigns";
import { seen } from "../support/deployment";
import { assertDone, assertFailed, programOf, PulumiProject } from "../../tools/harness/engine";

const app = declared.appId;
const campaign = (more: object = {}, options: object = {}): string =>
  programOf("AdCampaign", { ...declared, ...more }, options);
const replacement = { "delete-replaced": 1, replace: 1, "create-replacement": 1 };

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

  it("stays in state, and no replacement is launched, when its deletion is answered with 404", async () => {
    const stack = await project(campaign());
    assertDone(await stack.up(), { create: 1 });
    simulator.fault({ operation: "campaign.delete", times: "always", then: { status: 404, body: { detail: "No" } } });
    const still =
      /MONEY MAY BE MOVING: the campaign cmp_1 of app app-1 was not deleted\. The list still shows it as ENABLED.*the service answered 404/s;
    assertFailed(await stack.apply(campaign({ dailyBudgetMicros: 6_000_000 })), still);
    assertFailed(await stack.destroy(), still);
    assert.deepEqual([(await stack.stored("AdCampaign")).length, statuses()], [1, ["ENABLED"]]);
    simulator.clearFaults();
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([simulator.objects.launches().length, statuses()], [1, ["REMOVED"]]);
  });

  it("with a budget that was not converted is adopted with a warning, and not launched in another one's place", async () => {
    simulator.objects.putCampaign(app, { id: "theirs", campaign_name: "Theirs", daily_budget_micros: 25 });
    const low = { campaignName: "Theirs", landingPage: "https://example.com/", dailyBudgetMicros: 25 };
    const stack = await project(campaign({ ...low, campaignId: "theirs", deletionPolicy: "delete" }));
    const adopted = await stack.up();
    assertDone(adopted, { create: 1 });
    assert.match(adopted.output, /so the amount was probably not converted to micros/);
    const changed = campaign({ ...low, businessName: "Shop", deletionPolicy: "delete" });
    assertFailed(await stack.apply(changed), /'tested' has a problem: dailyBudgetMicros is 0\.000025 a day/);
    assert.deepEqual(statuses(), ["ENABLED"]);
  });

  it("refuses at preview what the service would refuse, and names the property", async () => {
    const stack = await project(
      campaign({
        campaignName: " ",
        campaignType: "PERFORMANCE_MAX",
        dailyBudgetMicros: 0.5,
        landingPage: "shop.example.com",
        businessName: "",
        searchThemes: Array.from({ length: 11 }, () => "x".repeat(81)),
        timezone: "Mars/Olympus",
        extraFields: { daily_budget_micros: 1 },
      }),
    );
    const wrong = await stack.preview();
    for (const problem of [
      /'tested' has a problem: campaignName must not be empty/,
      /'tested' has a problem: logoUrl is required for a Performance Max campaign/,
      /'tested' has a problem: dailyBudgetMicros must be a whole number of micros/,
      /'tested' has a problem: landingPage must be an absolute URL/,
      /'tested' has a problem: businessName must not be empty/,
      /'tested' has a problem: searchThemes must hold at most 10 themes/,
      /'tested' has a problem: timezone must be an IANA time zone/,
      /'tested' has a problem: extraFields\.daily_budget_micros shadows the argument dailyBudgetMicros/,
    ])
      assertFailed(wrong, problem);

    await stack.write(campaign({ dailyBudgetMicros: 25 }));
    assertFailed(
      await stack.preview(),
      /'tested' has a problem: dailyBudgetMicros is 0\.000025 a day.* 25000000 micros is 25\.00 a day; apps\.micros\(25\) converts/,
    );

    stack.environment["WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS"] = "4999999";
    await stack.write(campaign({ searchThemes: ["garden", "x".repeat(81)] }));
    const tooMuch = await stack.preview();
    assertFailed(
      tooMuch,
      /'tested' has a problem: dailyBudgetMicros is 5\.00 a day, above the limit of 4\.999999 that workspace-apps:maxDailyBudgetMicros/,
    );
    assertFailed(tooMuch, /'tested' has a problem: searchThemes\[1\] must have 1 to 80 characters/);

    stack.environment["WORKSPACE_APPS_DOCUMENTED_ONLY"] = "true";
    await stack.write(campaign({ dailyBudgetMicros: 4_999_999 }));
    assertFailed(
      await stack.preview(),
      /campaign\.list is not called: workspace-apps:documentedOnly is true.*Set the path that your service uses/s,
    );
    assert.deepEqual(seen(simulator), []);
  });

  it("is deleted before it is replaced, and is not replaced with --replace while its policy is retain", async () => {
    const stack = await project(campaign());
    assertDone(await stack.up());
    const [{ urn } = { urn: "" }] = await stack.stored("AdCampaign");
    operations();
    assertDone(await stack.up("--replace", urn), replacement);
    const writes = (): string[] => operations().filter((operation) => /launch|delete/.test(operation));
    assert.deepEqual(writes(), ["campaign.delete", "campaign.launch"]);
    assert.deepEqual(statuses(), ["REMOVED", "ENABLED"]);
    assertDone(await stack.apply(campaign({ deletionPolicy: "retain" })), { update: 1 });
    const beside = /Its deletionPolicy is "retain", so it would go on spending beside the new one/;
    assertFailed(await stack.up("--replace", urn), beside);
    assert.deepEqual(operations(), []);
    await stack.write(campaign({ dailyBudgetMicros: 7_000_000, deletionPolicy: "delete" }));
    assertFailed(
      await stack.up(),
      /campaign cmp_2 of app app-1 differ in dailyBudgetMicros, and that would replace it\./,
    );
    assert.deepEqual([operations(), statuses()], [[], ["REMOVED", "ENABLED"]]);
  });
});
