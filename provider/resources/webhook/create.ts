import type { ServiceClient } from "../../service/client";
import { unlessInterrupted } from "../../service/clock";
import { messageOf, ProviderError, ReportedError, ServiceError } from "../../service/errors";
import { readAll } from "../../service/lists";
import type { Answer } from "../../service/operations";
import { createOnce, type Creation, type Finding, isSince, type Made, originByDate } from "../shared/create-once";
import type { Deployment, Step } from "../shared/deployment";
import { savingOnFailure } from "../shared/evidence";
import { claim } from "../shared/ownership";
import { createSettles, watch } from "../shared/watch";
import { adopt } from "./adopt";
import { callFor, digitsIn, type Inputs, markOf, objectName, type State, toState, type Wire } from "./webhook";
import { applyChanges } from "./write";

/*
 * Creating a webhook, once. While it is made, its description ends in a mark: `[pulumi:1f0c9a2-4b8d]`, the digits of the
 * resource and those of the command. The update that follows sets the declared description, and whatever else a create
 * request cannot say.
 */

type Created = Answer<"webhook.create">;

/** From this age on, a webhook with a mark counts as left by an earlier command. A younger one may be another command's. */
const orphanAge = 60_000;

export async function createNew(inputs: Inputs, identity: string | undefined, step: Step): Promise<State> {
  if (identity === undefined)
    throw new Error("internal error: a webhook is created without the digits of its resource");
  const before = await unlessInterrupted(step.clock, readBefore(inputs.agentId, step));
  const orphan = await findOrphan(inputs, identity, before, step);
  const taken = orphan && (await takeOver(orphan, inputs, step));
  if (taken !== undefined) return taken;
  const mark = markOf(identity, step);
  return createOnce(step, creation(inputs, mark, before, step), {
    finish: (made) => finish(inputs, mark, made, step),
    adopt: (id) => adopt({ ...inputs, overwrite: undefined }, id, step),
  });
}

async function finish(inputs: Inputs, mark: string, made: Made<Created>, step: Step): Promise<State> {
  if (made.mayHaveCopy) made.object = await keepOldest(made.object, inputs, mark, step);
  const { id, secret, created_date } = made.object;
  step.evidence.shownBy("webhook.create");
  const created: State = {
    ...inputs,
    description: marked(inputs.description, mark),
    enabled: true,
    signed: undefined,
    rotateSecret: undefined,
    webhookId: id,
    hasSecret: Boolean(secret),
    secret: secret ?? undefined,
    createdDate: created_date,
    unconfirmed: true,
  };
  // The webhook exists now: whatever fails must leave it in state.
  const declared = await savingOnFailure(created, `Webhook ${id} was created`, () =>
    setDeclared(created, inputs, step),
  );
  return { ...declared, origin: originByDate(made, declared.createdDate, objectName(declared), step) };
}

function creation(
  inputs: Inputs,
  mark: string,
  before: readonly Wire[],
  { service }: Deployment,
): Creation<Created, Wire> {
  const { agentId, targetUrl, events, description } = inputs;
  const parameters = { agent_id: agentId };
  const body = { target_url: targetUrl, events, description: marked(description, mark) };
  const key = JSON.stringify([agentId, mark]);
  return {
    what: "webhook",
    key,
    group: key,
    listedBy: "webhook.list",
    send: () => service.call("webhook.create", { parameters, body, hidden: description }),
    find: async (reader) => findMarked(await listWebhooks(inputs, reader), mark),
    isNew(created, since) {
      if (created.description?.includes(mark) === true) return true;
      if (before.some(({ id }) => id === created.id)) return false;
      // A description without the mark is another webhook's, unless a date tells that the service has changed it.
      return isSince(created.created_date, since) ?? (typeof created.description === "string" ? false : undefined);
    },
    objectName: ({ id }) => objectName({ agentId, webhookId: id }),
    next: [
      `Look in the service for a webhook whose description ends in ${mark}. Where the list shows it, \`pulumi up\` takes it over, a minute after its creation.`,
      "Where the list does not show it, `pulumi up` creates another one. Delete it before, or adopt it by its webhookId with overwrite: true.",
    ],
  };
}

/** `inputs`: what the service may repeat in an error, and must not be shown. */
function listWebhooks({ agentId, targetUrl, description }: Inputs, service: ServiceClient): Promise<Wire[]> {
  return readAll(service, "webhook.list", { agent_id: agentId }, [targetUrl, description]);
}

function marked(description: string | undefined, mark: string): string {
  return description === undefined ? mark : `${description} ${mark}`;
}

/** The webhook with the mark; the older one of two. */
function findMarked(rows: readonly Wire[], mark: string): Finding<Wire> {
  const [row] = rowsWith(mark, rows);
  if (row !== undefined) return { is: "found", row };
  return showDescriptions(rows) ? { is: "absent" } : { is: "doubtful", why: noDescriptions };
}

const noDescriptions = "The list shows no descriptions, so a webhook cannot be recognized by its mark.";

/** The webhooks whose description ends in the mark, the oldest first. */
function rowsWith(mark: string, rows: readonly Wire[]): Wire[] {
  return oldestFirst(rows.filter(({ description }) => description?.trimEnd().endsWith(mark) === true));
}

function oldestFirst(rows: readonly Wire[]): Wire[] {
  return [...rows].sort((one, other) => Date.parse(one.created_date) - Date.parse(other.created_date));
}

/** A service may leave out a description that is null. */
function showDescriptions(rows: readonly Wire[]): boolean {
  return rows.length === 0 || rows.some((row) => "description" in row);
}

