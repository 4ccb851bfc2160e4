import { adCampaign } from "./kinds/ad-campaign";
import { codingSession } from "./kinds/coding-session";
import { conversionTracking } from "./kinds/conversion-tracking";
import { entityRecord } from "./kinds/entity-record";
import { folderMembership } from "./kinds/folder-membership";
import { ignoredFinding } from "./kinds/ignored-finding";
import type { Kind } from "./kinds/kind";
import { testFlow } from "./kinds/test-flow";
import { webhook } from "./kinds/webhook";

export type { Kind } from "./kinds/kind";

/** Every kind of resource of the package, by the last part of its type token. */
export const kinds = {
  AdCampaign: adCampaign,
  CodingSession: codingSession,
  ConversionTracking: conversionTracking,
  EntityRecord: entityRecord,
  FolderMembership: folderMembership,
  IgnoredFinding: ignoredFinding,
  TestFlow: testFlow,
  Webhook: webhook,
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
