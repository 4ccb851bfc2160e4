import type { Lifecycle } from "../../provider/resources/shared/lifecycle";
import type { Lookup } from "../../provider/lookups/shared/lookup";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup, campaignsLookup } from "../../provider/lookups/campaigns";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { geoTargetsLookup } from "../../provider/lookups/geo-targets";
import { membersLookup } from "../../provider/lookups/members";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { searchTermsLookup } from "../../provider/lookups/search-terms";
import { searchThemesLookup } from "../../provider/lookups/search-themes";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { webhookLookup } from "../../provider/lookups/webhook";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { folderMembershipLifecycle } from "../../provider/resources/folder-membership/lifecycle";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";

/* Every resource and every look-up, with arguments that are in order. */

interface Kind {
  readonly lifecycle: Lifecycle<object, object>;
  readonly inputs: Record<string, unknown>;
  /** The same with a change that is made in place, or replaces. */
  readonly changed: Record<string, unknown>;
}

function kind(lifecycle: unknown, inputs: Record<string, unknown>, change: object): Kind {
  return { lifecycle: lifecycle as Lifecycle<object, object>, inputs, changed: { ...inputs, ...change } };
}

export const kinds = {
  Webhook: kind(
    webhookLifecycle,
    {
      agentId: "agent-1",
      targetUrl: "https://hooks.example.com/replies",
      events: ["message.completed"],
      description: "Replies",
      enabled: true,
      signed: true,
      rotateSecret: "1",
      deletionPolicy: "delete",
    },
    { description: "Changed", rotateSecret: "2", events: ["message.created"] },
  ),
  AdCampaign: kind(
    adCampaignLifecycle,
    {
      appId: "app-1",
      campaignName: "Spring sale",
      campaignType: "SMART",
      dailyBudgetMicros: 5_000_000,
      landingPage: "https://shop.example.com/",
      businessName: "Shop",
      keywordThemes: ["mugs"],
      searchThemes: ["mugs"],
      geoTargets: ["g"],
      phoneNumber: "+49 30 1",
      timezone: "Europe/Berlin",
      extraFields: { network: { search: true } },
      paused: false,
    },
    { paused: true },
  ),
  FolderMembership: kind(
    folderMembershipLifecycle,
    { folderId: "folder-1", appId: "app-1", adopt: true },
    { deletionPolicy: "retain" },
  ),
  EntityRecord: kind(
    entityRecordLifecycle,
    { appId: "app-1", entityName: "Note", fields: { name: "n", tags: [{ a: [1] }] } },
    { fields: { name: "m", tags: [] } },
  ),
  TestFlow: kind(
    testFlowLifecycle,
    { appId: "app-1", definition: { name: "n", steps: [{ click: "b" }] } },
    { definition: { name: "m" } },
  ),
  IgnoredFinding: kind(
    ignoredFindingLifecycle,
    { appId: "app-1", fingerprint: "finding-1" },
    { deletionPolicy: "retain" },
  ),
  ConversionTracking: kind(
    conversionTrackingLifecycle,
    { appId: "app-1", wireEvents: true, rerun: "1" },
    { rerun: "2" },
  ),
  CodingSession: kind(
    codingSessionLifecycle,
    { appId: "app-1", prompt: "p", title: "t", idempotencyKey: "key", clientReference: "r" },
    { prompt: "q" },
  ),
};

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];

export const lookups: readonly { lookup: Lookup<object, unknown>; args: Record<string, unknown> }[] = [
  { lookup: membersLookup as Lookup<object, unknown>, args: { search: "a", appsOwned: { gte: 1 }, roles: ["admin"] } },
  { lookup: campaignsLookup, args: { appId: "app-1" } },
  { lookup: campaignLookup, args: { appId: "app-1", campaignId: "campaign-1" } },
  { lookup: webhookLookup, args: { agentId: "agent-1", webhookId: "hook-1" } },
  { lookup: geoTargetsLookup, args: { appId: "app-1", query: "Berlin", countryCode: "DE" } },
  { lookup: searchThemesLookup, args: { appId: "app-1", businessName: "Shop", language: "en" } },
  { lookup: searchTermsLookup, args: { appId: "app-1", dateRange: "LAST_7_DAYS" } },
  { lookup: adAssetsLookup, args: { appId: "app-1" } },
  { lookup: securityScanLookup, args: { appId: "app-1" } },
  { lookup: connectorFieldsLookup, args: { appId: "app-1", integrationType: "crm" } },
  { lookup: userStatsLookup, args: { appId: "app-1" } },
  { lookup: runExplanationLookup, args: { appId: "app-1", workflowId: "w", runId: "r" } },
].map(({ lookup, args }) => ({ lookup: lookup, args }));
