import { z } from "zod";
import { rowsOf } from "./rows";
import { isoWithZone } from "./timestamps";

/*
 * The objects of the specification's "Resources and their fields", as responses carry them. Every shape allows unknown
 * fields, because the service is in beta and may add some.
 */

/** An ISO 8601 UTC time. A record just created carries a `Z`, and one read from storage may lack it; the result has it. */
export const timestamp = z.string().transform((text, context) => {
  const iso = isoWithZone(text);
  if (iso === undefined) context.addIssue("expected an ISO 8601 time");
  return iso ?? z.NEVER;
});

/** A value that only look-ups read. If it is malformed, it is absent and the rest of the object is still read. */
const live = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().catch(undefined);

export const webhookEvent = z.enum(["message.created", "message.completed"]);

/** Why the last delivery of a webhook failed. */
export const deliveryError = z.looseObject({
  message: z.string(),
  attempted_at: timestamp,
  status_code: z.number().nullish(),
  response_body: z.string().nullish(),
  error_type: z.string().nullish(),
});

/** An agent's webhook subscription. Only the response that generated the `secret` contains it. */
export const webhook = z.looseObject({
  id: z.string().min(1),
  target_url: z.string(),
  events: rowsOf(z.string()),
  description: z.string().nullish(),
  has_secret: z.boolean(),
  disabled_at: timestamp.nullish(),
  created_date: timestamp,
  secret: z.string().nullish(),
  last_trigger_time: live(timestamp),
  last_error: live(deliveryError),
  consecutive_failures: live(z.number()),
  updated_date: live(timestamp),
});

/** The least that `webhook.create` must return; the rest is read afterwards. */
export const createdWebhook = webhook
  .pick({ id: true, secret: true, description: true })
  .extend({ created_date: timestamp.optional() });

export const folderItem = z.looseObject({ app_id: z.string() });

export const removedFolderItem = z.looseObject({ unlinked: z.literal(true) });

/**
 * The campaign statuses that this package acts on. The specification shows `ENABLED` and `REMOVED`, mentions "paused"
 * without its spelling, and does not list the others.
 */
export const campaignStatus = { enabled: "ENABLED", paused: "PAUSED", removed: "REMOVED" } as const;

/** The specification says "a Performance Max type also exists" and does not show how it is spelled. */
export function isPerformanceMax(campaignType: string): boolean {
  return ["PERFORMANCEMAX", "PMAX"].includes(campaignType.toUpperCase().replace(/[^A-Z]/g, ""));
}

/** A whole number. A service with 64-bit numbers may write it as text. */
export const micros = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,300}$/)
    .transform(Number),
]);

/** An advertising campaign of the list. Without id, name and status, a row does not show whether a launch is a duplicate. */
export const campaign = z.looseObject({
  id: z.string().min(1),
  platform_campaign_id: z.string().nullish(),
  campaign_name: z.string(),
  campaign_type: z.string().nullish(),
  status: z.string(),
  daily_budget_micros: micros.nullish(),
  landing_page: z.string().nullish(),
  geo_targets: rowsOf(z.string()).nullish(),
  phone_number: z.string().nullish(),
  created_date: live(timestamp),
  review_status: live(z.string()),
  serving_status: live(z.string()),
  primary_status: live(z.string()),
  primary_status_reasons: live(rowsOf(z.string())),
  updated_date: live(timestamp),
  learning_ends_at: live(timestamp),
});

/** A launch must return the campaign's id. A malformed value in another field must not hide it. */
export const launched = z.looseObject({
  campaign: z.looseObject({
    id: campaign.shape.id,
    platform_campaign_id: campaign.shape.platform_campaign_id.catch(undefined),
    campaign_name: campaign.shape.campaign_name.optional().catch(undefined),
    campaign_type: campaign.shape.campaign_type.catch(undefined),
    status: campaign.shape.status.optional().catch(undefined),
    daily_budget_micros: campaign.shape.daily_budget_micros.catch(undefined),
    landing_page: campaign.shape.landing_page.catch(undefined),
    geo_targets: campaign.shape.geo_targets.catch(undefined),
    phone_number: campaign.shape.phone_number.catch(undefined),
    created_date: campaign.shape.created_date,
  }),
  account: z
    .looseObject({
      id: z.string().nullish(),
      currency_code: z.string().nullish(),
      timezone: z.string().nullish(),
      platform_customer_id: z.string().nullish(),
    })
    .nullish()
    .catch(undefined),
});

/** "A string naming the action: paused, resumed or deleted." */
export const campaignAction = z.looseObject({ status: z.string().nullish().catch(undefined) }).nullish();

/** Launch readiness. The specification shows two fields and the value `payment_provider_unavailable`. */
export const readiness = z
  .looseObject({ landing_page: z.string().nullish(), currency_code: z.string().nullish() })
  .transform((answer) => ({
    landingPage: filled(answer.landing_page),
    currencyCode: filled(answer.currency_code),
    paymentProviderUnavailable: reports(answer, paymentProviderUnavailable),
  }));

/** A text that is empty or null says nothing. */
export function filled(text: string | null | undefined): string | undefined {
  return text === "" ? undefined : (text ?? undefined);
}

const paymentProviderUnavailable = "payment_provider_unavailable";

