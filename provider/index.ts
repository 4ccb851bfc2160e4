export { AdCampaign, type AdCampaignArgs } from "./resources/ad-campaign";
export { CodingSession, type CodingSessionArgs } from "./resources/coding-session";
export { ConversionTracking, type ConversionTrackingArgs } from "./resources/conversion-tracking";
export { EntityRecord, type EntityRecordArgs } from "./resources/entity-record";
export { FolderMembership, type FolderMembershipArgs } from "./resources/folder-membership";
export { IgnoredFinding, type IgnoredFindingArgs } from "./resources/ignored-finding";
export { TestFlow, type TestFlowArgs } from "./resources/test-flow";
export { Webhook, type WebhookArgs, type WebhookEvent } from "./resources/webhook";
