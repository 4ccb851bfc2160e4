import type { Service } from "./client";
import type { Answer } from "./operations";

/** Where a webhook is. */
interface At {
  agentId: string;
  webhookId: string;
  /** Where it sends to, if that is known: it may carry a credential, which the service may repeat in its words. */
  targetUrl?: string;
}

/** The operation through which a webhook is read here. */
export function readingOperation(service: Service): "webhook.get" | "webhook.update" {
  return service.can("webhook.get") ? "webhook.get" : "webhook.update";
}

/**
 * The webhook as it is, through webhook.get, or where there is none by an update without fields, which the specification
 * answers with the whole object.
 */
export function readWebhook(service: Service, at: At): Promise<Answer<"webhook.update">> {
  const call = {
    parameters: { agent_id: at.agentId, webhook_id: at.webhookId },
    secrets: at.targetUrl === undefined ? [] : [at.targetUrl],
  };
  const operation = readingOperation(service);
  return service.call(operation, operation === "webhook.get" ? call : { ...call, body: {} });
}
