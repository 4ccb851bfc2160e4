import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import type { Answer } from "../service/operations";
import { readWebhook } from "../service/webhooks";
import { withoutAbsent } from "./shared/result";

/** Which webhook. */
export interface GetWebhookArgs {
  /** The agent's app id. */
  agentId: string;
  /** The service's id of the webhook. */
  webhookId: string;
}

/** Why the last delivery failed. */
export interface DeliveryError {
  /** What went wrong, in the service's words. */
  message: string;
  /** ISO 8601. */
  attemptedAt: string;
  /** The receiver's answer, where it was no success. */
  statusCode?: number;
  /** The beginning of the receiver's answer, up to 512 bytes. */
  responseBody?: string;
  /** What happened where no answer came. */
  errorType?: string;
}

/** A webhook as it is now. The signing secret is never part of it: the service shows it once. */
export interface GetWebhookResult {
  /** The service's id. */
  webhookId: string;
  /** Receives the events. */
  targetUrl: string;
  /** Which events are sent. */
  events: string[];
  /** A label; absent without one. */
  description?: string;
  /** Whether deliveries are signed. */
  hasSecret: boolean;
  /** Whether events are delivered: `disabledAt` is absent. */
  enabled: boolean;
  /** When it was turned off, by the service after 20 failures in a row or by an update. ISO 8601. */
  disabledAt?: string;
  /** The last delivery, successful or not; absent before the first. ISO 8601. */
  lastTriggerTime?: string;
  /** Absent when the last delivery succeeded, or none failed. */
  lastError?: DeliveryError;
  /** Deliveries that failed in a row. */
  consecutiveFailures?: number;
  /** ISO 8601. */
  createdDate: string;
  /** ISO 8601. */
  updatedDate?: string;
}

export const webhookLookup: Lookup<GetWebhookArgs, GetWebhookResult> = {
  name: "getWebhook",
  purpose: "One webhook with its delivery counters and last error",
  args: z.strictObject({ agentId: identifier(), webhookId: identifier() }),
  run: async (args, { service }) => resultOf(await readWebhook(service, args)),
};

/** From wire to result. */
function resultOf(wire: Answer<"webhook.update">): GetWebhookResult {
  return withoutAbsent<GetWebhookResult>({
    webhookId: wire.id,
    targetUrl: wire.target_url,
    events: wire.events,
    description: wire.description,
    hasSecret: wire.has_secret,
    enabled: !wire.disabled_at,
    disabledAt: wire.disabled_at,
    lastTriggerTime: wire.last_trigger_time,
    lastError: wire.last_error && errorOf(wire.last_error),
    consecutiveFailures: wire.consecutive_failures,
    createdDate: wire.created_date,
    updatedDate: wire.updated_date,
  });
}

function errorOf(wire: NonNullable<Answer<"webhook.update">["last_error"]>): DeliveryError {
  return withoutAbsent<DeliveryError>({
    message: wire.message,
    attemptedAt: wire.attempted_at,
    statusCode: wire.status_code,
    responseBody: wire.response_body,
    errorType: wire.error_type,
  });
}

/**
 * A webhook of an agent, with the delivery counters and the last error that `Webhook` does not keep.
 *
 * Reading is an assumed path (`webhook.get`). Where it is set to `"none"`, or with `workspace-apps:documentedOnly`, the
 * webhook is read by an update without fields, which the service documents to answer with the whole object.
 *
 * ```ts
 * const live = apps.getWebhookOutput({ agentId: "agent-1", webhookId: hook.id });
 * export const failures = live.consecutiveFailures;
 * export const lastError = live.apply((webhook) => webhook.lastError?.message);
 * ```
 */
export function getWebhook(args: GetWebhookArgs, opts?: LookupOptions): Promise<GetWebhookResult> {
  return lookUp(webhookLookup, args, opts);
}

/** {@link getWebhook} with inputs: asks once they are known. */
export function getWebhookOutput(
  args: LookupInputs<GetWebhookArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetWebhookResult> {
  return lookUpOutput(webhookLookup, args, opts);
}
