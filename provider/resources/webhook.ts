import * as pulumi from "@pulumi/pulumi";
import { type Deployment, type Lifecycle, Unfinished } from "../engine/lifecycle";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import type { Service } from "../service/client";
import { isAbsent, isUncertain, Refusal } from "../service/errors";
import { readAll } from "../service/lists";
import { readingOperation, readWebhook } from "../service/webhooks";
import { createOnce, type Creation } from "./creation";
import { keeping, provesAbsence, unlessGone } from "./evidence";
import { sameMembers } from "./members";
import { claim, policyOf } from "./ownership";
import {
  type At,
  declaredIn,
  inputs,
  type Inputs,
  type Kept,
  type Made,
  type Patch,
  patchFor,
  type State,
  stateOf,
  type WebhookEvent,
  type Wire,
} from "./webhook-state";
import { sameUrl } from "./urls";

export type { WebhookEvent } from "./webhook-state";

/** Which events go where, or which webhook to adopt. */
export interface WebhookArgs {
  /** The agent's app id. A change replaces the webhook. */
  agentId: pulumi.Input<string>;
  /** Receives the events: a public https URL. */
  targetUrl: pulumi.Input<string>;
  /** One or more of `message.created`, `message.completed`; their order does not matter. */
  events: pulumi.Input<pulumi.Input<WebhookEvent>[]>;
  /** A label. Left out: none. */
  description?: pulumi.Input<string>;
  /**
   * Whether events are delivered. The service turns a webhook off after 20 failed deliveries in a row; `pulumi refresh`
   * finds that, and the next `up` turns it on again.
   * @default true
   */
  enabled?: pulumi.Input<boolean>;
  /** Whether deliveries are signed. Left out: signing is left as it is. */
  signed?: pulumi.Input<boolean>;
  /** Any text; a change of it generates a new signing secret. Adoption never does. */
  rotateSecret?: pulumi.Input<string>;
  /** Adopts this existing webhook instead of creating one. A change to another id replaces. */
  webhookId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it, `disable` it (turn it off and leave it), or `retain` it as it is.
   * @default `delete` for a webhook that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "disable" | "retain">;
}

export const webhookLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  defaults: () => ({ enabled: true }),
  rules: [
    {
      properties: ["rotateSecret", "signed"],
      problem: ({ rotateSecret, signed }) =>
        rotateSecret !== undefined && signed === false ? "cannot rotate a secret while signed is false" : undefined,
    },
  ],
  declares: [
    {
      properties: ["webhookId", "agentId"],
      object: ({ agentId, webhookId = "" }) => claimOf({ agentId, webhookId }),
    },
  ],
  replacedBy: ["agentId", "webhookId"],
  same: {
    targetUrl: (state, { targetUrl }) => sameUrl(state.targetUrl, targetUrl),
    events: (state, { events }) => sameMembers(state.events, events),
    // Leaving the id out after adoption changes nothing: the state knows which webhook it is.
    webhookId: (state, { webhookId }) => webhookId === undefined || webhookId === state.webhookId,
  },
  creatingNeeds: ({ webhookId }) =>
    webhookId === undefined
      ? [{ operation: "webhook.create", instead: "Or adopt an existing webhook by its webhookId." }]
      : [],
  isUnfinished: (state) => state.secretRotation === "uncertain" || state.unconfirmed === true,
  claimOf,
  idOf: (state) => state.webhookId,
  inputsOf: (state) =>
    state.origin === "adopted" ? { ...declaredIn(state), webhookId: state.webhookId } : declaredIn(state),

  create: (inputs, deployment) =>
    inputs.webhookId === undefined ? make(inputs, deployment) : adopt(inputs, inputs.webhookId, deployment),

  async read(state, deployment) {
    const found = await find(state, deployment.service);
    if (found === undefined) return undefined;
    const signed = state.signed === undefined ? undefined : found.wire.has_secret;
    return { ...stateOf({ ...state, signed }, found.wire, found.kept), secretRotation: state.secretRotation };
  },

  async update(state, inputs, deployment) {
    const isKnown = state.readBy !== undefined && state.unconfirmed === undefined;
    return settle(isKnown ? state : await readAgain(state, inputs, deployment), inputs, deployment);
  },

  async delete(state, { service, say }) {
    switch (policyOf(state)) {
      case "retain":
        say(`Webhook ${state.webhookId} is retained: it leaves the stack, not the service.`);
        return;
      case "disable":
        return turnOff(state, service);
      case "delete":
        return remove(state, service);
    }
  },
};

