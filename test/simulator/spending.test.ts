import assert from "node:assert/strict";
import { campaignBody, onSimulator } from "./support";

const hour = 60 * 60 * 1000;

describe("The spending of campaigns, by the simulator's clock,", () => {
  const { simulator, restart, post, remove, control } = onSimulator();
  const launch = (fields = {}) => post("/api/apps/a/ads-platform/launch", { campaign: { ...campaignBody, ...fields } });
  const advance = (hours: number): void => {
    simulator.clock.advance(hours * hour);
  };
  const spent = () => simulator.objects.spending().map((one) => one.spent);

  it("is the daily budget at the start of each 24 hours, and is in the control interface", async () => {
    const { campaign } = (await launch({ daily_budget_micros: 12_500_000 })).json;
    const row = { appId: "a", campaignId: campaign.id, currency: "USD", dailyBudget: 12.5 };
    assert.deepEqual(simulator.objects.spending(), [{ ...row, spent: 12.5 }]);
    advance(23);
    assert.deepEqual(spent(), [12.5]);
    advance(1);
    assert.deepEqual(spent(), [25]);
    advance(72);
    assert.deepEqual((await control("GET", "spending")).json, { campaigns: [{ ...row, spent: 62.5 }] });
  });

  it("does not grow while a campaign is paused, and a resumed one starts a new day only after the paid one", () => {
    const { id } = simulator.objects.putCampaign("a");
    const set = (status: string) => simulator.objects.changeCampaign("a", id, { status });
    advance(1);
    set("PAUSED");
    advance(1);
    set("ENABLED");
    assert.deepEqual(spent(), [10], "the day is paid");
    set("PAUSED");
    advance(100);
    assert.deepEqual(spent(), [10]);
    set("ENABLED");
    assert.deepEqual(spent(), [20], "a new day");
    advance(23);
    assert.deepEqual(spent(), [20]);
    advance(1);
    assert.deepEqual(spent(), [30]);
  });

  it("is nothing while the service holds a campaign, and begins when tracking verifies", async () => {
    await restart({ tracking: "pending" });
    await launch();
    const budget = campaignBody.daily_budget_micros / 1_000_000;
    advance(100);
    assert.deepEqual(spent(), [0]);
    simulator.advertising.trackingVerified("a");
    assert.deepEqual(spent(), [budget]);
    advance(24);
    assert.deepEqual(spent(), [2 * budget]);
  });

  it("stays with a deleted campaign, and is nothing for a paused one", async () => {
    const { id } = simulator.objects.putCampaign("a");
    simulator.objects.putCampaign("b", { status: "PAUSED" });
    await remove(`/api/apps/a/ads-platform/campaigns/${id}`);
    assert.equal(simulator.objects.campaign("a", id)?.status, "REMOVED");
    advance(100);
    assert.deepEqual(spent(), [10, 0]);
  });

  it("uses the budget of each day", () => {
    const { id } = simulator.objects.putCampaign("a", { daily_budget_micros: 1_000_000 });
    advance(25);
    simulator.objects.changeCampaign("a", id, { daily_budget_micros: 100_000_000 });
    assert.deepEqual(spent(), [2], "the day is paid");
    advance(24);
    assert.deepEqual(spent(), [102]);
  });

  it("counts an imported campaign from its creation", () => {
    simulator.objects.putCampaign("a");
    const all = simulator.objects.all();
    advance(49);
    simulator.objects.replaceAll(all);
    assert.deepEqual(spent(), [30]);
  });
});
