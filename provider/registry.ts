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
import type { Lookup } from "./lookups/shared/lookup";
import { testFlowsLookup } from "./lookups/test-flows";
import { userStatsLookup } from "./lookups/user-stats";
import { webhookLookup, webhooksLookup } from "./lookups/webhooks";
import { adCampaignLifecycle } from "./resources/ad-campaign/lifecycle";
import { launchIntentLifecycle } from "./resources/ad-campaign/intent";
import { codingSessionLifecycle } from "./resources/coding-session/lifecycle";
import { conversionTrackingLifecycle } from "./resources/conversion-tracking/lifecycle";
import { entityRecordLifecycle } from "./resources/entity-record/lifecycle";
import { folderMembershipLifecycle } from "./resources/folder-membership/lifecycle";
import { ignoredFindingLifecycle } from "./resources/ignored-finding/lifecycle";
import type { Lifecycle } from "./resources/shared/lifecycle";
import { testFlowLifecycle } from "./resources/test-flow/lifecycle";
import { webhookLifecycle } from "./resources/webhook/lifecycle";

export type AnyLifecycle = Lifecycle<Record<string, unknown>, Record<string, unknown>>;

export type AnyLookup = Lookup<Record<string, unknown>, unknown>;

/**
 * Every kind of resource. The runtime, the command line, the tables in the docs and the tests over all kinds derive from
 * it. States refer to kinds by name, so no kind may ever be renamed or removed.
 */
export const kinds = {
  Webhook: anyLifecycle(webhookLifecycle),
  AdCampaign: anyLifecycle(adCampaignLifecycle),
  FolderMembership: anyLifecycle(folderMembershipLifecycle),
  EntityRecord: anyLifecycle(entityRecordLifecycle),
  TestFlow: anyLifecycle(testFlowLifecycle),
  IgnoredFinding: anyLifecycle(ignoredFindingLifecycle),
  ConversionTracking: anyLifecycle(conversionTrackingLifecycle),
  CodingSession: anyLifecycle(codingSessionLifecycle),
};

/** Resources that the classes of kinds register for themselves. States refer to them too. */
export const companions = {
  LaunchIntent: anyLifecycle(launchIntentLifecycle),
};

/** Kinds and companions: everything that a host serves. */
export const lifecycles: readonly AnyLifecycle[] = [...Object.values(kinds), ...Object.values(companions)];

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as KindName[];

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}

/** Every look-up. */
export const lookups: readonly AnyLookup[] = [
  membersLookup,
  campaignsLookup,
  campaignLookup,
  webhookLookup,
  webhooksLookup,
  folderItemsLookup,
  recordsLookup,
  testFlowsLookup,
  launchReadinessLookup,
  codingSessionLookup,
  geoTargetsLookup,
  searchThemesLookup,
  searchTermsLookup,
  adAssetsLookup,
  securityScanLookup,
  connectorFieldsLookup,
  userStatsLookup,
  runExplanationLookup,
].map((lookup) => lookup as AnyLookup);

/** Without the types of its arguments and state, which only its own files need. */
function anyLifecycle<Inputs extends object, State extends object>(lifecycle: Lifecycle<Inputs, State>): AnyLifecycle {
  return lifecycle as unknown as AnyLifecycle;
}
