import { randomBytes } from "node:crypto";
import { z } from "zod";
import { publicUrlProblem } from "../provider/service/public-url";
import { webhookEvent } from "../provider/service/shapes";
import type { Caller } from "./credentials";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";
import { isoTime, readBack } from "./times";
import type { SimulatorOptions, Webhook, WebhookObjects } from "./types";
import { validated } from "./validation";

const targetUrl = z.string().superRefine((text, context) => {
  const problem = publicUrlProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: `The URL ${problem}` });
});
const events = z.array(webhookEvent).min(1);

const creation = z.object({ target_url: targetUrl, events, description: z.string().nullish() });

/** "All optional, each may be null": null removes the description and leaves any other field as it is. */
const update = z.object({
  target_url: targetUrl.nullish(),
  events: events.nullish(),
  description: z.string().nullish(),
  enabled: z.boolean().nullish(),
  signing: z.enum(["rotate", "disable"]).nullish(),
});

/** Which agents exist, and which apps that are none. */
type Catalog = Pick<SimulatorOptions, "agents" | "apps">;

export function webhookHandlers(store: WebhookObjects, catalog: Catalog, now: () => number): Handlers {
  return {
    "webhook.create": ({ parameters, caller, body }) => {
      const { target_url, events, description = null } = validated(creation, body);
      checkAgent(catalog, parameters.agent_id, caller);
      // "A record just created carries a Z suffix."
      return { ...store.putWebhook(parameters.agent_id, { target_url, events, description }), secret: null };
    },

    "webhook.get": ({ parameters, caller }) => {
      checkAgent(catalog, parameters.agent_id, caller);
      return wire(find(store, parameters));
    },

    "webhook.list": ({ parameters, caller, isListed }) => {
      checkAgent(catalog, parameters.agent_id, caller);
      const listed = store.webhooks(parameters.agent_id).filter((webhook) => isListed(webhook.created_date));
      return { webhooks: listed.map((webhook) => wire(webhook)) };
    },

    "webhook.update": ({ parameters, caller, body }) => {
      const sent = validated(update, body);
      checkAgent(catalog, parameters.agent_id, caller);
      const fields = changesOf(sent, find(store, parameters), isoTime(now()));
      const changed = store.changeWebhook(parameters.agent_id, parameters.webhook_id, fields);
      return wire(changed, sent.signing === "rotate" ? newSecret() : null);
    },

    "webhook.delete": ({ parameters, caller }) => {
      checkAgent(catalog, parameters.agent_id, caller);
      if (!store.removeWebhook(parameters.agent_id, parameters.webhook_id)) throw webhookNotFound();
      return { success: true };
    },
  };
}

function changesOf(sent: z.output<typeof update>, webhook: Webhook, at: string): Partial<Webhook> {
  const fields: Partial<Webhook> = {};
  if (sent.target_url != null) fields.target_url = sent.target_url;
  if (sent.events != null) fields.events = sent.events;
  if (sent.description !== undefined) fields.description = sent.description;
  if (sent.enabled === true) Object.assign(fields, { disabled_at: null, consecutive_failures: 0 });
  if (sent.enabled === false) fields.disabled_at = webhook.disabled_at ?? at;
  if (sent.signing != null) fields.has_secret = sent.signing === "rotate";
  if (Object.keys(fields).length > 0) fields.updated_date = at;
  return fields;
}

/** The webhook as it is read back; the secret is there only in the answer that generates it. */
function wire(webhook: Webhook, secret: string | null = null) {
  const { last_error } = webhook;
  return {
    ...webhook,
    last_trigger_time: readBack(webhook.last_trigger_time),
    last_error: last_error && { ...last_error, attempted_at: readBack(last_error.attempted_at) },
    disabled_at: readBack(webhook.disabled_at),
    created_date: readBack(webhook.created_date),
    updated_date: readBack(webhook.updated_date),
    secret,
  };
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString("base64url")}`;
}

/**
 * The specification's Errors for a webhook update, taken to hold for the assumed operations too. What a token answers
 * that does not reach the agent (Authentication, rule 2) is not shown: 404, as rule 6 has it for folder items.
 */
function checkAgent({ agents = "any", apps = [] }: Catalog, agentId: string, caller: Caller): void {
  const known = agents === "any" ? !apps.includes(agentId) : agents.includes(agentId);
  if (!caller.reaches(agentId) || (!known && !apps.includes(agentId)))
    throw refusal(404, "agent_not_found", "There is no such agent.");
  if (!known) throw refusal(400, "not_an_agent", "The app is not an agent.");
  if (!caller.edits) throw refusal(403, "not_an_editor", "Only an editor of the agent can manage its webhooks.");
}

function find(store: WebhookObjects, parameters: { agent_id: string; webhook_id: string }): Webhook {
  const webhook = store.webhook(parameters.agent_id, parameters.webhook_id);
  if (webhook === undefined) throw webhookNotFound();
  return webhook;
}

function webhookNotFound() {
  return refusal(404, "webhook_not_found", "There is no such webhook.");
}
