export { AdCampaign, type AdCampaignArgs } from "./resources/ad-campaign";
export { FolderMembership, type FolderMembershipArgs } from "./resources/folder-membership";
export { Webhook, type WebhookArgs, type WebhookEvent } from "./resources/webhook";
