import { z } from "zod";
import { webhookEvent } from "../provider/service/shapes";
import type { Campaign, DeliveryOutcome, Folder, Webhook } from "./types";

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
