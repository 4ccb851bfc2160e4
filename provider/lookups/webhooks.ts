import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import type { Answer } from "../service/operations";
import { readAll } from "../service/lists";
import { deliveryError, webhook } from "../service/shapes";
import { readWebhook, wholeWebhook } from "../service/webhooks";
import { fromWire, toWire, withoutAbsent } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getWebhook}. */
export interface GetWebhookArgs {
  /** The agent's app id. */
  agentId: string;
  /** The id of the webhook. */
  webhookId: string;
}

/** The arguments of {@link getWebhooks}. */
export interface GetWebhooksArgs {
  /** The agent's app id. */
  agentId: string;
}

/** Why the last delivery failed. */
export interface DeliveryError {
  /** The service's message. */
  message: string;
  /** When the delivery was attempted, ISO 8601. */
  attemptedAt: string;
  /** The HTTP status of the receiver, if it responded with another status than 2xx. */
  statusCode?: number;
  /** The beginning of the receiver's response, up to 512 bytes, if its status was not 2xx. */
  responseBody?: string;
  /** The kind of failure if there was no response, such as a time-out. */
  errorType?: string;
}

/** The result of {@link getWebhook}. It never contains the signing secret, which the service shows only once. */
export interface GetWebhookResult {
  /** The id of the webhook. */
  webhookId: string;
  /** The URL that receives the events. */
  targetUrl: string;
  /** The events that are sent: `message.created`, `message.completed` or both. */
  events: string[];
  /** The label. Absent when there is none. */
  description?: string;
  /** Whether deliveries are signed. */
  hasSecret: boolean;
  /** Whether events are delivered, that is, `disabledAt` is absent. */
  enabled: boolean;
  /** When it was turned off, by an update or after 20 failed deliveries in a row. ISO 8601. */
  disabledAt?: string;
  /** The time of the last delivery attempt, successful or not. ISO 8601. Absent before the first. */
  lastTriggerTime?: string;
  /** The error of the last delivery. Absent when it succeeded, or when no delivery has failed. */
  lastError?: DeliveryError;
  /** The number of failed deliveries in a row. */
  consecutiveFailures?: number;
  /** When it was created, ISO 8601. */
  createdDate: string;
  /** When it was last changed, ISO 8601. */
  updatedDate?: string;
}

/** The result of {@link getWebhooks}. */
export interface GetWebhooksResult {
  /** Every webhook of the agent, in the service's order. */
  webhooks: GetWebhookResult[];
}

/** @internal */
export const webhooksLookup: Lookup<GetWebhooksArgs, GetWebhooksResult> = {
  name: "getWebhooks",
  operation: "webhook.list",
  purpose: "An agent's webhooks with their delivery counters",
  args: z.strictObject({ agentId: identifier() }),
  async run(args, { service }) {
    const rows = await readAll(service, "webhook.list", toWire(args));
    const whole = await Promise.all(rows.map((row) => wholeWebhook(service, args.agentId, row)));
    return { webhooks: whole.map(resultOf) };
  },
};

/** @internal */
export const webhookLookup: Lookup<GetWebhookArgs, GetWebhookResult> = {
  name: "getWebhook",
  operation: "webhook.get",
  purpose: "One webhook with its delivery counters and last error",
  args: z.strictObject({ agentId: identifier(), webhookId: identifier() }),
  run: async (args, { service }) => resultOf(await readWebhook(service, args)),
};

/** The signing secret is never in a result, even if the service sends it. */
const shownWebhook = webhook.omit({ secret: true });

/** From wire to result. */
function resultOf(wire: Answer<"webhook.update">): GetWebhookResult {
  const { id, lastError: _, ...shown } = fromWire(shownWebhook, wire);
  const lastError = wire.last_error && fromWire(deliveryError, wire.last_error);
  return { webhookId: id, ...shown, enabled: !wire.disabled_at, ...withoutAbsent({ lastError }) };
}

/**
 * Reads a webhook of an agent, with the delivery counters and the last error that `Webhook` does not keep in its state.
 *
 * The path of this operation (`webhook.get`) is assumed. If it is set to `"none"`, or with
 * `workspace-apps:documentedOnly`, the look-up sends the documented update without fields instead. The service
 * documents that an update returns the whole webhook. It is assumed that an empty one changes nothing.
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

/** {@link getWebhook} with inputs. Sends its requests once all inputs are known. */
export function getWebhookOutput(
  args: LookupInputs<GetWebhookArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetWebhookResult> {
  return lookUpOutput(webhookLookup, args, opts);
}

/**
 * Lists all webhooks of an agent, with the delivery counters and the last errors that `Webhook` does not keep in its
 * state.
 *
 * The path of this operation (`webhook.list`) is assumed. A list that cannot be read to its end is an error.
 *
 * ```ts
 * const { webhooks } = await apps.getWebhooks({ agentId: "agent-1" });
 * export const off = webhooks.filter((webhook) => !webhook.enabled).map((webhook) => webhook.webhookId);
 * ```
 */
export function getWebhooks(args: GetWebhooksArgs, opts?: LookupOptions): Promise<GetWebhooksResult> {
  return lookUp(webhooksLookup, args, opts);
}

/** {@link getWebhooks} with inputs. Sends its requests once all inputs are known. */
export function getWebhooksOutput(
  args: LookupInputs<GetWebhooksArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetWebhooksResult> {
  return lookUpOutput(webhooksLookup, args, opts);
}
