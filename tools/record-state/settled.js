/* Every kind of resource, created and adopted. Another LABEL changes each that can be changed in place. */
const pulumi = require("@pulumi/pulumi");
const apps = require("pulumi-workspace-apps");

const label = process.env["LABEL"] ?? "recorded";
const app = "app-shop";

const webhook = (name, args) =>
  new apps.Webhook(name, {
    agentId: "agent-support",
    targetUrl: `https://hooks.example.com/${name}`,
    events: ["message.completed"],
    description: label,
    ...args,
  });
webhook("signed", { signed: true, rotateSecret: "2026-01" });
webhook("hidden", { targetUrl: pulumi.secret("https://hooks.example.com/?key=hook-password") });
webhook("off", { enabled: false, deletionPolicy: "disable" });
webhook("adopted-webhook", { webhookId: "wh-adopted" });

const campaign = (name, args) =>
  new apps.AdCampaign(name, {
    appId: app,
    campaignName: name,
    campaignType: "SMART",
    dailyBudgetMicros: 5_000_000,
    landingPage: "https://shop.example.com",
    ...args,
  });
const running = campaign("running", {
  businessName: "Shop",
  keywordThemes: ["garden pots"],
  geoTargets: ["geoTargetConstants/20126"],
  phoneNumber: "+41 44 000 00 00",
  timezone: "Europe/Zurich",
  paused: label !== "recorded",
});
campaign("paused", { paused: true, deletionPolicy: "pause" });
campaign("adopted-campaign", { campaignId: "cmp-adopted" });

const record = (name, args) => new apps.EntityRecord(name, { appId: app, entityName: "TaxRate", ...args });
record("made-record", {
  fields: { country: "DE", rates: [19, { reduced: 7 }], note: pulumi.secret("4711-secret"), label },
});
record("kept-record", { recordId: "rec-kept", fields: { country: "CH", label } });
record("restored-record", { recordId: "rec-restored", fields: { country: "AT", label }, deletionPolicy: "restore" });

new apps.TestFlow("made-test", { appId: app, definition: { name: label, steps: ["Buy a mug"] } });
new apps.TestFlow("adopted-test", { appId: app, flowId: "flow-adopted" });

new apps.FolderMembership("in-folder", { folderId: "folder-team", appId: app });
new apps.FolderMembership("adopted-membership", { folderId: "folder-old", appId: app, adopt: true });

new apps.IgnoredFinding("ignored", { appId: app, fingerprint: "3f2a9c" });

// The launch creates the account.
new apps.ConversionTracking("goals", { appId: app, wireEvents: true, rerun: label }, { dependsOn: running });
new apps.ConversionTracking("skipped-goals", { appId: "app-without-account", rerun: label });

new apps.CodingSession("session", { appId: app, title: "Rate limit", prompt: "Limit the public API." });
