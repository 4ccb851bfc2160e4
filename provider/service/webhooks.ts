import type { ServiceClient } from "./client";
import type { Answer } from "./operations";

/** Where a webhook is. */
interface At {
  agentId: string;
  webhookId: string;
}

/** The operation through which a webhook is read here. */
export function readingOperation(service: ServiceClient): "webhook.get" | "webhook.update" {
  return service.can("webhook.get") ? "webhook.get" : "webhook.update";
}

/**
 * Reads a webhook through webhook.get. Without that operation it sends an update without fields, which the specification
 * answers with the whole object. `secrets` are the webhook's secrets that are known here.
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
