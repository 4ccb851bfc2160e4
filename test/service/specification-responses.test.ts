import assert from "node:assert/strict";
import { type OperationId, operations } from "../../provider/service/operations";

const isRead = (id: OperationId, answer: unknown): boolean => operations[id].answer.safeParse(answer).success;

/** The response without one of its fields. */
function without(answer: Record<string, unknown>, field: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== field));
}

const campaign = {
  id: "cmp_1",
  platform_campaign_id: "210",
  campaign_name: "Spring sale",
  campaign_type: "SMART",
  status: "ENABLED",
  daily_budget_micros: 5_000_000,
  landing_page: "https://shop.example.com/",
  geo_targets: ["geoTargetConstants/2756"],
  phone_number: "+41",
  review_status: "APPROVED",
  serving_status: "SERVING",
  primary_status: "ELIGIBLE",
  primary_status_reasons: ["LEARNING"],
  created_date: "2026-01-02T03:04:05",
  updated_date: "2026-01-02T03:04:05",
  learning_ends_at: "2026-01-09T03:04:05",
};
const session = {
  id: "cs_1",
  state: "queued",
  message_id: null,
  repository_full_name: "team/app",
  branch_id: null,
  branch_name: null,
  session_url: null,
  pull_request: null,
  error_code: null,
  launch_key: "key",
  client_reference: null,
  input_request_id: null,
  outcome: null,
  summary: null,
};

describe("A response, by the specification,", () => {
  it("of a campaign needs its id, name and status, each a string, and may lack the rest", () => {
    assert.ok(isRead("campaign.list", [campaign]));
    for (const field of ["id", "campaign_name", "status"]) {
      assert.ok(!isRead("campaign.list", [without(campaign, field)]), field);
      assert.ok(!isRead("campaign.list", [{ ...campaign, [field]: 7 }]), field);
    }
    const { id, campaign_name, status } = campaign;
    assert.ok(isRead("campaign.list", [{ id, campaign_name, status }]));
  });

  it("of a campaign has values of the documented types", () => {
    for (const [field, wrong] of Object.entries({
      platform_campaign_id: 210,
      campaign_type: 7,
      daily_budget_micros: "much",
      landing_page: 7,
      geo_targets: "Bern",
      phone_number: 7,
    }))
      assert.ok(!isRead("campaign.list", [{ ...campaign, [field]: wrong }]), field);
  });

  it("of a launch has the campaign's id, and any other campaign and account values", () => {
    const account = {
      id: "acc_1",
      status: "ACTIVE",
      account_name: "Shop",
      currency_code: "CHF",
      timezone: "Europe/Zurich",
      platform_customer_id: "700",
    };
    const answer = operations["campaign.launch"].answer.parse({ account, campaign });
    assert.deepEqual([answer.campaign.id, answer.account], ["cmp_1", account]);
    assert.ok(isRead("campaign.launch", { campaign: { id: "cmp_1" } }));
    assert.ok(!isRead("campaign.launch", { account, campaign: without(campaign, "id") }));
    assert.ok(!isRead("campaign.launch", { account }));
  });

  it("of a coding session needs its id and state, with any name of the state", () => {
    const states = ["queued", "running", "opening_pull_request", "needs_input", "completed", "failed", "cancelling"];
    for (const state of [...states, "cancelled", "added_in_beta"])
      assert.ok(isRead("codingSession.launch", { ...session, state }), state);
    for (const field of ["id", "state"]) assert.ok(!isRead("codingSession.launch", without(session, field)), field);
    assert.ok(isRead("codingSession.launch", { id: "cs_1", state: "queued" }));
  });

  it("of a record needs its id, and has any other fields", () => {
    assert.ok(isRead("record.update", { id: "rec_1", Any_Field: [1, { deep: null }] }));
    assert.ok(!isRead("record.update", { Any_Field: 1 }));
  });

  it("of a scan has a status and a list of the ignored fingerprints", () => {
    const scan = { status: "pending", result: null, static_code_enabled: false, ignored_fingerprints: ["f"] };
    assert.deepEqual(operations["scan.get"].answer.parse(scan), scan);
    assert.ok(!isRead("scan.get", without(scan, "status")));
    assert.ok(!isRead("scan.get", { ...scan, ignored_fingerprints: "f" }));
  });

  it("of conversion tracking has a prompt, numeric counts, and may omit what a skipped call omits", () => {
    const prompt = {
      composer_prompt: "p",
      conversion_id: "AW-1",
      actions_created_or_existing: 10,
      wired_mappings: 0,
    };
    assert.ok(isRead("tracking.bootstrap", prompt));
    assert.ok(isRead("tracking.bootstrap", { composer_prompt: "", skipped_reason: "no_ads_account" }));
    assert.ok(!isRead("tracking.bootstrap", without(prompt, "composer_prompt")));
    for (const count of ["actions_created_or_existing", "wired_mappings"])
      assert.ok(!isRead("tracking.bootstrap", { ...prompt, [count]: "10" }), count);
  });
});
