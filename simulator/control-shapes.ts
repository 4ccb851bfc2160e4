import { z } from "zod";
import { webhookEvent } from "../provider/service/shapes";
import { type CodingSession, codingSessionStates } from "./coding-session-store";
import type { EntitySchema, StoredRecord } from "./record-store";
import { type ScanChange, scanStatuses } from "./scan-store";
import type { AdvertisingAccount, Campaign, DeliveryOutcome, Folder, Webhook } from "./types";
import { anyObject } from "./validation";

const time = z.iso.datetime();

const deliveryError = z.strictObject({
  message: z.string(),
  attempted_at: time,
  status_code: z.int().nullable(),
  response_body: z.string().nullable(),
  error_type: z.string().nullable(),
});

export const webhookFields: z.ZodType<Partial<Omit<Webhook, "id">>> = z
  .strictObject({
    target_url: z.string(),
    events: z.array(webhookEvent),
    description: z.string().nullable(),
    has_secret: z.boolean(),
    last_trigger_time: time.nullable(),
    last_error: deliveryError.nullable(),
    consecutive_failures: z.int().nonnegative(),
    disabled_at: time.nullable(),
    created_date: time,
    updated_date: time,
  })
  .exactPartial();

export const campaignFields: z.ZodType<Partial<Omit<Campaign, "id">>> = z
  .strictObject({
    platform_campaign_id: z.string(),
    campaign_name: z.string(),
    campaign_type: z.string(),
    status: z.string(),
    daily_budget_micros: z.int(),
    landing_page: z.string(),
    geo_targets: z.array(z.string()),
    phone_number: z.string(),
    review_status: z.string(),
    serving_status: z.string(),
    primary_status: z.string(),
    primary_status_reasons: z.array(z.string()),
    created_date: time,
    updated_date: time,
    learning_ends_at: time,
  })
  .exactPartial();

export const accountFields: z.ZodType<Partial<AdvertisingAccount>> = z
  .strictObject({
    id: z.string(),
    status: z.string(),
    account_name: z.string(),
    currency_code: z.string(),
    timezone: z.string(),
    platform_customer_id: z.string(),
  })
  .exactPartial();

/** Those that the service assigns have their types, also when they are put by hand. */
export const recordFields: z.ZodType<Partial<Omit<StoredRecord, "id">>> = z
  .looseObject({
    id: z.never(),
    created_date: time,
    updated_date: time,
    created_by: z.string(),
    created_by_id: z.string(),
    is_sample: z.boolean(),
  })
  .exactPartial();

export const entitySchema: z.ZodType<EntitySchema> = z
  .strictObject({
    fields: z.array(z.string()),
    updateRule: anyObject,
    readOnlyFields: z.array(z.string()),
    refusalStatus: z.int().min(400).max(499),
  })
  .exactPartial();

const findings = z.array(z.unknown());

export const scanFields: z.ZodType<ScanChange> = z
  .strictObject({
    status: z.enum(scanStatuses),
    result: z
      .strictObject({
        analysis_summary: z.string(),
        rls_recommendations: findings,
        hardcoded_secrets: findings,
        backend_functions: findings,
        dependency_vulnerabilities: findings,
        static_code_findings: findings,
        header_recommendations: findings,
        core_integration_recommendation: z.string(),
        scanned_at: time,
      })
      .exactPartial()
      .nullable(),
    static_code_enabled: z.boolean(),
    ignored_fingerprints: z.array(z.string()),
  })
  .exactPartial();

const textOrNull = z.string().nullable();

export const codingSessionFields: z.ZodType<Partial<Omit<CodingSession, "id">>> = z
  .strictObject({
    state: z.enum(codingSessionStates),
    message_id: textOrNull,
    repository_full_name: z.string(),
    branch_id: textOrNull,
    branch_name: textOrNull,
    session_url: textOrNull,
    pull_request: anyObject.nullable(),
    error_code: textOrNull,
    launch_key: textOrNull,
    client_reference: textOrNull,
    input_request_id: textOrNull,
    outcome: z.enum(["pull_request", "answer"]).nullable(),
    summary: textOrNull,
  })
  .exactPartial();

export const folderShape: z.ZodType<Folder> = z.strictObject({
  id: z.string().min(1),
  owner: z.string().min(1).exactOptional(),
});

export const deliveryOutcome: z.ZodType<DeliveryOutcome> = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({
    ok: z.literal(false),
    status: z.int().min(100).max(599).exactOptional(),
    body: z.string().exactOptional(),
    errorType: z.string().exactOptional(),
  }),
]);