/** Creates, reads back once, then sends what creating cannot say: `enabled: false` and signing. */
async function make(inputs: Inputs, deployment: Deployment): Promise<State> {
  const made = await createOnce(deployment, creation(inputs, deployment.service));
  const first: State = {
    ...inputs,
    enabled: true,
    signed: undefined,
    rotateSecret: undefined,
    webhookId: made.id,
    hasSecret: Boolean(made.secret),
    secret: made.secret ?? undefined,
    createdDate: made.created_date,
  };
  // The webhook exists now: whatever fails must leave it in state.
  const created = `Webhook ${made.id} was created`;
  const read = await keeping(first, created, () => readAgain(first, inputs, deployment));
  return keeping(read, created, () => settle(read, inputs, deployment));
}

function creation({ agentId, targetUrl, events, description }: Inputs, service: Service): Creation<Made, Wire> {
  const parameters = { agent_id: agentId };
  const body = { target_url: targetUrl, events, ...(description === undefined ? {} : { description }) };
  return {
    what: "webhook",
    key: JSON.stringify([agentId, new URL(targetUrl).href, [...new Set(events)].sort(), description]),
    send: () => service.call("webhook.create", { parameters, body }),
    list: () => readAll(service, "webhook.list", parameters, targetUrl),
    isAsSent: (wire) =>
      sameUrl(wire.target_url, targetUrl) &&
      sameMembers(wire.events, events) &&
      (wire.description ?? undefined) === description,
    createdDate: (wire) => wire.created_date,
    idOf: (made) => made.id,
    claimOf: (made) => claimOf({ agentId, webhookId: made.id }),
    adoptBy: "webhookId",
  };
}

/**
 * Reads a webhook that was just created, so that a later 404 of the same endpoint is evidence, or whose last answer was
 * lost, so that what is sent next is compared with the truth.
 */
async function readAgain(state: State, inputs: Inputs, { service, say }: Deployment): Promise<State> {
  const found = await find(state, service).catch(async (error: unknown) => {
    if (!isAbsent(error)) throw error;
    const wire = await change(state, {}, service);
    say(`Webhook ${state.webhookId} can be neither refreshed nor found missing: ${error.message}`);
    return { wire, kept: { ...state, readBy: service.endpoints.mark("webhook.update") } };
  });
  if (found === undefined)
    throw new Refusal(`Webhook ${state.webhookId} is not there any more: run \`pulumi refresh\`, then \`pulumi up\`.`);
  const read = stateOf(state, found.wire, found.kept);
  // Of our own webhook a secret can be unknown only because it was in a lost answer.
  const isLost = inputs.signed === true && read.hasSecret && read.secret === undefined && read.origin !== "adopted";
  return { ...read, secretRotation: isLost ? "uncertain" : state.secretRotation };
}

/** Takes over an existing webhook: reads it, then sends only what differs. An existing secret is never rotated. */
async function adopt(inputs: Inputs, webhookId: string, deployment: Deployment): Promise<State> {
  const { agentId, targetUrl, rotateSecret } = inputs;
  claim(deployment, claimOf({ agentId, webhookId }));
  const found = await find({ agentId, webhookId, targetUrl, origin: "adopted" }, deployment.service);
  if (found === undefined)
    throw new Refusal(`There is no webhook ${webhookId} on agent ${agentId} to adopt: check webhookId and agentId.`);
  return settle({ ...stateOf(inputs, found.wire, found.kept), rotateSecret }, inputs, deployment);
}

/** Sends what differs, and only that; answers with what the service then holds. */
async function settle(state: State, inputs: Inputs, { service }: Deployment): Promise<State> {
  let current = state;
  let patch = patchFor(current, inputs);
  // A second pass for what changed meanwhile, such as the service turning the webhook off.
  for (let pass = 1; Object.keys(patch).length > 0; pass++) {
    if (pass === 3) throw new Unfinished(current, notApplied(current, patch));
    const sent = send(current, patch, service);
    // What a first pass brought, a new secret above all, must survive the failure of a second.
    const wire = await (pass === 1 ? sent : keeping(current, `Webhook ${current.webhookId} was changed`, () => sent));
    current = stateOf(inputs, wire, current);
    patch = patchFor(current, inputs);
  }
  return { ...current, ...declaredIn(inputs), secretRotation: undefined };
}

