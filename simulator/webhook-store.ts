import { randomBytes } from "node:crypto";
import { afterDelivery } from "./deliveries";
import { isoTime } from "./times";
import type { DeliveryOutcome, Webhook, WebhookObjects } from "./types";

export interface WebhookStore {
  objects: WebhookObjects;
  deliver: (agentId: string, id: string, outcome: DeliveryOutcome) => Webhook;
  all: () => Record<string, Webhook[]>;
}

/** The webhooks of all agents. What it gives out are copies. */
export function openWebhookStore(now: () => number): WebhookStore {
  const byAgent = new Map<string, Map<string, Webhook>>();
  let created = 0;

  function webhooksOf(agentId: string): Webhook[] {
    return [...(byAgent.get(agentId)?.values() ?? [])].map((webhook) => structuredClone(webhook));
  }

  function existing(agentId: string, id: string): Webhook {
    const webhook = byAgent.get(agentId)?.get(id);
    if (webhook === undefined) throw new Error(`Agent ${agentId} has no webhook ${id}.`);
    return webhook;
  }

  function change(webhook: Webhook, fields: Partial<Webhook>): Webhook {
    return structuredClone(Object.assign(webhook, structuredClone(fields)));
  }

  return {
    objects: {
      webhooks: (agentId) => (agentId === undefined ? [...byAgent.keys()].flatMap(webhooksOf) : webhooksOf(agentId)),

      webhook: (agentId, id) => structuredClone(byAgent.get(agentId)?.get(id)),

      putWebhook: (agentId, fields = {}) => {
        const webhook = change(justCreated(++created, isoTime(now())), fields);
        byAgent.set(agentId, (byAgent.get(agentId) ?? new Map<string, Webhook>()).set(webhook.id, webhook));
        return structuredClone(webhook);
      },

      changeWebhook: (agentId, id, fields) => change(existing(agentId, id), fields),

      removeWebhook: (agentId, id) => byAgent.get(agentId)?.delete(id) ?? false,
    },

    deliver: (agentId, id, outcome) => {
      const webhook = existing(agentId, id);
      return change(webhook, afterDelivery(webhook, outcome, isoTime(now())));
    },

    all: () => Object.fromEntries([...byAgent.keys()].map((agentId) => [agentId, webhooksOf(agentId)])),
  };
}

function justCreated(number: number, at: string): Webhook {
  return {
    id: `wh_${String(number)}${randomBytes(8).toString("hex")}`,
    target_url: "https://example.com/hook",
    events: ["message.created"],
    description: null,
    has_secret: false,
    last_trigger_time: null,
    last_error: null,
    consecutive_failures: 0,
    disabled_at: null,
    created_date: at,
    updated_date: at,
  };
}
