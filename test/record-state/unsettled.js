/*
 * The changes that are open when a command fails. With the LABEL "changed" there are two more campaigns, and everything
 * else is changed.
 */
const apps = require("pulumi-workspace-apps");

const label = process.env["LABEL"];
const isChanged = label === "changed";
const app = "app-shop";

const campaign = (name, args) =>
  new apps.AdCampaign(name, {
    appId: app,
    campaignName: name,
    campaignType: "SMART",
    dailyBudgetMicros: 5_000_000,
    landingPage: "https://shop.example.com/",
    ...args,
  });
campaign("pausing", { paused: isChanged });
if (isChanged) {
  campaign("listed-late");
  campaign("never-listed");
}

const webhook = (name, args) =>
  new apps.Webhook(name, {
    agentId: "agent-support",
    targetUrl: `https://hooks.example.com/${name}`,
    events: ["message.completed"],
    ...args,
  });
webhook("rotating", { signed: true, rotateSecret: label });
webhook("changing-webhook", { description: label });

const record = (name, args) => new apps.EntityRecord(name, { appId: app, entityName: "TaxRate", ...args });
record("changing-record", { fields: { country: "DE", label } });
record("changed-by-others", { recordId: "rec-adopted", fields: { country: "AT" }, deletionPolicy: "restore" });

new apps.TestFlow("changing-test", { appId: app, definition: { name: label } });
