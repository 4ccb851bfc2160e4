import type { ServiceClient } from "./client";
import type { Row } from "./lists";
import type { Answer } from "./operations";

/** Identifies a webhook. */
interface At {
  agentId: string;
  webhookId: string;
}

/** The operation that reads a webhook in this deployment. */
export function readingOperation(service: ServiceClient): "webhook.get" | "webhook.update" {
  return service.can("webhook.get") ? "webhook.get" : "webhook.update";
}

/**
 * Reads a webhook with webhook.get. Where that operation is disabled, it sends an update without fields, which returns the
 * whole object by the specification. `secrets` are the known secrets of the webhook.
 */
export function readWebhook(
  service: ServiceClient,
  { agentId, webhookId }: At,
  secrets: readonly string[] = [],
): Promise<Answer<"webhook.update">> {
  const parameters = { agent_id: agentId, webhook_id: webhookId };
  const operation = readingOperation(service);
  return service.call(operation, { parameters, secrets, ...(operation === "webhook.get" ? {} : { body: {} }) });
}

/** A webhook of a list. One that leaves out its label, or whether it is switched off, is read by itself. */
export async function wholeWebhook(
  service: ServiceClient,
  agentId: string,
  row: Row<"webhook.list">,
): Promise<Row<"webhook.list">> {
  const isWhole = "description" in row && "disabled_at" in row;
  return isWhole ? row : service.call("webhook.get", { parameters: { agent_id: agentId, webhook_id: row.id } });
}
