import { z } from "zod";
import { flag, identifier, oneOf, text } from "../../arguments";
import { previewRefresh } from "../../service/advice";
import type { ServiceClient } from "../../service/client";
import { isAbsent, isUncertain, knownFrom, nextFrom, ProviderError } from "../../service/errors";
import { readAll } from "../../service/lists";
import type { Answer } from "../../service/operations";
import { publicUrlProblem } from "../../service/public-url";
import { filled, webhookEvent } from "../../service/shapes";
import { isWhole, readingOperation, readWebhook } from "../../service/webhooks";
import { parseUrl } from "../../service/urls";
import { type Difference, hidden, presence, requireNoDifference } from "../shared/adoption";
import { sameSet, sameUrl } from "../shared/compare";
import { createOnce, type Creation } from "../shared/create-once";
import type { Deployment } from "../shared/deployment";
import {
  cannotRead,
  provesAbsence,
  readToAdopt,
  readUnlessGone,
  savingOnFailure,
  stillExists,
  notFound,
} from "../shared/evidence";
import { importing, stillNotDeclared } from "../shared/importing";
import { everyArgument, type Lifecycle, PartialFailure } from "../shared/lifecycle";
import { claimWhile, deletionPolicyOf, type Origin } from "../shared/ownership";
import { findInList } from "../shared/read-by-list";

type WebhookEvent = z.infer<typeof webhookEvent>;

const schema = z.strictObject({
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

type Inputs = z.output<typeof schema>;

export interface State extends Inputs {
  webhookId: string;
  hasSecret: boolean;
  secret?: string | undefined;
  createdDate?: string | undefined;
  origin?: Origin | undefined;
  /** Where it was created, or the endpoint that has read it since, which makes a 404 of that endpoint evidence. */
  readBy?: string | undefined;
  /** The response to a rotation was lost, and with it perhaps the secret: the next `up` rotates again. */
  secretRotation?: "uncertain" | undefined;
  /** The response to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
  /** Of an imported webhook: its first declared `rotateSecret` is remembered, and rotates nothing. */
  notYetDeclared?: "rotateSecret"[] | undefined;
}

type Wire = Answer<"webhook.update">;
type Address = Pick<State, "agentId" | "webhookId">;

export const webhookLifecycle: Lifecycle<Inputs, State> = {
  kind: "Webhook",
  purpose: "Sends an agent's message events to a URL",
  inputs: schema,
  outputs: ["hasSecret", "secret", "createdDate"],
  secretOutputs: ["secret"],
  defaults: { enabled: true },
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
      object: ({ agentId, webhookId = "" }) => objectName({ agentId, webhookId }),
    },
  ],
  adoptedBy: "webhookId",
  importing: importing(schema, { id: ["agentId", "webhookId"], objectName, read: readImported }),
  notYetDeclared: ({ notYetDeclared = [] }) => notYetDeclared,
  onlyAtCreation: ["overwrite"],
  leftAlone: ["signed"],
  replacedBy: ["agentId", "webhookId"],
  equal: {
    targetUrl: (state, { targetUrl }) => sameUrl(state.targetUrl, targetUrl),
    events: (state, { events }) => sameSet(state.events, events),
    // Leaving the id out after adoption changes nothing: the state knows which webhook it is.
    webhookId: (state, { webhookId }) => webhookId === undefined || webhookId === state.webhookId,
  },
  outputsChangedBy: changedOutputs,
  requiredOperations: ({ webhookId }) =>
    webhookId === undefined
      ? [{ operation: "webhook.create", instead: "Or adopt an existing webhook by its webhookId." }]
      : [],
  isUnfinished,
  objectName,
  idOf: (state) => state.webhookId,

  create(inputs, deployment) {
    const { webhookId } = inputs;
    if (webhookId === undefined) return createNew(inputs, deployment);
    return claimWhile(deployment, objectName({ ...inputs, webhookId }), () => adopt(inputs, webhookId, deployment));
  },

  async read(state, deployment) {
    const found = (await listed(state, deployment)) ?? (await find(state, deployment.service));
    if (found === undefined) return undefined;
    const { secretRotation } = state;
    const signed = state.signed === undefined ? undefined : found.hasSecret;
    return { ...found, signed, rotateSecret: state.rotateSecret, secretRotation };
  },

  async update(state, inputs, deployment) {
    const isKnown = state.readBy !== undefined && state.unconfirmed === undefined;
    const current = isKnown ? state : await readAgain(state, inputs, deployment);
    const changed = await applyChanges(current, inputs, deployment.service);
    if (state.notYetDeclared !== undefined && changed.notYetDeclared === undefined)
      deployment.log(
        `Webhook ${state.webhookId}: rotateSecret is remembered, and the secret was not rotated, because it is declared for the first time since the import. Change it to rotate the secret.`,
      );
    return changed;
  },

  async delete(state, { service, log }) {
    const policy = deletionPolicyOf(state);
    if (policy === "retain") {
      log(`Webhook ${state.webhookId} is retained: it leaves the stack, not the service.`);
      return;
    }
    await (policy === "disable" ? disable(state, service) : remove(state, service));
  },
};

