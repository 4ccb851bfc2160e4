import * as apps from "pulumi-workspace-apps";

const spring = new apps.AdCampaign(
  "spring",
  {
    appId: "app-shop",
    campaignName: "Spring sale",
    campaignType: "SMART",
    dailyBudgetMicros: apps.micros(5),
    landingPage: "https://shop.example.com/spring",
    businessName: "Example Shop",
  },
  // The policy asks for it: every change of a campaign but pausing deletes it permanently and launches another.
  { protect: true },
);

new apps.Webhook("replies", {
  agentId: "agent-support",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
  signed: true,
});

export const campaignId = spring.campaignId;
