import { randomBytes } from "node:crypto";
import { z } from "zod";
import { publicUrlProblem } from "../../provider/service/public-url";
import { webhookEvent } from "../../provider/service/shapes";
import type { Area } from "../area";
import { Collection, MissingObjectError } from "../collection";
import { id, route, time } from "../control/route";
import type { Caller } from "../credentials";
import { byName, listBy } from "../exported";
import type { Handlers } from "../handler";
import { refusal } from "../refusal";
import { isoTime, readBack } from "../times";
import type { AllObjects, DeliveryOutcome, SimulatorOptions, Webhook, WebhookObjects } from "../types";
import { validated } from "../validation";
import { afterDelivery } from "./deliveries";

function openStore(now: () => number) {
  const stored = new Collection<Webhook>();
  let created = 0;

  function existing(agentId: string, webhookId: string): Webhook {
    const webhook = stored.get(agentId, webhookId);
    if (webhook === undefined) throw new MissingObjectError(`Agent ${agentId} has no webhook ${webhookId}.`);
    return webhook;
  }

  function change(webhook: Webhook, fields: Partial<Webhook>): Webhook {
    return structuredClone(Object.assign(webhook, structuredClone(fields)));
  }

  const objects: WebhookObjects = {
    webhooks: (agentId) => structuredClone(stored.list(agentId)),
    webhook: (agentId, webhookId) => structuredClone(stored.get(agentId, webhookId)),
    putWebhook: (agentId, fields = {}) => {
      const webhook = change(newWebhook(++created, isoTime(now())), fields);
      stored.set(agentId, webhook.id, webhook);
      return structuredClone(webhook);
    },
    changeWebhook: (agentId, webhookId, fields) => change(existing(agentId, webhookId), fields),
    removeWebhook: (agentId, webhookId) => stored.delete(agentId, webhookId),
  };
  return {
    objects,
    deliver: (agentId: string, webhookId: string, outcome: DeliveryOutcome): void => {
      const webhook = existing(agentId, webhookId);
      change(webhook, afterDelivery(webhook, outcome, isoTime(now())));
    },
    snapshot: () => ({ webhooks: stored.byOwner((webhook) => structuredClone(webhook)) }),
    restore: ({ webhooks }: AllObjects): void => {
      stored.replaceAll(webhooks, (webhook) => webhook.id);
    },
  };
}

function newWebhook(number: number, at: string): Webhook {
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

const targetUrl = z.string().superRefine((text, context) => {
  const problem = publicUrlProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: `The URL ${problem}` });
});
const events = z.array(webhookEvent).min(1);

const creation = z.object({ target_url: targetUrl, events, description: z.string().nullish() });

/** "All optional, each may be null": null removes the description and does not change any other field. */
const update = z.object({
  target_url: targetUrl.nullish(),
  events: events.nullish(),
  description: z.string().nullish(),
  enabled: z.boolean().nullish(),
  signing: z.enum(["rotate", "disable"]).nullish(),
});