/** Creates, reads back once, then sends what a create request cannot say: `enabled: false` and signing. */
function createNew(inputs: Inputs, deployment: Deployment): Promise<State> {
  return createOnce(deployment, creation(inputs, deployment.service), async (created) => {
    const first: State = {
      ...inputs,
      enabled: true,
      signed: undefined,
      rotateSecret: undefined,
      webhookId: created.id,
      hasSecret: Boolean(created.secret),
      secret: created.secret ?? undefined,
      createdDate: created.created_date,
      readBy: deployment.service.endpoints.evidence("webhook.create"),
      unconfirmed: true,
    };
    // The webhook exists now: whatever fails must leave it in state.
    const done = `Webhook ${created.id} was created`;
    const read = await savingOnFailure(first, done, () => readAgain(first, inputs, deployment));
    return savingOnFailure(read, done, () => applyChanges(read, inputs, deployment.service));
  });
}

function creation(
  { agentId, targetUrl, events, description }: Inputs,
  service: ServiceClient,
): Creation<Answer<"webhook.create">, Wire> {
  const parameters = { agent_id: agentId };
  const body = { target_url: targetUrl, events, ...(description === undefined ? {} : { description }) };
  return {
    what: "webhook",
    key: JSON.stringify([agentId, new URL(targetUrl).href, [...new Set(events)].sort(), description]),
    send: () => service.call("webhook.create", { parameters, body }),
    list: () => readAll(service, "webhook.list", parameters, [targetUrl, description]),
    isAsSent: (wire) =>
      sameUrl(wire.target_url, targetUrl) && sameSet(wire.events, events) && filled(wire.description) === description,
    createdDate: (wire) => wire.created_date,
    idOf: (wire) => wire.id,
    objectName: (wire) => objectName({ agentId, webhookId: wire.id }),
    adoptedBy: "webhookId",
  };
}

function isUnfinished({ secretRotation, unconfirmed }: State): boolean {
  return secretRotation === "uncertain" || unconfirmed === true;
}

/** Signing changes the secret. A webhook that is read before it is changed may differ in everything. */
function changedOutputs(state: State, inputs: Inputs): readonly string[] {
  if (isUnfinished(state) || state.readBy === undefined) return webhookLifecycle.outputs;
  const { signed } = inputs;
  // A value that is not known during preview is neither true nor false.
  const mayBeSwitched = signed !== undefined && signed !== state.hasSecret;
  return mayBeSwitched || signingFor(state, inputs) !== undefined ? ["hasSecret", "secret"] : [];
}

/** The webhook to import, as a program would declare it. */
async function readImported(address: Address, { service }: Deployment): Promise<State> {
  const notDeclared = { targetUrl: "", events: [], enabled: true, hasSecret: false };
  const found = await findToAdopt({ ...notDeclared, ...address, origin: "adopted" }, service);
  return { ...found, signed: found.hasSecret ? true : undefined, notYetDeclared: ["rotateSecret"] };
}

async function findToAdopt(state: State, service: ServiceClient): Promise<State> {
  const found = await readToAdopt(objectName(state), () => find(state, service));
  if (found !== undefined) return found;
  throw new ProviderError({
    what: notFound(objectName(state)),
    next: ["Check webhookId and agentId."],
  });
}

/** Adopts an existing webhook. With `overwrite`, it sends what differs. An existing secret is never rotated. */
async function adopt(inputs: Inputs, webhookId: string, deployment: Deployment): Promise<State> {
  const found = await findToAdopt({ ...inputs, webhookId, hasSecret: false, origin: "adopted" }, deployment.service);
  const adopted: State = { ...found, rotateSecret: inputs.rotateSecret };
  const differing = Object.keys(patchFor(adopted, inputs)) as (keyof Patch)[];
  const differences = differing.map((name) => differenceIn[name](adopted, inputs));
  requireNoDifference(objectName(adopted), differences, inputs);
  return applyChanges(adopted, inputs, deployment.service);
}

