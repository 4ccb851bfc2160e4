export type { LookupInputs, LookupOptions, LookupOutputOptions } from "./lookups/shared/options";
export { Provider } from "./pulumi/provider";
export type { ProviderArgs } from "./pulumi/provider-arguments";
export { LookupError } from "./pulumi/sdk";
export {
  getAdAssets,
  type GetAdAssetsArgs,
  getAdAssetsOutput,
  type GetAdAssetsResult,
  type LibraryAsset,
} from "./lookups/ad-assets";
export {
  type Campaign,
  getCampaign,
  type GetCampaignArgs,
  getCampaignOutput,
  getCampaigns,
  type GetCampaignsArgs,
  getCampaignsOutput,
  type GetCampaignsResult,
} from "./lookups/campaigns";
export {
  getCodingSession,
  type GetCodingSessionArgs,
  getCodingSessionOutput,
  type GetCodingSessionResult,
} from "./lookups/coding-session";
export {
  type ConnectorField,
  getConnectorFields,
  type GetConnectorFieldsArgs,
  getConnectorFieldsOutput,
  type GetConnectorFieldsResult,
} from "./lookups/connector-fields";
export {
  type FolderItem,
  getFolderItems,
  type GetFolderItemsArgs,
  getFolderItemsOutput,
  type GetFolderItemsResult,
} from "./lookups/folder-items";
export {
  type GeoTarget,
  getGeoTargets,
  type GetGeoTargetsArgs,
  getGeoTargetsOutput,
  type GetGeoTargetsResult,
} from "./lookups/geo-targets";
export {
  getLaunchReadiness,
  type GetLaunchReadinessArgs,
  getLaunchReadinessOutput,
  type GetLaunchReadinessResult,
} from "./lookups/launch-readiness";
export {
  getMembers,
  type GetMembersArgs,
  getMembersOutput,
  type GetMembersResult,
  type InviteStatus,
  type Member,
  type MemberRole,
  type MemberSortKey,
  type Range,
} from "./lookups/members";
export {
  getRecords,
  type GetRecordsArgs,
  getRecordsOutput,
  type GetRecordsResult,
  type ListedRecord,
} from "./lookups/records";
export {
  type ExplainedRun,
  explainRun,
  type ExplainRunArgs,
  explainRunOutput,
  type ExplainRunResult,
  type UnexplainedRun,
} from "./lookups/run-explanation";
export {
  getSearchTerms,
  type GetSearchTermsArgs,
  getSearchTermsOutput,
  type GetSearchTermsResult,
  type SearchTerm,
  type SearchTermDateRange,
} from "./lookups/search-terms";
export {
  getSearchThemes,
  type GetSearchThemesArgs,
  getSearchThemesOutput,
  type GetSearchThemesResult,
} from "./lookups/search-themes";
export {
  type FindingGroup,
  getSecurityScan,
  type GetSecurityScanArgs,
  getSecurityScanOutput,
  type GetSecurityScanResult,
  type InconclusiveGroup,
  type ScanFindings,
} from "./lookups/security-scan";
export {
  getTestFlows,
  type GetTestFlowsArgs,
  getTestFlowsOutput,
  type GetTestFlowsResult,
  type ListedTestFlow,
} from "./lookups/test-flows";
export {
  getUserStats,
  type GetUserStatsArgs,
  getUserStatsOutput,
  type GetUserStatsResult,
  type UserCount,
} from "./lookups/user-stats";
export {
  type DeliveryError,
  getWebhook,
  type GetWebhookArgs,
  getWebhookOutput,
  type GetWebhookResult,
  getWebhooks,
  type GetWebhooksArgs,
  getWebhooksOutput,
  type GetWebhooksResult,
} from "./lookups/webhooks";
export { AdCampaign, type AdCampaignArgs } from "./resources/ad-campaign";
export { micros } from "./resources/ad-campaign/micros";
export { CodingSession, type CodingSessionArgs } from "./resources/coding-session";
export { ConversionTracking, type ConversionTrackingArgs } from "./resources/conversion-tracking";
export { EntityRecord, type EntityRecordArgs } from "./resources/entity-record";
export { FolderMembership, type FolderMembershipArgs } from "./resources/folder-membership";
export { IgnoredFinding, type IgnoredFindingArgs } from "./resources/ignored-finding";
export { TestFlow, type TestFlowArgs } from "./resources/test-flow";
export { Webhook, type WebhookArgs, type WebhookEvent } from "./resources/webhook";
