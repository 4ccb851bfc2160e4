import assert from "node:assert/strict";
import {
  asListed,
  differingValues,
  findById,
  isPaused,
  type ListedCampaign,
} from "../../provider/resources/ad-campaign/campaign-list";
import { isRemoved } from "../../provider/service/campaigns";
import { asStored, declared } from "../support/campaigns";

const row = (fields: Partial<ListedCampaign> = {}): ListedCampaign => ({
  id: "cmp_1",
  status: "ENABLED",
  ...asStored,
  ...fields,
});
const sure = { ...declared, geoTargets: ["a"], phoneNumber: "+1" };

describe("The list of campaigns", () => {
  describe("differs from what is declared", () => {
    it("only in values that it shows and that are declared", () => {
      assert.deepEqual(differingValues({ id: "x" }, sure), []);
      const empty = { id: "x", landing_page: "", phone_number: "", campaign_type: null, geo_targets: null };
      assert.deepEqual(differingValues({ ...empty, daily_budget_micros: null, landing_page: null }, sure), []);
      assert.deepEqual(differingValues(empty, sure), []);
      assert.deepEqual(differingValues(row({ geo_targets: ["b"], phone_number: "2" }), declared), []);
    });

    it("never in the ending that a launch gives to its name", () => {
      assert.deepEqual(differingValues(row({ campaign_name: "Spring sale-1f0c9a23b7c4" }), declared), []);
      assert.deepEqual(differingValues(row({ campaign_name: "Spring sale-1f0c9a2" }), declared), ["campaignName"]);
    });

    it("in each value separately", () => {
      const same = row({ geo_targets: ["a"], phone_number: "+1" });
      assert.deepEqual(differingValues(same, sure), []);
      for (const [key, fields] of Object.entries({
        campaignName: { campaign_name: "b" },
        campaignType: { campaign_type: "b" },
        dailyBudgetMicros: { daily_budget_micros: 0 },
        landingPage: { landing_page: "https://b.example.com/" },
        geoTargets: { geo_targets: [] },
        phoneNumber: { phone_number: "+2" },
      }))
        assert.deepEqual(differingValues({ ...same, ...fields }, sure), [key]);
    });

    it("and then its value counts, while everything else stays as declared", () => {
      const shown = row({
        campaign_name: " Spring sale",
        daily_budget_micros: 7,
        geo_targets: ["b"],
        phone_number: "",
      });
      assert.deepEqual(asListed({ ...sure, other: 1 }, shown), {
        ...sure,
        other: 1,
        dailyBudgetMicros: 7,
        geoTargets: ["b"],
      });
    });
  });

  it("finds a campaign by its id", () => {
    const rows = [row({ id: "b" }), row({ status: "REMOVED" })];
    assert.deepEqual(findById(rows, "cmp_1"), row({ status: "REMOVED" }));
    assert.equal(findById(rows, "CMP_1"), undefined);
  });

  it("recognizes removed, paused and running, ignoring case, and leaves other statuses open", () => {
    assert.deepEqual(
      ["REMOVED", "Removed", "ENABLED", ""].map((status) => isRemoved({ status })),
      [true, true, false, false],
    );
    assert.deepEqual(
      ["PAUSED", "paused", "ENABLED", "enabled", "REMOVED", "LIMITED", undefined].map((status) => isPaused({ status })),
      [true, true, false, false, undefined, undefined, undefined],
    );
  });
});