function handlersOf(objects: WebhookObjects, options: SimulatorOptions, now: () => number): Handlers {
  return {
    "webhook.create": ({ parameters, caller, body }) => {
      const { target_url, events, description = null } = validated(creation, body);
      checkAgent(options, parameters.agent_id, caller);
      // "A record just created carries a Z suffix."
      return { ...objects.putWebhook(parameters.agent_id, { target_url, events, description }), secret: null };
    },

    "webhook.get": ({ parameters, caller }) => {
      checkAgent(options, parameters.agent_id, caller);
      return wire(find(objects, parameters));
    },

    "webhook.list": ({ parameters, caller, isListed }) => {
      checkAgent(options, parameters.agent_id, caller);
      const listed = objects.webhooks(parameters.agent_id).filter((webhook) => isListed(webhook.created_date));
      return { webhooks: listed.map((webhook) => wire(webhook)) };
    },

    "webhook.update": ({ parameters, caller, body }) => {
      const sent = validated(update, body);
      checkAgent(options, parameters.agent_id, caller);
      const fields = changesOf(sent, find(objects, parameters), isoTime(now()));
      const changed = objects.changeWebhook(parameters.agent_id, parameters.webhook_id, fields);
      return wire(changed, sent.signing === "rotate" ? newSecret() : null);
    },

    "webhook.delete": ({ parameters, caller }) => {
      checkAgent(options, parameters.agent_id, caller);
      if (!objects.removeWebhook(parameters.agent_id, parameters.webhook_id)) throw webhookNotFound();
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

/** The webhook as read back. The secret is present only in the response that generates it. */
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
 * The specification's errors of a webhook update, applied to the assumed operations too. A token that does not reach the
 * agent gets a 404, as rule 6 says for folder items. Authentication, rule 2 shows no response for it.
 */
function checkAgent({ agents = "any", apps = [] }: SimulatorOptions, agentId: string, caller: Caller): void {
  const known = agents === "any" ? !apps.includes(agentId) : agents.includes(agentId);
  if (!caller.reaches(agentId) || (!known && !apps.includes(agentId)))
    throw refusal(404, "agent_not_found", "There is no such agent.");
  if (!known) throw refusal(400, "not_an_agent", "The app is not an agent.");
  if (!caller.edits) throw refusal(403, "not_an_editor", "Only an editor of the agent can manage its webhooks.");
}

function find(objects: WebhookObjects, parameters: { agent_id: string; webhook_id: string }): Webhook {
  const webhook = objects.webhook(parameters.agent_id, parameters.webhook_id);
  if (webhook === undefined) throw webhookNotFound();
  return webhook;
}

function webhookNotFound() {
  return refusal(404, "webhook_not_found", "There is no such webhook.");
}

const deliveryError = z.strictObject({
  message: z.string(),
  attempted_at: time,
  status_code: z.int().nullable(),
  response_body: z.string().nullable(),
  error_type: z.string().nullable(),
});

const webhookShape = z.strictObject({
  id,
  target_url: z.string(),
  events: z.array(webhookEvent),
  description: z.string().nullable(),
  has_secret: z.boolean(),
  last_trigger_time: time.nullable(),
  last_error: deliveryError.nullable(),
  consecutive_failures: z.int().nonnegative(),
  disabled_at: time.nullable(),
  created_date: time,
  updated_date: time,
});

const webhookFields: z.ZodType<Partial<Omit<Webhook, "id">>> = webhookShape.omit({ id: true }).exactPartial();

const deliveryOutcome: z.ZodType<DeliveryOutcome> = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({
    ok: z.literal(false),
    status: z.int().min(100).max(599).exactOptional(),
    body: z.string().exactOptional(),
    errorType: z.string().exactOptional(),
  }),
]);

const ofWebhook = z.strictObject({ agentId: id, webhookId: id });

export const webhooks = {
  open: ({ options, now }) => {
    const { objects, deliver, snapshot, restore } = openStore(now);
    return { objects, handlers: handlersOf(objects, options, now), snapshot, restore, controls: { deliver } };
  },
  exported: { webhooks: byName(listBy((webhook: Webhook) => webhook.id, webhookShape)) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/webhooks",
      description: "Changes a webhook without Pulumi, or adds it. Without `webhookId`, it gets a new id.",
      input: z.strictObject({ agentId: id, webhookId: id.optional(), fields: webhookFields }),
      examples: [{ agentId: "a", webhookId: "w", fields: { description: "changed" } }],
      handle: ({ objects }, { agentId, webhookId, fields }) => {
        if (webhookId === undefined) return objects.putWebhook(agentId, fields);
        return objects.webhook(agentId, webhookId) === undefined
          ? objects.putWebhook(agentId, { ...fields, id: webhookId })
          : objects.changeWebhook(agentId, webhookId, fields);
      },
    }),
    route({
      endpoint: "DELETE objects/webhooks",
      description: "Removes a webhook.",
      input: ofWebhook,
      examples: [{ agentId: "a", webhookId: "w" }],
      handle: ({ objects }, { agentId, webhookId }) => ({ removed: objects.removeWebhook(agentId, webhookId) }),
    }),
    route({
      endpoint: "POST deliveries",
      description:
        'Simulates one delivery to a webhook. `outcome` is `{"ok": true}`, or `{"ok": false}` with `status` and `body`, or with `errorType`.',
      input: ofWebhook.extend({ outcome: deliveryOutcome }),
      examples: [{ agentId: "a", webhookId: "w", outcome: { ok: false, status: 500 } }],
      handle: ({ objects, deliver }, { agentId, webhookId, outcome }) => {
        deliver(agentId, webhookId, outcome);
        return objects.webhook(agentId, webhookId);
      },
    }),
  ],
} satisfies Area;
