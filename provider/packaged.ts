/**
 * The packaged form: the same classes and functions as `pulumi-workspace-apps`, over a provider plugin. It adds
 * `pulumi import`, the option `import`, `get`, cancellation and timeouts. See docs/concepts.md.
 */
import * as dynamic from "./index";
import { adAssetsLookup } from "./lookups/ad-assets";
import { campaignLookup, campaignsLookup } from "./lookups/campaigns";
import { codingSessionLookup } from "./lookups/coding-session";
import { connectorFieldsLookup } from "./lookups/connector-fields";
import { folderItemsLookup } from "./lookups/folder-items";
import { geoTargetsLookup } from "./lookups/geo-targets";
import { launchReadinessLookup } from "./lookups/launch-readiness";
import { membersLookup } from "./lookups/members";
import { recordsLookup } from "./lookups/records";
import { runExplanationLookup } from "./lookups/run-explanation";
import { searchTermsLookup } from "./lookups/search-terms";
import { searchThemesLookup } from "./lookups/search-themes";
import { securityScanLookup } from "./lookups/security-scan";
import { testFlowsLookup } from "./lookups/test-flows";
import { userStatsLookup } from "./lookups/user-stats";
import { webhookLookup, webhooksLookup } from "./lookups/webhooks";
import { asFunction, asOutputFunction } from "./pulumi/packaged/lookups";
import { packaged } from "./pulumi/packaged/program";

export type * from "./index";
export { LookupError, micros } from "./index";
export { Provider } from "./pulumi/packaged/program";

/** The events of a webhook by the names that `pulumi import` prints. */
export const WebhookEvent = { MessageCreated: "message.created", MessageCompleted: "message.completed" } as const;
export type WebhookEvent = dynamic.WebhookEvent;

/** {@inheritDoc dynamic.AdCampaign} */
export const AdCampaign = packaged(dynamic.AdCampaign);
export type AdCampaign = dynamic.AdCampaign;
/** {@inheritDoc dynamic.CodingSession} */
export const CodingSession = packaged(dynamic.CodingSession);
export type CodingSession = dynamic.CodingSession;
/** {@inheritDoc dynamic.ConversionTracking} */
export const ConversionTracking = packaged(dynamic.ConversionTracking);
export type ConversionTracking = dynamic.ConversionTracking;
/** {@inheritDoc dynamic.EntityRecord} */
export const EntityRecord = packaged(dynamic.EntityRecord);
export type EntityRecord = dynamic.EntityRecord;
/** {@inheritDoc dynamic.FolderMembership} */
export const FolderMembership = packaged(dynamic.FolderMembership);
export type FolderMembership = dynamic.FolderMembership;
/** {@inheritDoc dynamic.IgnoredFinding} */
export const IgnoredFinding = packaged(dynamic.IgnoredFinding);
export type IgnoredFinding = dynamic.IgnoredFinding;
/** {@inheritDoc dynamic.TestFlow} */
export const TestFlow = packaged(dynamic.TestFlow);
export type TestFlow = dynamic.TestFlow;
/** {@inheritDoc dynamic.Webhook} */
export const Webhook = packaged(dynamic.Webhook);
export type Webhook = dynamic.Webhook;

export const explainRun = asFunction(dynamic.explainRun, runExplanationLookup);
export const explainRunOutput = asOutputFunction(dynamic.explainRunOutput, runExplanationLookup);
export const getAdAssets = asFunction(dynamic.getAdAssets, adAssetsLookup);
export const getAdAssetsOutput = asOutputFunction(dynamic.getAdAssetsOutput, adAssetsLookup);
export const getCampaign = asFunction(dynamic.getCampaign, campaignLookup);
export const getCampaignOutput = asOutputFunction(dynamic.getCampaignOutput, campaignLookup);
export const getCampaigns = asFunction(dynamic.getCampaigns, campaignsLookup);
export const getCampaignsOutput = asOutputFunction(dynamic.getCampaignsOutput, campaignsLookup);
export const getCodingSession = asFunction(dynamic.getCodingSession, codingSessionLookup);
export const getCodingSessionOutput = asOutputFunction(dynamic.getCodingSessionOutput, codingSessionLookup);
export const getConnectorFields = asFunction(dynamic.getConnectorFields, connectorFieldsLookup);
export const getConnectorFieldsOutput = asOutputFunction(dynamic.getConnectorFieldsOutput, connectorFieldsLookup);
export const getFolderItems = asFunction(dynamic.getFolderItems, folderItemsLookup);
export const getFolderItemsOutput = asOutputFunction(dynamic.getFolderItemsOutput, folderItemsLookup);
export const getGeoTargets = asFunction(dynamic.getGeoTargets, geoTargetsLookup);
export const getGeoTargetsOutput = asOutputFunction(dynamic.getGeoTargetsOutput, geoTargetsLookup);
export const getLaunchReadiness = asFunction(dynamic.getLaunchReadiness, launchReadinessLookup);
export const getLaunchReadinessOutput = asOutputFunction(dynamic.getLaunchReadinessOutput, launchReadinessLookup);
export const getMembers = asFunction(dynamic.getMembers, membersLookup);
export const getMembersOutput = asOutputFunction(dynamic.getMembersOutput, membersLookup);
export const getRecords = asFunction(dynamic.getRecords, recordsLookup);
export const getRecordsOutput = asOutputFunction(dynamic.getRecordsOutput, recordsLookup);
export const getSearchTerms = asFunction(dynamic.getSearchTerms, searchTermsLookup);
export const getSearchTermsOutput = asOutputFunction(dynamic.getSearchTermsOutput, searchTermsLookup);
export const getSearchThemes = asFunction(dynamic.getSearchThemes, searchThemesLookup);
export const getSearchThemesOutput = asOutputFunction(dynamic.getSearchThemesOutput, searchThemesLookup);
export const getSecurityScan = asFunction(dynamic.getSecurityScan, securityScanLookup);
export const getSecurityScanOutput = asOutputFunction(dynamic.getSecurityScanOutput, securityScanLookup);
export const getTestFlows = asFunction(dynamic.getTestFlows, testFlowsLookup);
export const getTestFlowsOutput = asOutputFunction(dynamic.getTestFlowsOutput, testFlowsLookup);
export const getUserStats = asFunction(dynamic.getUserStats, userStatsLookup);
export const getUserStatsOutput = asOutputFunction(dynamic.getUserStatsOutput, userStatsLookup);
export const getWebhook = asFunction(dynamic.getWebhook, webhookLookup);
export const getWebhookOutput = asOutputFunction(dynamic.getWebhookOutput, webhookLookup);
export const getWebhooks = asFunction(dynamic.getWebhooks, webhooksLookup);
export const getWebhooksOutput = asOutputFunction(dynamic.getWebhooksOutput, webhooksLookup);
