import type { OperationId } from "../../provider/service/operations";

/* A valid response of every operation, into which invalid values are inserted. */

const time = "2026-01-02T03:04:05Z";
const webhook = {
  id: "hook-1",
  target_url: "https://hooks.example.com/replies",
  events: ["message.completed"],
  description: "Replies",
  has_secret: true,
  disabled_at: null,
  created_date: time,
  secret: "whsec_1",
  last_trigger_time: time,
  last_error: { message: "m", attempted_at: time, status_code: 500 },
  consecutive_failures: 1,
  updated_date: time,
};
const campaign = {
  id: "campaign-1",
  platform_campaign_id: "7",
  campaign_name: "Spring sale",
  campaign_type: "SMART",
  status: "ENABLED",
  daily_budget_micros: 5_000_000,
  landing_page: "https://shop.example.com/",
  geo_targets: ["g"],
  created_date: time,
};
const record = {
  id: "record-1",
  created_date: time,
  created_by: "a@example.com",
  is_sample: false,
  name: "n",
  tags: [{ a: [1] }],
};
const test = { id: "flow-1", created_date: time, name: "n", steps: [{ click: "b" }] };
const session = { id: "session-1", state: "running", repository_full_name: "a/b", launch_key: "key" };
const member = { email: "a@example.com", role: "viewer", user_id: "u", last_seen: time, credits_used: 1 };
const done = { ok: true };

export const validResponses: Record<OperationId, object> = {
  "webhook.create": webhook,
  "webhook.get": webhook,
  "webhook.list": { webhooks: [webhook], has_more: false, next_cursor: null, total: 1 },
  "webhook.update": webhook,
  "webhook.delete": done,
  "campaign.launch": {
    campaign,
    account: { id: "a", currency_code: "EUR", timezone: "UTC", platform_customer_id: "c" },
  },
  // Under another name: a campaign of the declared one would be in the way of a launch.
  "campaign.list": { campaigns: [{ ...campaign, campaign_name: "Autumn sale" }], has_more: false },
  "campaign.pause": { status: "paused" },
  "campaign.resume": { status: "resumed" },
  "campaign.delete": { status: "deleted" },
  "campaign.readiness": { landing_page: "https://shop.example.com/", currency_code: "EUR", payment: { state: "ok" } },
  "folderItem.add": done,
  "folderItem.list": { items: [{ app_id: "app-1" }] },
  "folderItem.remove": { unlinked: true },
  "record.create": record,
  "record.get": record,
  "record.delete": done,
  "record.list": { items: [record] },
  "record.update": record,
  "test.create": test,
  "test.list": { flows: [test] },
  "test.get": test,
  "test.update": test,
  "test.delete": done,
  "finding.ignore": done,
  "finding.restore": done,
  "codingSession.launch": session,
  "codingSession.get": session,
  "tracking.bootstrap": { composer_prompt: "p", conversion_id: "c", actions_created_or_existing: 1, wired_mappings: 1 },
  "member.list": { members: [member], next_cursor: null, has_more: false, total: 1, monthly_limit: 5 },
  "geoTarget.search": [{ resource_name: "r", name: "n", country_code: "DE", reach: 1 }],
  "searchTheme.suggest": { search_themes: ["mugs"] },
  "searchTerm.report": [{ search_term: "mug", campaign: "c", impressions: "12", clicks: 1, cost_micros: 1 }],
  "asset.list": { library: [{ status: "ready" }], session: [{ a: 1 }], durable: [{ b: 1 }] },
  "scan.get": {
    status: "completed",
    result: { analysis_summary: "s", hardcoded_secrets: [{ fingerprint: "f" }], scanned_at: time },
    ignored_fingerprints: ["finding-1"],
  },
  "connector.fields": { fields: [{ name: "host", required: true }], connection_config: { host: "h" } },
  "userStats.get": { active_users: 1, live_users: 1, inactive_7d: 0, inactive_30d: 0 },
  "run.analyze": { explanation: "Because.", generated_at: time },
};
