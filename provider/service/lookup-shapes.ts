import { z } from "zod";
import { rowsOf } from "./rows";
import { errorBeside, micros, timestamp } from "./shapes";

/*
 * The responses that only look-ups read. Like the other shapes they allow unknown fields. A documented field may be missing
 * too, unless the look-up has no result without it.
 */

const text = z.string().nullish();
const count = z.number().nullish();

/** An optional time. It may be null, missing, empty or unreadable, and is then absent from the result. */
const timeOrNone = z.preprocess((value) => (value === "" ? undefined : value), timestamp.nullish().catch(undefined));

/** A member, or a pending invitation, which may not have a user id yet. */
export const member = z.looseObject({
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
export const memberPage = z
  .looseObject({
    members: rowsOf(member),
    next_cursor: text,
    has_more: z.boolean(),
    total: z.number(),
    monthly_limit: count,
    default_member_credit_limit: count,
  })
  .superRefine((page, context) => {
    const problem = errorBeside(page);
    if (problem !== undefined) context.addIssue(problem);
  });

export const geoTarget = z.looseObject({
  resource_name: z.string().min(1),
  name: text,
  canonical_name: text,
  country_code: text,
  target_type: text,
  reach: count,
  search_term: text,
});

/** Locations, best match first. */
export const geoTargets = rowsOf(geoTarget);

export const searchThemes = z.looseObject({ search_themes: rowsOf(z.string()) });

export const searchTerm = z.looseObject({
  search_term: z.string(),
  campaign: text,
  impressions: micros.nullish(),
  clicks: micros.nullish(),
  cost_micros: micros.nullish(),
  conversions: count,
});

export const searchTerms = rowsOf(searchTerm);

/** "The lists `session`, `library`, `durable` carry different fields": the specification shows three fields, of `library`. */
const asset = z.record(z.string(), z.unknown());
export const libraryAsset = z.looseObject({
  status: text,
  accepted_campaign_id: text,
  accepted_resource_names: rowsOf(z.string()).nullish(),
});
export const assets = z.looseObject({
  session: rowsOf(asset).nullish(),
  library: rowsOf(libraryAsset).nullish(),
  durable: rowsOf(asset).nullish(),
});

export const connectorField = z.looseObject({
  name: z.string(),
  display_name: text,
  description: text,
  placeholder: text,
  required: z.boolean().nullish(),
  validation_error: text,
  validation_pattern: text,
});

export const connectorFields = z.looseObject({
  fields: rowsOf(connectorField),
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
