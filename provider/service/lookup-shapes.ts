import { z } from "zod";
import { rowsOf } from "./rows";
import { micros, timestamp } from "./shapes";

/**
 * What the service has only reads of, as it travels. As open as the other shapes; a field that the specification shows
 * may still be missing, unless nothing could be said without it.
 */

const text = z.string().nullish();
const count = z.number().nullish();

/**
 * A time where "none" may be written as null, as nothing at all, or as an empty text. One that cannot be read costs only
 * itself.
 */
const timeOrNone = z.preprocess((value) => (value === "" ? undefined : value), timestamp.nullish().catch(undefined));

/** A member or a pending invitation, which may have no user yet. */
const member = z.looseObject({
  access_state: text,
  agents_owned: count,
  agents_shared: count,
  apps_owned: count,
  apps_shared: count,
  assigned_via: text,
  credit_limit: count,
  credits_used: count,
  email: z.string(),
  full_name: text,
  is_default_limit: z.boolean().nullish(),
  last_active: timeOrNone,
  last_seen: timeOrNone,
  role: z.string(),
  status: text,
  user_id: text,
});

/** One page of the members list. */
export const memberPage = z.looseObject({
  members: rowsOf(member),
  next_cursor: text,
  has_more: z.boolean(),
  total: z.number(),
  monthly_limit: count,
  default_member_credit_limit: count,
});

/** Locations, the best match first. */
export const geoTargets = rowsOf(
  z.looseObject({
    resource_name: z.string().min(1),
    name: text,
    canonical_name: text,
    country_code: text,
    target_type: text,
    reach: count,
    search_term: text,
  }),
);

export const searchThemes = z.looseObject({ search_themes: rowsOf(z.string()) });

/** The periods that a search-term report can be asked for by name. */
export const searchTermRanges = [
  "TODAY",
  "YESTERDAY",
  "LAST_7_DAYS",
  "LAST_14_DAYS",
  "LAST_30_DAYS",
  "LAST_90_DAYS",
  "THIS_WEEK_MON_TODAY",
  "THIS_WEEK_SUN_TODAY",
  "LAST_WEEK_MON_SUN",
  "LAST_WEEK_SUN_SAT",
  "LAST_BUSINESS_WEEK",
  "THIS_MONTH",
  "LAST_MONTH",
] as const;

export const searchTerms = rowsOf(
  z.looseObject({
    search_term: z.string(),
    campaign: text,
    impressions: micros.nullish(),
    clicks: micros.nullish(),
    cost_micros: micros.nullish(),
    conversions: count,
  }),
);

/** "The lists `session`, `library`, `durable` carry different fields", of which three are shown. */
const asset = z.record(z.string(), z.unknown());
const libraryAsset = z.looseObject({
  status: text,
  accepted_campaign_id: text,
  accepted_resource_names: rowsOf(z.string()).nullish(),
});
export const assets = z.looseObject({
  session: rowsOf(asset).nullish(),
  library: rowsOf(libraryAsset).nullish(),
  durable: rowsOf(asset).nullish(),
});

export const connectorFields = z.looseObject({
  fields: rowsOf(
    z.looseObject({
      name: z.string(),
      display_name: text,
      description: text,
      placeholder: text,
      required: z.boolean().nullish(),
      validation_error: text,
      validation_pattern: text,
    }),
  ),
  connection_config: z.record(z.string(), z.unknown()).nullable(),
});

export const userStats = z.looseObject({
  active_users: z.number(),
  live_users: z.number(),
  inactive_7d: z.number(),
  inactive_30d: z.number(),
});

/** "Both empty when the model is unavailable." */
export const runAnalysis = z.looseObject({ explanation: z.string().nullable(), generated_at: timeOrNone });
