import type { Call, ServiceClient } from "./client";
import type { Row } from "./lists";
import type { Answer } from "./operations";

/** Identifies a webhook. */
interface Address {
  agentId: string;
  webhookId: string;
}

/** The operation that reads a webhook in this deployment. */
export function readingOperation(service: ServiceClient): "webhook.get" | "webhook.update" {
  return service.can("webhook.get") ? "webhook.get" : "webhook.update";
}

/**
 * Reads a webhook with webhook.get. Where that operation is disabled, it sends an update without fields, which returns the
 * whole object by the specification. `echoed`: what the service may echo in an error and must not be shown.
 */
export function readWebhook(
  service: ServiceClient,
  { agentId, webhookId }: Address,
  echoed: Pick<Call<"webhook.get">, "hidden"> = {},
): Promise<Answer<"webhook.update">> {
  const parameters = { agent_id: agentId, webhook_id: webhookId };
  const operation = readingOperation(service);
  return service.call(operation, { parameters, ...echoed, ...(operation === "webhook.get" ? {} : { body: {} }) });
}

/** Whether a list shows all that is declared of a webhook. */
export function isWhole(row: Row<"webhook.list">): boolean {
  return "description" in row && "disabled_at" in row;
}

/** A webhook of a list, read by itself where that shows it in part. Only by webhook.get: adopt sends nothing but reads. */
export async function wholeWebhook(
  service: ServiceClient,
  agentId: string,
  row: Row<"webhook.list">,
): Promise<Row<"webhook.list">> {
  return isWhole(row) ? row : service.call("webhook.get", { parameters: { agent_id: agentId, webhook_id: row.id } });
}
