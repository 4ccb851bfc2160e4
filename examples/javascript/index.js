import * as apps from "pulumi-workspace-apps";

// Sends every finished reply of the support agent to our own service, signed.
const replies = new apps.Webhook("replies", {
  agentId: "agent-support",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
  signed: true,
});

// An ES module may wait at its top level: what follows knows the members as plain values.
const { members } = await apps.getMembers({ roles: ["owner", "admin"], inviteStatuses: ["joined"] });

// Tells the shop whom to call. Somebody who becomes an admin is in it after the next `up`.
const contacts = new apps.EntityRecord("contacts", {
  appId: "app-shop",
  entityName: "SupportContacts",
  fields: { emails: members.map(({ email }) => email), webhook: replies.webhookId },
});

export const recordId = contacts.recordId;
export const signingSecret = replies.secret;
