import type { KindName } from "../../../provider/registry";
import type { KindReview } from "../kind-review";
import { adCampaignReview } from "./ad-campaign";
import { codingSessionReview } from "./coding-session";
import { conversionTrackingReview } from "./conversion-tracking";
import { entityRecordReview } from "./entity-record";
import { folderMembershipReview } from "./folder-membership";
import { ignoredFindingReview } from "./ignored-finding";
import { testFlowReview } from "./test-flow";
import { webhookReview } from "./webhook";

/** The review's words about each kind. */
export const reviews: Readonly<Record<KindName, KindReview>> = {
  Webhook: webhookReview,
  AdCampaign: adCampaignReview,
  FolderMembership: folderMembershipReview,
  EntityRecord: entityRecordReview,
  TestFlow: testFlowReview,
  IgnoredFinding: ignoredFindingReview,
  ConversionTracking: conversionTrackingReview,
  CodingSession: codingSessionReview,
};
