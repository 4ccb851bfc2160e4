/* A stack with every kind of resource, and a change of it that has every risk that `workspace-apps review` names. */
import type { Simulator } from "../../simulator";
import { assertFailed, PulumiProject } from "./engine";

/** Secret values of the program or the service. None may appear in a report. */
export const secrets = /whsec_|hook-password|4711-secret|4[.,]?000[.,]?000|4\.00/;

const shared = `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  const campaign = (name, args, options) => new apps.AdCampaign(name, {
    appId: "app-shop", campaignName: name, campaignType: "SMART", dailyBudgetMicros: 5_000_000,
    landingPage: "https://shop.example.com/", ...args }, options);
  const webhook = (name, args, options) => new apps.Webhook(name, {
    agentId: "agent-support", targetUrl: pulumi.secret("https://hooks.example.com/?key=hook-password"),
    events: ["message.completed"], ...args }, options);
  const record = (name, args, options) => new apps.EntityRecord(name, { appId: "app-shop", entityName: "TaxRate", ...args }, options);
  const test = (name, args, options) => new apps.TestFlow(name, {
    appId: "app-shop", ...(args.flowId ? {} : { definition: { name, password: pulumi.secret("4711-secret") } }), ...args }, options);
`;

/** The program before the change. */
const before = `${shared}
  const launched = [
    campaign("steady", { dailyBudgetMicros: 7_500_000 }),
    campaign("raised"),
    campaign("ended", { dailyBudgetMicros: 12_345_678 }),
    campaign("paused-by-plan", { paused: false }),
    campaign("left-running", { deletionPolicy: "retain" }),
    campaign("left-paused", { deletionPolicy: "pause" }),
    campaign("no-longer-kept", { deletionPolicy: "retain" }),
    campaign("yen", { appId: "app-japan", dailyBudgetMicros: 1_500_000_000 }),
  ];
  webhook("rotated", { signed: true, rotateSecret: "1" });
  webhook("unsigned", { signed: true });
  webhook("switched-off");
  webhook("switched-on", { enabled: false });
  webhook("removed");
  webhook("moved");
  record("fewer-fields", { fields: { country: "DE", percent: 19, note: pulumi.secret("4711-secret") } });
  record("dropped", { fields: { country: "FR" } });
  record("restored", { recordId: "rec-adopted", overwrite: true, fields: { country: "AT" }, deletionPolicy: "restore" });
  test("deleted-test", {});
  new apps.IgnoredFinding("shown-again", { appId: "app-shop", fingerprint: "f-old" });
  new apps.FolderMembership("moved-app", { folderId: "folder-a", appId: "app-shop" });
  new apps.ConversionTracking("goals", { appId: "app-shop" });
  new apps.CodingSession("done", { appId: "app-shop", title: "Rate limit", prompt: "Limit it." });
  campaign("uncertain", { appId: "app-unsure" }, { dependsOn: launched });
`;

/** The program after the change. */
export const after = `${shared}
  class Other extends pulumi.dynamic.Resource {
    constructor(name, args) { super({ create: async () => ({ id: "1", outs: { later: 9_000_000 } }) }, name, args); }
  }
  const other = new Other("not-ours", { later: undefined });
  const shop = new pulumi.ComponentResource("my:index:Shop", "shop");
  campaign("steady", { dailyBudgetMicros: 7_500_000 });
  campaign("raised", { dailyBudgetMicros: 8_000_000 });
  campaign("paused-by-plan", { paused: true });
  campaign("no-longer-kept", { deletionPolicy: "delete" });
  campaign("yen", { appId: "app-japan", dailyBudgetMicros: 1_800_000_000 });
  campaign("uncertain", { appId: "app-unsure" });
  campaign("launched", { dailyBudgetMicros: 3_000_000 }, { parent: shop });
  campaign("born-paused", { dailyBudgetMicros: 2_000_000, paused: true });
  campaign("not-known-yet", { dailyBudgetMicros: other.later });
  campaign("secret-budget", { dailyBudgetMicros: pulumi.secret(4_000_000) });
  campaign("adopted-campaign", { campaignId: "cmp-adopted" });
  webhook("rotated", { signed: true, rotateSecret: "2" });
  webhook("unsigned", { signed: false });
  webhook("switched-off", { enabled: false });
  webhook("switched-on", { enabled: true });
  webhook("moved", { agentId: "agent-sales" });
  webhook("adopted-webhook", { webhookId: "wh-adopted", overwrite: true });
  webhook("new-webhook", { signed: true });
  record("fewer-fields", { fields: { country: "DE" } });
  record("adopted-record", { recordId: "rec-other", overwrite: true, fields: { country: "IT", note: pulumi.secret("4711-secret") } });
  record("new-record", { fields: { country: "ES" } });
  test("adopted-test", { flowId: "flow-adopted" });
  test("new-test", {});
  new apps.IgnoredFinding("hidden-finding", { appId: "app-shop", fingerprint: "f-new" });
  new apps.FolderMembership("moved-app", { folderId: "folder-b", appId: "app-shop" });
  new apps.FolderMembership("adopted-membership", { folderId: "folder-c", appId: "app-shop", adopt: true });
  new apps.ConversionTracking("goals", { appId: "app-shop", rerun: "2" });
  new apps.ConversionTracking("new-goals", { appId: "app-japan" });
  new apps.CodingSession("done", { appId: "app-shop", title: "Rate limit", prompt: "Limit it more." });
  new apps.CodingSession("new-session", { appId: "app-shop", title: "Tests", prompt: "Write tests." });
`;

/** The stack before the change, with one unconfirmed launch. The service has the objects that the change adopts. */
export async function reviewedStack(simulator: Simulator): Promise<PulumiProject> {
  const { objects } = simulator;
  objects.putAdvertisingAccount("app-japan", { currency_code: "JPY" });
  objects.putRecord("app-shop", "TaxRate", { id: "rec-adopted", country: "DE" });
  objects.putRecord("app-shop", "TaxRate", { id: "rec-other", country: "CH" });
  objects.putCampaign("app-shop", {
    id: "cmp-adopted",
    campaign_name: "adopted-campaign",
    daily_budget_micros: 5_000_000,
    landing_page: "https://shop.example.com/",
  });
  objects.putWebhook("agent-support", { id: "wh-adopted" });
  objects.putTest("app-shop", { id: "flow-adopted" });
  objects.addFolderItem("folder-c", "app-shop");
  const stack = await PulumiProject.create({
    program: before,
    baseUrl: simulator.url,
    environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0", WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "0" },
  });
  simulator.fault({ operation: "campaign.launch", skip: 8, then: { status: 409, body: { detail: "It timed out" } } });
  assertFailed(await stack.up(), /MONEY MAY BE MOVING/);
  return stack;
}