/** Whether a response of unknown shape has a value anywhere, or a field of that name that is true or has details. */
function reports(answer: unknown, value: string): boolean {
  const open = [answer];
  while (open.length > 0) {
    const next = open.pop();
    if (next === value) return true;
    if (typeof next !== "object" || next === null) continue;
    if (isGiven((next as Record<string, unknown>)[value])) return true;
    for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

function isGiven(value: unknown): boolean {
  return value === true || (typeof value === "object" && value !== null && Object.keys(value).length > 0);
}

/** An entity record: the fields of the entity's schema, and those that the service assigns. */
export const record = z.looseObject({
  id: z.string().min(1),
  created_date: timestamp.nullish().catch(undefined),
  updated_date: timestamp.nullish().catch(undefined),
  created_by: z.string().nullish().catch(undefined),
  created_by_id: z.string().nullish().catch(undefined),
  is_sample: z.boolean().nullish().catch(undefined),
});

/** An automated test. Its shape is not documented, so only the id, under one of two names, and the creation time are read. */
export const testFlow = z
  .looseObject({
    id: z.string().nullish(),
    flow_id: z.string().nullish(),
    created_date: timestamp.nullish().catch(undefined),
  })
  .transform((flow, context): Record<string, unknown> & { id: string } => {
    const id = flow.id ?? flow.flow_id;
    if (id) return { ...flow, id };
    context.addIssue({ code: "custom", path: ["id"], message: "expected an id or a flow_id" });
    return z.NEVER;
  });

/**
 * The findings of a scan, whose shapes are not documented. They are checked apart from the scan, because a reader of the
 * status or of the ignored findings does not need them. An unreadable result must not be treated as no findings.
 */
export const scanResult = z.looseObject({
  analysis_summary: z.string().nullish(),
  rls_recommendations: z.array(z.unknown()).nullish(),
  hardcoded_secrets: z.array(z.unknown()).nullish(),
  backend_functions: z.array(z.unknown()).nullish(),
  dependency_vulnerabilities: z.array(z.unknown()).nullish(),
  static_code_findings: z.array(z.unknown()).nullish(),
  header_recommendations: z.array(z.unknown()).nullish(),
  core_integration_recommendation: z.string().nullish(),
  scanned_at: timestamp.nullish(),
});

/** The latest security scan. */
export const scan = z.looseObject({
  status: z.string(),
  result: z.unknown().optional(),
  static_code_enabled: live(z.boolean()),
  ignored_fingerprints: rowsOf(z.string()).nullish(),
});

/** The instruction that installs conversion tracking. A skipped call leaves fields out. */
export const trackingPrompt = z.looseObject({
  composer_prompt: z.string(),
  conversion_id: z.string().nullish(),
  actions_created_or_existing: z.number().nullish(),
  wired_mappings: z.number().nullish(),
  skipped_reason: z.string().nullish(),
});

export const codingSession = z.looseObject({
  id: z.string().min(1),
  state: z.string(),
  repository_full_name: live(z.string()),
  launch_key: live(z.string()),
  client_reference: live(z.string()),
  message_id: live(z.string()),
  branch_id: live(z.string()),
  branch_name: live(z.string()),
  session_url: live(z.string()),
  pull_request: live(z.record(z.string(), z.unknown())),
  error_code: live(z.string()),
  input_request_id: live(z.string()),
  outcome: live(z.string()),
  summary: live(z.string()),
});

/** One page of a list, with the cursor of the next one. */
export interface Page<Row> {
  rows: Row[];
  /** The response says that there are more rows. */
  more: boolean;
  cursor?: string;
  /** The number of rows on all pages, if the response gives it. */
  total?: number;
  /** Why rows of this page itself may be missing, to complete "the list …". */
  part?: string;
}

export function isPage(answer: unknown): answer is Page<unknown> {
  return typeof answer === "object" && answer !== null && "rows" in answer && "more" in answer;
}

/** A list that reports an error beside its rows may have left some out. */
export function errorBeside(answer: Record<string, unknown>): string | undefined {
  const field = ["error", "errors"].find((name) => saysSomething(answer[name]));
  return field === undefined ? undefined : `reports an error (${field}) beside its rows`;
}

function saysSomething(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** Other ways to say that there is more. This package cannot follow them, but must not take the page for the whole list. */
function saysMore(answer: Record<string, unknown>, rows: number): boolean {
  return Object.entries(answer).some(([key, value]) => {
    const name = key.replaceAll("_", "").toLowerCase();
    if (["hasmore", "hasnext", "hasnextpage", "truncated", "istruncated"].includes(name)) return value === true;
    if (["next", "nextpage", "nexturl", "nextpagetoken", "nexttoken", "nextlink"].includes(name)) return Boolean(value);
    if (["totalcount", "totalitems", "totalresults"].includes(name)) return typeof value === "number" && value > rows;
    return ["pages", "totalpages", "pagecount"].includes(name) && typeof value === "number" && value > 1;
  });
}

/**
 * A list of undocumented shape: an array, or an object with the array under `key`. The object may have the paging fields of
 * the members list (`has_more`, `next_cursor`, `total`).
 */
export function listOf<Row extends z.ZodType>(key: string, row: Row) {
  const paged = z.looseObject({
    [key]: rowsOf(row),
    has_more: z.boolean().nullish(),
    next_cursor: z.string().nullish(),
    total: z.number().nullish(),
  });
  // Not a union of both: the errors of a union do not name the field.
  const asObject = (answer: unknown): unknown => (Array.isArray(answer) ? { [key]: answer } : answer);
  return z.preprocess(asObject, paged).transform((answer): Page<z.output<Row>> => {
    const cursor = answer["next_cursor"] as string | null | undefined;
    const total = answer["total"] as number | null | undefined;
    const rows = answer[key] as z.output<Row>[];
    const part = errorBeside(answer);
    return {
      rows,
      more: ((answer["has_more"] as boolean | null | undefined) ?? Boolean(cursor)) || saysMore(answer, rows.length),
      ...(cursor ? { cursor } : {}),
      ...(typeof total === "number" ? { total } : {}),
      ...(part === undefined ? {} : { part }),
    };
  });
}
