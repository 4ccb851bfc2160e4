import { campaignStatus } from "../../../provider/service/shapes";
import { isoTime } from "../../times";
import type { Campaign } from "../../types";

/** Assumed: the specification does not show how long the review and the learning after a launch take. */
const reviewMilliseconds = 60 * 60 * 1000;
const learningMilliseconds = 7 * 24 * 60 * 60 * 1000;

type LiveFields = Pick<Campaign, "serving_status" | "primary_status" | "primary_status_reasons"> &
  Partial<Pick<Campaign, "review_status">>;

/** Assumed too: values of the live fields as advertising platforms use them. */
const inReview = {
  review_status: "UNDER_REVIEW",
  serving_status: "PENDING",
  primary_status: "PENDING",
  primary_status_reasons: ["ADS_UNDER_REVIEW"],
} satisfies LiveFields;
const learning: LiveFields = {
  review_status: "APPROVED",
  serving_status: "SERVING",
  primary_status: "LEARNING",
  primary_status_reasons: ["BIDDING_STRATEGY_LEARNING"],
};
const eligible: LiveFields = { ...learning, primary_status: "ELIGIBLE", primary_status_reasons: [] };

const liveFields: Readonly<Record<string, LiveFields>> = {
  // The start of an enabled campaign; `advance` updates it.
  [campaignStatus.enabled]: inReview,
  [campaignStatus.paused]: {
    serving_status: "NONE",
    primary_status: "PAUSED",
    primary_status_reasons: ["CAMPAIGN_PAUSED"],
  },
  [campaignStatus.removed]: {
    serving_status: "ENDED",
    primary_status: "REMOVED",
    primary_status_reasons: ["CAMPAIGN_REMOVED"],
  },
};

/** The live fields that belong to a status; none for an unknown status. */
export function liveFieldsOf(status: string): Partial<LiveFields> {
  return liveFields[status] ?? {};
}

export const trackingPendingReasons = ["CONVERSION_TRACKING_PENDING"];

/** Applies what time alone changes: from review to learning to ordinary serving. */
export function advance(campaign: Campaign, now: number): void {
  if (campaign.status !== campaignStatus.enabled) return;
  const { primary_status, created_date, learning_ends_at } = campaign;
  if (primary_status === inReview.primary_status) {
    const reviewed = Date.parse(created_date) + reviewMilliseconds;
    if (now >= reviewed) enter(campaign, learning, isoTime(reviewed));
  }
  if (campaign.primary_status === learning.primary_status && now >= Date.parse(learning_ends_at))
    enter(campaign, eligible, learning_ends_at);
}

function enter(campaign: Campaign, live: LiveFields, at: string): void {
  const { updated_date } = campaign;
  Object.assign(campaign, live, { updated_date: at > updated_date ? at : updated_date });
}

/** A campaign just after its launch, with defaults for what the launch sets. */
export function newCampaign(number: number, now: number): Campaign {
  const at = isoTime(now);
  return {
    id: `cmp_${String(number)}`,
    // Unlike the id, so that a path with the wrong one of the two fails.
    platform_campaign_id: String(21_000_000_000 + number),
    campaign_name: "Campaign",
    campaign_type: "SMART",
    status: campaignStatus.enabled,
    daily_budget_micros: 10_000_000,
    landing_page: "https://example.com/",
    geo_targets: [],
    phone_number: "",
    ...inReview,
    created_date: at,
    updated_date: at,
    learning_ends_at: isoTime(now + learningMilliseconds),
  };
}