/** Sets what is declared and takes the mark away. The response is the whole webhook, so it is also the first read. */
async function setDeclared(made: State, inputs: Inputs, { service, evidence }: Step): Promise<State> {
  const declared = await applyChanges(made, inputs, service);
  evidence.shownBy("webhook.update");
  return declared;
}

/** Where two requests were sent, both may have been carried out. The newer webhook is deleted. */
async function keepOldest(made: Created, inputs: Inputs, mark: string, deployment: Deployment): Promise<Created> {
  const { service, ledger, clock, warn } = deployment;
  const nameOf = ({ id }: { id: string }): string => objectName({ agentId: inputs.agentId, webhookId: id });
  try {
    const rows = await watch(clock, createSettles, async (isTimeLeft) => {
      const marked = rowsWith(mark, await listWebhooks(inputs, service));
      return isTimeLeft && marked.every(({ id }) => id === made.id) ? undefined : marked;
    });
    // A slow list may not show the one that the service answered with: it is the newer one then.
    const [oldest = made, ...copies] = rows.some(({ id }) => id === made.id) ? rows : [...rows, made];
    for (const copy of copies) await deleteCopy(copy.id, inputs, deployment);
    if (oldest.id !== made.id) {
      ledger.release(nameOf(made));
      claim(deployment, nameOf(oldest));
    }
    return oldest;
  } catch (error) {
    warn(`Both creates may have been carried out. A copy has ${mark} in its description. ${withoutItsWords(error)}`);
    return made;
  }
}

async function deleteCopy(webhookId: string, inputs: Inputs, { service, log }: Deployment): Promise<void> {
  const copy = { ...inputs, webhookId };
  await service.call("webhook.delete", callFor(copy));
  log(`The ${objectName(copy)} was deleted: it is the copy of a create that was carried out twice.`);
}

/** An error without the service's words, which may repeat a secret of any webhook. */
function withoutItsWords(error: unknown): string {
  return error instanceof ReportedError ? error.report.what : messageOf(error);
}

/** The webhook of this resource that an earlier command created, and that died before it set the description. */
async function findOrphan(
  inputs: Inputs,
  identity: string,
  before: readonly Wire[],
  deployment: Deployment,
): Promise<Wire | undefined> {
  const { agentId } = inputs;
  const { service, clock, ledger, warn } = deployment;
  const nameOf = ({ id }: Wire): string => objectName({ agentId, webhookId: id });
  const isFree = (object: string): boolean => !ledger.isManaged(object) && ledger.declaredBy(object) === undefined;
  const orphansIn = (rows: readonly Wire[]): Wire[] =>
    oldestFirst(rows.filter((row) => digitsIn(row.description) === identity && isFree(nameOf(row))));
  if (orphansIn(before).length === 0) return undefined;
  // Whoever made it may have finished or deleted it since.
  const [oldest, ...others] = orphansIn(await listWebhooks(inputs, service));
  if (oldest === undefined) return undefined;
  const now = service.serviceTime(clock.now()) ?? clock.now();
  const young = [oldest, ...others].find(({ created_date }) => now - Date.parse(created_date) < orphanAge);
  if (young !== undefined)
    throw new ProviderError({
      what: "The webhook was not created: another command may be creating it at this moment.",
      known: [`The ${nameOf(young)} has the mark of this resource in its description, and is not a minute old.`],
      next: ["Run `pulumi up` again in a minute. If no other command has finished it by then, it is taken over."],
    });
  for (const other of others)
    if (other.description === oldest.description) await deleteCopy(other.id, inputs, deployment);
    else
      warn(
        `The ${nameOf(other)} has the mark of this resource too. Delete it in the service, or adopt it by its webhookId with overwrite: true.`,
      );
  return oldest;
}

/** The agent's webhooks before this command created any. Empty, with a message, if the list cannot be read. */
function readBefore(agentId: string, { service, webhooksBefore, warn }: Deployment): Promise<readonly Wire[]> {
  const known = webhooksBefore.get(agentId);
  if (known !== undefined) return known;
  const unreadable = (error: unknown): readonly Wire[] => {
    warn(
      `Nothing tells whether an earlier command left a webhook of agent ${agentId} unfinished, so another one may be created. ${withoutItsWords(error)}`,
    );
    return [];
  };
  const read = async (): Promise<readonly Wire[]> => {
    if (!service.can("webhook.list")) throw service.endpoints.unavailable("webhook.list");
    const rows = await readAll(service.forSharedReads, "webhook.list", { agent_id: agentId });
    if (!showDescriptions(rows)) throw new ProviderError({ what: noDescriptions });
    return rows;
  };
  const rows = read().catch(unreadable);
  webhooksBefore.set(agentId, rows);
  return rows;
}

/**
 * Its lease keeps it if this resource replaces one that had it. Undefined where it is gone: a list may show for a while what
 * was deleted. After any other failure it is free again, and still has its mark.
 */
async function takeOver(orphan: Wire, inputs: Inputs, step: Step): Promise<State | undefined> {
  const { agentId, signed } = inputs;
  const { ledger, evidence, log } = step;
  const object = objectName({ agentId, webhookId: orphan.id });
  claim(step, object);
  log(`An earlier command created the ${object} and did not finish it. It is taken over.`);
  evidence.shownBy("webhook.create");
  const found = toState(inputs, orphan, { webhookId: orphan.id });
  // Its secret, if it has one, was in a response that nobody has.
  const secretRotation = signed === true ? "uncertain" : undefined;
  try {
    return await setDeclared({ ...found, rotateSecret: undefined, secretRotation }, inputs, step);
  } catch (error) {
    ledger.release(object);
    if (!(error instanceof ServiceError && error.status === 404 && !error.foreign)) throw error;
    log(`The ${object} is gone: ${error.reason}. Another one is created.`);
    return undefined;
  }
}
