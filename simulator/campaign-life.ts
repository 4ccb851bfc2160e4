import { campaignStatus } from "../provider/service/shapes";
import { isoTime } from "./times";
import type { Campaign } from "./types";

/** How long a review and the learning after a launch last is not shown. */
const reviewMilliseconds = 60 * 60 * 1000;
const learningMilliseconds = 7 * 24 * 60 * 60 * 1000;

type LiveFields = Pick<Campaign, "serving_status" | "primary_status" | "primary_status_reasons"> &
  Partial<Pick<Campaign, "review_status">>;

/** The values of the live fields are not shown either; these are of the kind that advertising platforms use. */
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
  // The start of an enabled campaign; `moveOn` brings it to where it is by now.
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

/** The live fields that a status brings with it; none for one that is not known. */
export function liveFieldsOf(status: string): Partial<LiveFields> {
  return liveFields[status] ?? {};
}

export const trackingPendingReasons = ["CONVERSION_TRACKING_PENDING"];

/** What time alone changes: from review to learning to ordinary serving. */
export function moveOn(campaign: Campaign, now: number): void {
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

/** A campaign as a launch leaves it, but for what the launch was asked for. */
export function justLaunched(number: number, now: number): Campaign {
  const at = isoTime(now);
  return {
    id: `cmp_${String(number)}`,
    // Of another form than the id, so that one cannot pass for the other in a path.
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
