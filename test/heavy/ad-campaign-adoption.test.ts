import assert from "node:assert/strict";
import { type Campaign, type Simulator, startSimulator } from "../../simulator";
import { declared } from "../support/campaigns";
import { assertDone, assertFailed, programOf, PulumiProject } from "../../tools/harness/engine";

const app = declared.appId;
/** The declared campaign as the service stores it. */
const running = {
  campaign_name: "Spring sale",
  daily_budget_micros: 5_000_000,
  landing_page: "https://shop.example.com",
};
const campaign = (more: object = {}): string => programOf("AdCampaign", { ...declared, ...more });

describe("Adopting an AdCampaign on the real engine", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const project = (program: string): Promise<PulumiProject> =>
    PulumiProject.create({ program, baseUrl: simulator.url });
  const existing = (fields: Partial<Campaign> = {}): Campaign =>
    simulator.objects.putCampaign(app, { ...running, ...fields });
  const statuses = (): string[] => simulator.objects.campaigns(app).map(({ status }) => status);
  /** The operations that the service saw since the last call. */
  const operations = (): string[] => {
    const all = simulator.requests.map(({ operation }) => String(operation));
    simulator.clearRequests();
    return all;
  };

  it("launches nothing, refreshes a drifted campaign, refuses its replacement at preview, and retains it", async () => {
    const { id } = existing();
    const stack = await project(campaign({ campaignId: id }));
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(operations(), ["campaign.list", "campaign.list"], "the intent reads it, and the adoption");
    assertDone(await stack.apply(campaign()), { same: 1 });
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    simulator.objects.changeCampaign(app, id, { daily_budget_micros: 9_000_000, status: "PAUSED" });
    assertDone(await stack.refresh(), { update: 1 });
    const [stored] = await stack.stored("AdCampaign");
    assert.deepEqual([stored?.inputs?.["dailyBudgetMicros"], stored?.outputs?.["dailyBudgetMicros"]], [9e6, 9e6]);
    assertFailed(
      await stack.preview(),
      /the campaign cmp_1 of app app-1 differ in dailyBudgetMicros, and that would replace it.*"retain"/,
    );
    operations();
    const gone = await stack.destroy();
    assertDone(gone, { delete: 1 });
    assert.match(gone.output, /The campaign cmp_1 of app app-1 is retained/);
    assert.deepEqual([operations(), statuses()], [[], ["PAUSED"]]);
  });

  it("is refused for a campaign that another resource of the program manages, with both names", async () => {
    const { id } = existing();
    const twice = (one: object, other: object): string => `
      const apps = require("pulumi-workspace-apps");
      new apps.AdCampaign("one", ${JSON.stringify({ ...declared, ...one })});
      new apps.AdCampaign("other", ${JSON.stringify({ ...declared, ...other })});`;
    const stack = await project(twice({}, { campaignName: " Spring  sale" }));
    assertFailed(
      await stack.preview(),
      /'\w+' has a problem: campaignName is declared twice: "(one" and "other|other" and "one)" both declare the campaign "Spring sale" of app app-1/,
    );
    await stack.write(twice({ campaignId: id }, { campaignId: id, campaignName: "Autumn sale" }));
    assertFailed(
      await stack.preview(),
      /'\w+' has a problem: campaignId is declared twice: "(one" and "other|other" and "one)" both declare the campaign cmp_1 of app app-1/,
    );
    assertDone(await stack.apply(twice({ campaignId: id }, { campaignName: "Autumn sale" })), { create: 2 });
    assert.equal(simulator.objects.launches().length, 1);
  });
});
