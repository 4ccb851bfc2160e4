/**
 * What the stored shell of each resource locates: one export a kind, named as in its type token. States of every earlier
 * version refer to these names, so none may ever be renamed or removed.
 */
import { dynamicProvider } from "./engine/host";
import { adCampaignLifecycle } from "./resources/ad-campaign";
import { codingSessionLifecycle } from "./resources/coding-session";
import { conversionTrackingLifecycle } from "./resources/conversion-tracking";
import { entityRecordLifecycle } from "./resources/entity-record";
import { folderMembershipLifecycle } from "./resources/folder-membership";
import { ignoredFindingLifecycle } from "./resources/ignored-finding";
import { testFlowLifecycle } from "./resources/test-flow";
import { webhookLifecycle } from "./resources/webhook";

export const AdCampaign = dynamicProvider(adCampaignLifecycle);
export const CodingSession = dynamicProvider(codingSessionLifecycle);
export const ConversionTracking = dynamicProvider(conversionTrackingLifecycle);
export const EntityRecord = dynamicProvider(entityRecordLifecycle);
export const FolderMembership = dynamicProvider(folderMembershipLifecycle);
export const IgnoredFinding = dynamicProvider(ignoredFindingLifecycle);
export const TestFlow = dynamicProvider(testFlowLifecycle);
export const Webhook = dynamicProvider(webhookLifecycle);