/** How a difference is shown, by the field that an update would send. */
const differenceIn: { readonly [Name in keyof Patch]-?: (found: State, declared: Inputs) => Difference } = {
  target_url: (found, declared) => ({
    name: "targetUrl",
    found: originOf(found.targetUrl),
    declared: originOf(declared.targetUrl),
  }),
  events: (found, declared) => ({
    name: "events",
    found: found.events.join(", "),
    declared: declared.events.join(", "),
  }),
  description: (found, declared) => ({
    name: "description",
    found: presence(found.description),
    declared: presence(declared.description),
  }),
  enabled: (found, declared) => ({ name: "enabled", found: String(found.enabled), declared: String(declared.enabled) }),
  signing: (found, declared) => ({ name: "signed", found: String(found.hasSecret), declared: String(declared.signed) }),
};

/** The rest of a target may be a key. */
function originOf(url: string): string {
  const origin = parseUrl(url)?.origin;
  return origin === undefined ? hidden : `${origin}/${hidden}`;
}

/**
 * Reads a webhook that was just created, so that a later 404 of the same endpoint is evidence, or whose last response was
 * lost, so that the next change is compared with the truth.
 */
async function readAgain(state: State, inputs: Inputs, { service, log }: Deployment): Promise<State> {
  const found = await find(state, service).catch(async (error: unknown) => {
    if (!isAbsent(error)) throw error;
    const wire = await sendUpdate(state, {}, service);
    log(cannotRead(objectName(state), error));
    return toState(state, wire, { ...state, readBy: service.endpoints.evidence("webhook.update") });
  });
  if (found === undefined)
    throw new ProviderError({
      what: `Webhook ${state.webhookId} was not found.`,
      next: ["Check the token first: perhaps it does not reach the webhook.", previewRefresh],
    });
  // The secret of a webhook that this stack created can only be unknown because its response was lost.
  const isLost = inputs.signed === true && found.hasSecret && found.secret === undefined && found.origin !== "adopted";
  return { ...found, secretRotation: isLost ? "uncertain" : state.secretRotation };
}

/** The webhook as it is now; undefined only on evidence that it is gone. */
async function find(state: State, service: ServiceClient): Promise<State | undefined> {
  const wire = await readUnlessGone(objectName(state), service, state.readBy, () =>
    readWebhook(service, state, secretsOf(state)),
  );
  const { endpoints } = service;
  return (
    wire && toState(state, wire, { ...state, readBy: endpoints.evidence(readingOperation(service), state.readBy) })
  );
}

/** The webhook by a list that shows it as it is in state. One that differs may only be shown in short. */
async function listed(state: State, deployment: Deployment): Promise<State | undefined> {
  const { agentId, webhookId, readBy } = state;
  const reading = {
    list: "webhook.list",
    parameters: { agent_id: agentId },
    minReads: 2,
    get: readingOperation(deployment.service),
  } as const;
  const wire = await findInList(webhookId, reading, readBy, deployment);
  if (wire === undefined || !isWhole(wire)) return undefined;
  // A list that shows a secret in short must not take the place of the only copy.
  const found = { ...toState(state, wire, state), secret: state.secret };
  return found.hasSecret === state.hasSecret && Object.keys(patchFor(found, state)).length === 0 ? found : undefined;
}

/** Sends only what differs, and returns what the service then holds. */
async function applyChanges(state: State, inputs: Inputs, service: ServiceClient): Promise<State> {
  let current = state;
  let patch = patchFor(current, inputs);
  // A second pass for what changed meanwhile, such as the service turning the webhook off.
  for (let pass = 1; Object.keys(patch).length > 0; pass++) {
    if (pass === 3) throw new PartialFailure(current, notApplied(current, patch));
    const sent = send(current, patch, service);
    // What a first pass brought, a new secret above all, must survive the failure of a second.
    const done = `Webhook ${current.webhookId} was changed`;
    const wire = await (pass === 1 ? sent : savingOnFailure(current, done, () => sent));
    current = toState(inputs, wire, current);
    patch = patchFor(current, inputs);
  }
  return {
    ...current,
    ...everyArgument<Inputs, "webhookId">(schema, inputs, "webhookId"),
    secretRotation: undefined,
    notYetDeclared: stillNotDeclared(current, inputs),
  };
}

/** The fields of an update: only those that change. */
interface Patch {
  target_url?: string;
  events?: string[];
  description?: string | null;
  enabled?: boolean;
  signing?: "rotate" | "disable";
}