/** Sends a change. What an uncertain one leaves open is remembered: a rotation above all, whose secret may be lost. */
async function send(state: State, patch: Patch, service: Service): Promise<Wire> {
  const isRotation = patch.signing === "rotate";
  const open = (why: string): Unfinished =>
    new Unfinished(
      { ...state, unconfirmed: true, secretRotation: isRotation ? "uncertain" : state.secretRotation },
      isRotation
        ? `${why} Webhook ${state.webhookId} may sign with a secret that nobody has seen: run \`pulumi up\` again to generate one that is kept.`
        : `${why} Run \`pulumi up\` again: it reads webhook ${state.webhookId} before it sends anything.`,
    );
  let wire: Wire;
  try {
    wire = await change(state, patch, service);
  } catch (error) {
    throw isUncertain(error) ? open(error.message) : error;
  }
  if (isRotation && !wire.secret) throw open("The service answered the rotation without the new secret.");
  return wire;
}

function notApplied({ webhookId }: State, patch: Patch): string {
  return `The service answered 200, but webhook ${webhookId} still differs in ${Object.keys(patch).join(", ")}: declare the value that the service keeps.`;
}

function change(state: State, patch: Patch, service: Service): Promise<Wire> {
  return service.call("webhook.update", {
    ...about(state),
    body: { ...patch },
    repeatable: patch.signing !== "rotate",
  });
}

/** How a webhook is named in a call, and what the service may say of it that is not to be shown. */
function about(state: At & Partial<State>) {
  return { parameters: { agent_id: state.agentId, webhook_id: state.webhookId }, secrets: secretsOf(state) };
}

/** The target may hold a key. */
function secretsOf({ targetUrl, secret }: Partial<State>): string[] {
  return [targetUrl, secret].filter((known) => known !== undefined);
}

/** The webhook as it is; undefined only on evidence that it is gone. */
async function find(at: At & Kept & Partial<State>, service: Service): Promise<{ wire: Wire; kept: Kept } | undefined> {
  const wire = await unlessGone(service, at.readBy, () => readWebhook(service, at, secretsOf(at)));
  return wire && { wire, kept: { ...at, readBy: service.endpoints.mark(readingOperation(service)) } };
}

async function turnOff(state: State, service: Service): Promise<void> {
  try {
    await change(state, { enabled: false }, service);
  } catch (error) {
    if (!provesAbsence(error, service, state.readBy)) throw error;
  }
}

async function remove(state: State, service: Service): Promise<void> {
  if (!service.can("webhook.delete"))
    throw new Refusal(
      `${service.endpoints.unavailable("webhook.delete")} Or set deletionPolicy to "disable" or "retain", run \`pulumi up\`, then destroy.`,
    );
  try {
    await service.call("webhook.delete", about(state));
  } catch (error) {
    // Is it the webhook that is not there, or the assumed path?
    if (!isAbsent(error) || (await find(state, service)) !== undefined) throw error;
  }
}

function claimOf({ agentId, webhookId }: At): string {
  return `webhook ${webhookId} of agent ${agentId}`;
}

const kind: Kind = {
  name: "Webhook",
  outputs: [...Object.keys(inputs.shape), "hasSecret", "secret", "createdDate"],
  secretOutputs: ["secret"],
  adoptedBy: "webhookId",
};

/**
 * A webhook subscription of an agent: the service sends `message.created` and `message.completed` events to a public
 * https URL.
 *
 * Changing, disabling and signing are documented by the service; creating, reading and deleting rest on assumed paths,
 * which `workspace-apps:endpoints` can change. Only changed fields are sent. A change of `agentId`, or to another
 * `webhookId`, replaces the webhook. Destroy deletes a webhook that this stack created and retains an adopted one,
 * unless `deletionPolicy` says otherwise.
 *
 * ```ts
 * const hook = new apps.Webhook("replies", {
 *     agentId: "agent-1",
 *     targetUrl: "https://hooks.example.com/replies",
 *     events: ["message.completed"],
 *     signed: true,
 * });
 * export const signingSecret = hook.secret;
 * ```
 */
export class Webhook extends pulumi.CustomResource {
  declare readonly agentId: pulumi.Output<string>;
  declare readonly targetUrl: pulumi.Output<string>;
  declare readonly events: pulumi.Output<WebhookEvent[]>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly enabled: pulumi.Output<boolean>;
  declare readonly signed: pulumi.Output<boolean | undefined>;
  declare readonly rotateSecret: pulumi.Output<string | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. */
  declare readonly webhookId: pulumi.Output<string>;
  /** Whether deliveries are signed. */
  declare readonly hasSecret: pulumi.Output<boolean>;
  /** The signing secret, always a Pulumi secret. Unknown to this package for an adopted webhook until it is rotated. */
  declare readonly secret: pulumi.Output<string | undefined>;
  /** When the service created it, ISO 8601. */
  declare readonly createdDate: pulumi.Output<string>;

  constructor(name: string, args: WebhookArgs, options?: pulumi.CustomResourceOptions) {
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
