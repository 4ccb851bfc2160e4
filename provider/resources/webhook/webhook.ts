import { z } from "zod";
import { flag, identifier, oneOf, text } from "../../arguments";
import type { Answer } from "../../service/operations";
import { publicUrlProblem } from "../../service/public-url";
import { filled, webhookEvent } from "../../service/shapes";
import { sameSet, sameUrl } from "../shared/compare";
import type { Origin } from "../shared/ownership";

/* The arguments and the state of a webhook, and the way from wire to state. */

type WebhookEvent = z.infer<typeof webhookEvent>;

export const schema = z.strictObject({
  agentId: identifier(),
  targetUrl: text().superRefine((url, context) => {
    const problem = publicUrlProblem(url);
    if (problem !== undefined) context.addIssue(problem);
  }),
  events: z
    .array(oneOf(webhookEvent.options as [WebhookEvent, ...WebhookEvent[]]), {
      error: (issue) => (issue.input === undefined ? "is required" : "must be a list of events"),
    })
    .min(1, "must name at least one event"),
  description: text().min(1, "must not be empty; leave it out to have none").optional(),
  enabled: flag().default(true),
  signed: flag().optional(),
  rotateSecret: text().min(1, "must not be empty; leave it out to rotate nothing").optional(),
  webhookId: identifier().optional(),
  overwrite: flag().optional(),
  deletionPolicy: oneOf(["delete", "disable", "retain"]).optional(),
});

export type Inputs = z.output<typeof schema>;

export interface State extends Inputs {
  webhookId: string;
  hasSecret: boolean;
  secret?: string | undefined;
  createdDate?: string | undefined;
  origin?: Origin | undefined;
  /** The response to a rotation was lost, and with it perhaps the secret: the next `up` rotates again. */
  secretRotation?: "uncertain" | undefined;
  /** The response to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
}

export type Wire = Answer<"webhook.update">;
export type Address = Pick<State, "agentId" | "webhookId">;

/** The service may echo it in an error. */
type Echoed = Pick<State, "targetUrl" | "secret" | "description">;

/** The path parameters of a call, and what the service may echo and must not be shown. */
export function callFor(state: Address & Echoed) {
  return { parameters: { agent_id: state.agentId, webhook_id: state.webhookId }, ...secretsOf(state) };
}

/** The target may hold a key, and the description may be a secret of the program. */
export function secretsOf({ targetUrl, secret, description }: Echoed) {
  return { hidden: [targetUrl, secret, description] };
}

/**
 * From wire to state. A value of equal meaning stays as it was declared, so that it shows no difference. Every argument is
 * named: a spread costs V8 several times the memory.
 */
export function toState(
  declared: Omit<Inputs, "webhookId">,
  wire: Wire,
  kept: Partial<State> & Pick<State, "webhookId">,
): State {
  return {
    agentId: declared.agentId,
    targetUrl: sameUrl(wire.target_url, declared.targetUrl) ? declared.targetUrl : wire.target_url,
    events: sameSet(wire.events, declared.events) ? declared.events : (wire.events as WebhookEvent[]),
    // An empty one cannot be declared, and means the same.
    description: filled(wire.description),
    enabled: !wire.disabled_at,
    signed: declared.signed,
    rotateSecret: declared.rotateSecret,
    overwrite: declared.overwrite,
    deletionPolicy: declared.deletionPolicy,
    // The id that addresses it, however the service spells it.
    webhookId: kept.webhookId,
    hasSecret: wire.has_secret,
    // The service shows a secret once. It stays known until signing stops.
    secret: wire.has_secret ? (wire.secret ?? kept.secret) : undefined,
    createdDate: kept.createdDate ?? wire.created_date,
    origin: kept.origin,
  };
}

export function objectName({ agentId, webhookId }: Address): string {
  return `webhook ${webhookId} of agent ${agentId}`;
}

/** Names a webhook of a response. */
export function nameOf(agentId: string, { id }: Pick<Wire, "id">): string {
  return objectName({ agentId, webhookId: id });
}

export function hasMoreToDo({ secretRotation, unconfirmed }: State): boolean {
  return secretRotation === "uncertain" || unconfirmed === true;
}