function patchFor(state: State, inputs: Inputs): Patch {
  const signing = signingFor(state, inputs);
  return {
    ...(sameUrl(state.targetUrl, inputs.targetUrl) ? {} : { target_url: inputs.targetUrl }),
    ...(sameSet(state.events, inputs.events) ? {} : { events: inputs.events }),
    ...(state.description === inputs.description ? {} : { description: inputs.description ?? null }),
    ...(state.enabled === inputs.enabled ? {} : { enabled: inputs.enabled }),
    ...(signing === undefined ? {} : { signing }),
  };
}

/** What an update must say about signing; undefined: nothing. */
export function signingFor(
  state: Partial<State>,
  { signed, rotateSecret }: Partial<Inputs>,
): "rotate" | "disable" | undefined {
  const isLost = state.secretRotation === "uncertain";
  if (signed === false) return state.hasSecret || isLost ? "disable" : undefined;
  const isFirst = state.notYetDeclared?.includes("rotateSecret") === true;
  const isAsked = rotateSecret !== undefined && rotateSecret !== state.rotateSecret && !isFirst;
  return isAsked || isLost || (signed === true && !state.hasSecret) ? "rotate" : undefined;
}

/** Sends a change. The state remembers what an uncertain one leaves open: a rotation above all, whose secret may be lost. */
async function send(state: State, patch: Patch, service: ServiceClient): Promise<Wire> {
  const isRotation = patch.signing === "rotate";
  const uncertain = (known: readonly string[], next: readonly string[] = []): PartialFailure =>
    new PartialFailure(
      { ...state, unconfirmed: true, secretRotation: isRotation ? "uncertain" : state.secretRotation },
      {
        what: isRotation
          ? `Webhook ${state.webhookId} may sign with a secret that nobody has seen.`
          : `It is uncertain whether webhook ${state.webhookId} was changed.`,
        known,
        next: [
          ...next,
          isRotation
            ? "Run `pulumi up` again. It generates a secret that is kept."
            : "Run `pulumi up` again. It reads the webhook before it sends anything.",
        ],
      },
    );
  let wire: Wire;
  try {
    wire = await sendUpdate(state, patch, service);
  } catch (error) {
    throw isUncertain(error) ? uncertain(knownFrom(error), nextFrom(error)) : error;
  }
  if (isRotation && !wire.secret) throw uncertain(["The service answered the rotation without the new secret."]);
  return wire;
}

function notApplied({ webhookId }: State, patch: Patch) {
  return {
    what: `The service answered 200, but webhook ${webhookId} still differs in ${Object.keys(patch).join(", ")}.`,
    next: ["Declare the value that the service keeps."],
  };
}

function sendUpdate(state: State, patch: Patch, service: ServiceClient): Promise<Wire> {
  return service.call("webhook.update", {
    ...callFor(state),
    body: { ...patch },
    repeatable: patch.signing !== "rotate",
  });
}

async function disable(state: State, service: ServiceClient): Promise<void> {
  try {
    await sendUpdate(state, { enabled: false }, service);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    if (provesAbsence(error, service, state.readBy)) return;
    if ((await find(state, service)) !== undefined) throw error;
  }
}

async function remove(state: State, service: ServiceClient): Promise<void> {
  if (!service.can("webhook.delete"))
    throw service.endpoints.unavailable(
      "webhook.delete",
      'Or set deletionPolicy to "disable" or "retain", run `pulumi up`, then destroy.',
    );
  try {
    await service.call("webhook.delete", callFor(state));
  } catch (error) {
    // Is the webhook gone, or is the assumed path wrong?
    if (!isAbsent(error)) throw error;
    if ((await find(state, service)) !== undefined) throw stillExists(objectName(state), error);
  }
}

/** The path parameters of a call, and what the service may repeat and must not be shown. */
function callFor(state: State) {
  return { parameters: { agent_id: state.agentId, webhook_id: state.webhookId }, ...secretsOf(state) };
}

/** The target may hold a key. The description may be a secret of the program, and also a word of any message. */
function secretsOf({ targetUrl, secret, description }: State) {
  return { secrets: secret === undefined ? [targetUrl] : [targetUrl, secret], hidden: description };
}

/**
 * From wire to state. What is equal in meaning stays as it was declared, so that it shows no difference. Every argument is
 * named: a spread costs V8 several times the memory.
 */
function toState(
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
    readBy: kept.readBy,
    notYetDeclared: kept.notYetDeclared,
  };
}

function objectName({ agentId, webhookId }: Address): string {
  return `webhook ${webhookId} of agent ${agentId}`;
}
