import * as pulumi from "@pulumi/pulumi";
import * as apps from "pulumi-workspace-apps";

const config = new pulumi.Config();

// Sends every finished reply of the support agent to our own service, signed.
const replies = new apps.Webhook("replies", {
  agentId: "agent-support",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
  description: config.get("label") ?? "Replies to the help desk",
  signed: true,
});

// Keeps the shop app in the team's folder.
new apps.FolderMembership("shop-in-team", { folderId: "folder-team", appId: "app-shop" });

export const webhookId = replies.webhookId;
export const signingSecret = replies.secret;
