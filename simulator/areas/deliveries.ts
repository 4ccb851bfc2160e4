import type { DeliveryError, DeliveryOutcome, Webhook } from "../types";

/** "After 20 consecutive failed deliveries the webhook is turned off and disabled_at is set." */
const failuresBeforeTurnOff = 20;

const responseBodyBytes = 512;

/** The change that one delivery makes to its webhook. A webhook that is off gets no deliveries. */
export function afterDelivery(webhook: Webhook, outcome: DeliveryOutcome, at: string): Partial<Webhook> {
  if (webhook.disabled_at !== null) return {};
  if (outcome.ok) return { last_trigger_time: at, last_error: null, consecutive_failures: 0 };
  const failures = webhook.consecutive_failures + 1;
  return {
    last_trigger_time: at,
    last_error: deliveryError(outcome, at),
    consecutive_failures: failures,
    disabled_at: failures >= failuresBeforeTurnOff ? at : null,
  };
}

type Failure = Extract<DeliveryOutcome, { ok: false }>;

function deliveryError({ status, body, errorType = "timeout" }: Failure, at: string): DeliveryError {
  const answered = status !== undefined;
  return {
    message: answered ? `The endpoint answered ${String(status)}.` : `No answer came from the endpoint (${errorType}).`,
    attempted_at: at,
    status_code: status ?? null,
    response_body: answered && body !== undefined ? firstBytes(body) : null,
    error_type: answered ? null : errorType,
  };
}

function firstBytes(text: string): string {
  const start = Buffer.from(text).subarray(0, responseBodyBytes);
  // With `stream`, the decoder drops a character whose last bytes were cut off.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(start, { stream: true });
}
