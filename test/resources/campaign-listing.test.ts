import assert from "node:assert/strict";
import {
  asListed,
  differingValues,
  findById,
  findDeclared,
  isPaused,
  type ListedCampaign,
  nameKey,
  sameValue,
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
  describe("shows for a declared campaign", () => {
    it("no match, when none has its name", () => {
      assert.deepEqual(findDeclared([], declared), { is: "none" });
      assert.deepEqual(findDeclared([row({ campaign_name: "Other" })], declared), { is: "none" });
      assert.deepEqual(findDeclared([row({ campaign_name: "SPRING SALE" })], declared), { is: "none" });
    });

    it("no match, when those with its name are removed, in any spelling", () => {
      assert.deepEqual(findDeclared([row({ status: "REMOVED" }), row({ id: "b", status: "removed" })], declared), {
        is: "none",
      });
    });

    it("the campaign, in any status", () => {
      for (const status of ["ENABLED", "PAUSED", "LIMITED", ""])
        assert.deepEqual(findDeclared([row({ status })], declared), { is: "one", campaign: row({ status }) });
    });

    it("the campaign, next to a removed one and others", () => {
      const rows = [row({ id: "old", status: "REMOVED" }), row(), row({ id: "b", campaign_name: "Other" })];
      assert.deepEqual(findDeclared(rows, declared), { is: "one", campaign: row() });
    });

    it("a doubt, when its values differ, and which", () => {
      const other = row({ daily_budget_micros: 1, campaign_type: "PMAX" });
      assert.deepEqual(findDeclared([other], declared), {
        is: "unclear",
        campaigns: [other],
        why: "cmp_1 (ENABLED, differs in campaignType, dailyBudgetMicros)",
      });
    });

    it("a doubt, when several have its name, even if only one has its values", () => {
      const rows = [row(), row({ id: "b", status: "PAUSED", daily_budget_micros: 1 })];
      assert.deepEqual(findDeclared(rows, declared), {
        is: "unclear",
        campaigns: rows,
        why: "cmp_1 (ENABLED, with the declared values); b (PAUSED, differs in dailyBudgetMicros)",
      });
    });
  });

  describe("differs from what is declared", () => {
    it("only in values that it shows and that are declared", () => {
      assert.deepEqual(differingValues({ id: "x" }, sure), []);
      const empty = { id: "x", landing_page: "", phone_number: "", campaign_type: null, geo_targets: null };
      assert.deepEqual(differingValues({ ...empty, daily_budget_micros: null, landing_page: null }, sure), []);
      assert.deepEqual(differingValues(empty, sure), []);
      assert.deepEqual(differingValues(row({ geo_targets: ["b"], phone_number: "2" }), declared), []);
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

  it("compares names without changes that a service may make, and distinguishes letters", () => {
    assert.equal(nameKey("  Caf\u0065\u0301 \n\t Sale "), "Caf\u00e9 Sale");
    assert.equal(sameValue("campaignName", "Caf\u00e9", "Cafe\u0301"), true);
    assert.equal(sameValue("campaignName", "AB", "A B"), false);
    assert.equal(sameValue("campaignName", "a", "A"), false);
  });

  it("compares places as a set, phone numbers by digits, URLs by meaning, the rest exactly", () => {
    assert.equal(sameValue("geoTargets", ["a", "b", "a"], ["b", "a"]), true);
    assert.equal(sameValue("geoTargets", ["a"], ["a", "b"]), false);
    assert.equal(sameValue("phoneNumber", "+41 (44) 1", "41441"), true);
    assert.equal(sameValue("phoneNumber", "+41", "+42"), false);
    assert.equal(sameValue("landingPage", "https://A.example.com", "https://a.example.com/"), true);
    assert.equal(sameValue("landingPage", "https://a.example.com/x", "https://a.example.com/X"), false);
    assert.equal(sameValue("campaignType", "SMART", "smart"), false);
    assert.equal(sameValue("dailyBudgetMicros", 1, 2), false);
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
