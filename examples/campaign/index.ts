import * as pulumi from "@pulumi/pulumi";
import * as apps from "pulumi-workspace-apps";

const config = new pulumi.Config();

// Nothing is advertised before somebody says so: `pulumi config set released true`.
const released = config.getBoolean("released") ?? false;

const spring = new apps.AdCampaign(
  "spring",
  {
    appId: "app-shop",
    campaignName: "Spring sale",
    campaignType: "SMART",
    dailyBudgetMicros: apps.micros(config.get("dailyBudget") ?? 5),
    landingPage: "https://shop.example.com/spring",
    businessName: "Example Shop",
    keywordThemes: ["garden tools", "plant pots"],
    timezone: "Europe/Berlin",
    paused: !released,
  },
  // Every change of a campaign but pausing deletes it permanently and launches another: not while it runs.
  { protect: released },
);

export const campaignId = spring.campaignId;
export const launchState = spring.launchState;
