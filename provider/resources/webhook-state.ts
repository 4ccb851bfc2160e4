import { z } from "zod";
import type { Answer } from "../service/operations";
import { publicUrlProblem } from "../service/public-url";
import { webhookEvent } from "../service/shapes";
import { flag, identifier, oneOf, text } from "../arguments";
import { sameMembers } from "./members";
import type { Origin } from "./ownership";
import { sameUrl } from "./urls";

/* What a webhook is declared as, what is kept of it, and the two ways between: from wire to state, from wish to update. */

/** An event that an agent's webhook can deliver. */
export type WebhookEvent = z.infer<typeof webhookEvent>;

export const inputs = z.strictObject({
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
  description: text().min(1, "must not be empty: leave it out to have none").optional(),
  enabled: flag().default(true),
  signed: flag().optional(),
  rotateSecret: text().min(1, "must not be empty: leave it out to rotate nothing").optional(),
  webhookId: identifier().optional(),
  deletionPolicy: oneOf(["delete", "disable", "retain"]).optional(),
});

export type Inputs = z.output<typeof inputs>;

type Declared = Omit<Inputs, "webhookId">;

export interface State extends Declared {
  webhookId: string;
  hasSecret: boolean;
  secret?: string | undefined;
  createdDate?: string | undefined;
  origin?: Origin | undefined;
  /** The endpoint through which this webhook has been read, which makes a 404 of it evidence. */
  readBy?: string | undefined;
  /** The answer to a rotation was lost, and with it perhaps the secret: the next `up` rotates again. */
  secretRotation?: "uncertain" | undefined;
  /** The answer to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
}

export type Wire = Answer<"webhook.update">;
export type Made = Answer<"webhook.create">;

/** Where a webhook is. */
export type At = Pick<State, "agentId" | "webhookId">;

/** What state holds beside what the service answers. */
export type Kept = Pick<State, "webhookId" | "origin" | "readBy" | "secret" | "createdDate">;

/** The fields of an update: only those that change. */
export interface Patch {
  target_url?: string;
  events?: string[];
  description?: string | null;
  enabled?: boolean;
  signing?: "rotate" | "disable";
}

/**
 * From wire to state. What is equal in meaning stays as it was declared, so that it shows no difference. Every argument by
 * name, also those that are not given: of a spread V8 leaves several times as much behind.
 */
export function stateOf(declared: Declared, wire: Wire, kept: Kept): State {
  return {
    agentId: declared.agentId,
    targetUrl: sameUrl(wire.target_url, declared.targetUrl) ? declared.targetUrl : wire.target_url,
    events: sameMembers(wire.events, declared.events) ? declared.events : (wire.events as WebhookEvent[]),
    description: wire.description ?? undefined,
    enabled: !wire.disabled_at,
    signed: declared.signed,
    rotateSecret: declared.rotateSecret,
    deletionPolicy: declared.deletionPolicy,
    // The id by which it is addressed, however the service spells it.
    webhookId: kept.webhookId,
    hasSecret: wire.has_secret,
    // The service shows a secret once; it stays known until signing stops.
    secret: wire.has_secret ? (wire.secret ?? kept.secret) : undefined,
    createdDate: kept.createdDate ?? wire.created_date,
    origin: kept.origin,
    readBy: kept.readBy,
  } satisfies Partial<State> & Record<keyof Declared, unknown>;
}

/** Every argument, also those that are not given: what leaves the program must leave the state. */
export function declaredIn(from: Declared): Declared {
  const { agentId, targetUrl, events, description, enabled, signed, rotateSecret, deletionPolicy } = from;
  return { agentId, targetUrl, events, description, enabled, signed, rotateSecret, deletionPolicy };
}

export function patchFor(state: State, inputs: Inputs): Patch {
  const signing = signingFor(state, inputs);
  return {
    ...(sameUrl(state.targetUrl, inputs.targetUrl) ? {} : { target_url: inputs.targetUrl }),
    ...(sameMembers(state.events, inputs.events) ? {} : { events: inputs.events }),
    ...(state.description === inputs.description ? {} : { description: inputs.description ?? null }),
    ...(state.enabled === inputs.enabled ? {} : { enabled: inputs.enabled }),
    ...(signing === undefined ? {} : { signing }),
  };
}

/** What an update must say of signing; undefined: nothing. */
export function signingFor(
  state: Partial<State>,
  { signed, rotateSecret }: Partial<Inputs>,
): "rotate" | "disable" | undefined {
  const lost = state.secretRotation === "uncertain";
  if (signed === false) return state.hasSecret || lost ? "disable" : undefined;
  const asked = rotateSecret !== undefined && rotateSecret !== state.rotateSecret;
  return asked || lost || (signed === true && !state.hasSecret) ? "rotate" : undefined;
}
