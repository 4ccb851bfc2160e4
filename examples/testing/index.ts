import * as pulumi from "@pulumi/pulumi";
import * as apps from "pulumi-workspace-apps";

const config = new pulumi.Config();

// Sends every finished reply of the support agent to our own service, signed.
const replies = new apps.Webhook("replies", {
  agentId: "agent-support",
  targetUrl: `https://${config.require("host")}/replies`,
  events: ["message.completed"],
  signed: true,
});

// The shop shows its customers whom to ask: whoever owns or administers the workspace now.
const { members } = apps.getMembersOutput({ roles: ["owner", "admin"], inviteStatuses: ["joined"] });
new apps.EntityRecord("contacts", {
  appId: "app-shop",
  entityName: "SupportContacts",
  fields: { emails: members.apply((all) => all.map(({ email }) => email)) },
});

export const webhookId = replies.webhookId;
export const signingSecret = replies.secret;
