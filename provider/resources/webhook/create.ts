import type { Answer } from "../../service/operations";
import {
  createOnce,
  type Creation,
  findCreated,
  type Finding,
  isSince,
  type Made,
  originByDate,
} from "../shared/create-once";
import type { Deployment, Step } from "../shared/deployment";
import { claim } from "../shared/ownership";
import { savingOnFailure } from "../shared/partial-failure";
import type { UnfinishedCreate } from "../shared/unfinished-create";
import { createSettles, watch } from "../shared/watch";
import { adopt } from "./adopt";
import {
  deleteCopy,
  hasMark,
  listWebhooks,
  marked,
  markOf,
  noDescriptions,
  rowsWith,
  setDeclared,
  showDescriptions,
  withoutItsWords,
} from "./mark";
import { readBefore, takeOverOrphan } from "./orphan";
import { type Inputs, nameOf, objectName, type State, type Wire } from "./webhook";

/* Creating a webhook, once. Its mark tells it apart from every other webhook, whatever their values. */

type Created = Answer<"webhook.create">;

export async function createNew(inputs: Inputs, resourceDigits: string | undefined, step: Step): Promise<State> {
  const digits = requireDigits(resourceDigits);
  const before = await readBefore(inputs.agentId, step);
  const orphan = await takeOverOrphan(inputs, digits, before, step);
  return orphan ?? createOnce(step, creation(inputs, digits, before, step));
}

/** Looks for the webhook of an uncertain create of this command. */
export function findUnfinished(
  inputs: Inputs,
  unfinished: UnfinishedCreate,
  isRepeated: boolean,
  step: Step,
  resourceDigits: string | undefined,
): Promise<State | undefined> {
  return findCreated(step, creation(inputs, requireDigits(resourceDigits), [], step), unfinished, isRepeated);
}

function requireDigits(resourceDigits: string | undefined): string {
  if (resourceDigits !== undefined) return resourceDigits;
  throw new Error("internal error: a webhook is created without the digits of its resource");
}

function creation(
  inputs: Inputs,
  resourceDigits: string,
  before: readonly Wire[],
  step: Step,
): Creation<Created, State> {
  const { agentId, targetUrl, events, description } = inputs;
  const mark = markOf(resourceDigits, step);
  const parameters = { agent_id: agentId };
  const body = { target_url: targetUrl, events, description: marked(description, mark) };
  return {
    what: "webhook",
    group: `webhook ${mark} of agent ${agentId}`,
    listedBy: "webhook.list",
    send: () => step.service.call("webhook.create", { parameters, body, hidden: description }),
    find: async (reader) => findMarked(await listWebhooks(inputs, reader), mark),
    isNew(created, since) {
      if (hasMark(created, mark)) return true;
      if (before.some(({ id }) => id === created.id)) return false;
      // A description without the mark is another webhook's, unless a date tells that the service has changed it.
      return isSince(created.created_date, since) ?? (typeof created.description === "string" ? false : undefined);
    },
    objectName: (created) => nameOf(agentId, created),
    finish: (made) => finish(inputs, mark, made, step),
    adopt: (id) => adopt({ ...inputs, overwrite: undefined }, id, step),
    next: [
      `Look in the service for a webhook whose description ends in ${mark}. Where the list shows it, \`pulumi up\` takes it over, a minute after its creation.`,
      "Where the list does not show it, `pulumi up` creates another one. Delete it before, or adopt it by its webhookId with overwrite: true.",
    ],
  };
}

/** The webhook with the mark; the older one of two. */
function findMarked(rows: readonly Wire[], mark: string): Finding<Wire> {
  const [row] = rowsWith(mark, rows);
  if (row !== undefined) return { is: "found", row };
  return showDescriptions(rows) ? { is: "absent" } : { is: "doubtful", why: noDescriptions };
}

async function finish(inputs: Inputs, mark: string, made: Made<Created>, step: Step): Promise<State> {
  const object = made.mayHaveCopy ? await keepOldest(made.object, inputs, mark, step) : made.object;
  const { id, secret, created_date } = object;
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

/** Where two requests were sent, both may have been carried out. The newer webhook is deleted, and the older one stays. */
async function keepOldest(made: Created, inputs: Inputs, mark: string, deployment: Deployment): Promise<Created> {
  const { service, ledger, clock, warn } = deployment;
  const { agentId } = inputs;
  const mayHaveCopy = (known: string): void => {
    warn({
      code: "WA1305",
      what: `Two requests to create the ${nameOf(agentId, made)} were sent, and both may have been carried out. ${known} Look in the service for a webhook whose description ends in ${mark}, and delete it.`,
    });
  };
  let rows: Wire[];
  try {
    rows = await watch(clock, createSettles, async (isTimeLeft) => {
      const found = rowsWith(mark, await listWebhooks(inputs, service));
      return isTimeLeft && found.every(({ id }) => id === made.id) ? undefined : found;
    });
  } catch (error) {
    mayHaveCopy(withoutItsWords(error));
    return made;
  }
  // A slow list may not show the one that the service answered with: it is the newer one then.
  const [oldest = made, ...copies] = rows.some(({ id }) => id === made.id) ? rows : [...rows, made];
  if (copies.length === 0) mayHaveCopy("The list does not show a copy yet.");
  if (oldest.id !== made.id) {
    ledger.release(nameOf(agentId, made));
    claim(deployment, nameOf(agentId, oldest));
  }
  // A deletion that fails may have been carried out, so the older one stays in any case.
  for (const copy of copies)
    await deleteCopy(copy.id, inputs, deployment).catch((error: unknown) => {
      mayHaveCopy(`The ${nameOf(agentId, copy)} may be a copy. ${withoutItsWords(error)}`);
    });
  return oldest;
}
