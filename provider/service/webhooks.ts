import type { ServiceClient } from "./client";
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
