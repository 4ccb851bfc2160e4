import { unlessInterrupted } from "../../service/clock";
import { ProviderError } from "../../service/errors";
import { readAll } from "../../service/lists";
import type { Deployment, Step } from "../shared/deployment";
import { isNotFound } from "../shared/evidence";
import { claimWhile } from "../shared/ownership";
import {
  deleteCopy,
  digitsIn,
  listWebhooks,
  noDescriptions,
  oldestFirst,
  setDeclared,
  showDescriptions,
  withoutItsWords,
} from "./mark";
import { type Inputs, nameOf, type State, toState, type Wire } from "./webhook";

/* A webhook of this resource that an earlier command created, and that died before it set the declared description. */

/** From this age on, a webhook with a mark is an orphan. A younger one may be another command's. */
const orphanAge = 60_000;

/** Undefined where no orphan is left. */
export async function takeOverOrphan(
  inputs: Inputs,
  resourceDigits: string,
  before: readonly Wire[],
  step: Step,
): Promise<State | undefined> {
  const { agentId } = inputs;
  const { service, clock, ledger, warn } = step;
  const isFree = (object: string): boolean => !ledger.isManaged(object) && ledger.declaredBy(object) === undefined;
  const orphansIn = (rows: readonly Wire[]): Wire[] =>
    oldestFirst(rows.filter((row) => digitsIn(row.description) === resourceDigits && isFree(nameOf(agentId, row))));
  if (orphansIn(before).length === 0) return undefined;
  // Another command may have finished or deleted it since.
  const [oldest, ...others] = orphansIn(await listWebhooks(inputs, service));
  if (oldest === undefined) return undefined;
  const now = service.serviceTime(clock.now()) ?? clock.now();
  const young = [oldest, ...others].find(({ created_date }) => now - Date.parse(created_date) < orphanAge);
  if (young !== undefined) throw mayBeInProgress(nameOf(agentId, young));
  for (const other of others)
    if (other.description === oldest.description) await deleteCopy(other.id, inputs, step);
    else
      warn({
        code: "WA1305",
        what: `The ${nameOf(agentId, other)} has the mark of this resource too. Delete it in the service, or adopt it by its webhookId with overwrite: true.`,
      });
  return takeOver(oldest, inputs, step);
}

function mayBeInProgress(object: string): ProviderError {
  return new ProviderError({
    code: "WA1304",
    what: "The webhook was not created: another command may be creating it at this moment.",
    known: [`The ${object} has the mark of this resource in its description, and is not a minute old.`],
    next: ["Run `pulumi up` again in a minute. If no other command has finished it by then, it is taken over."],
  });
}

/** Undefined where it is gone: a list may show for a while a webhook that was deleted. */
async function takeOver(orphan: Wire, inputs: Inputs, step: Step): Promise<State | undefined> {
  const { agentId, signed } = inputs;
  const { evidence, log } = step;
  const object = nameOf(agentId, orphan);
  log(`An earlier command created the ${object} and did not finish it. It is taken over.`);
  evidence.shownBy("webhook.create");
  const found = toState(inputs, orphan, { webhookId: orphan.id });
  // Its secret, if it has one, was in a response that nobody has.
  const secretRotation = signed === true ? "uncertain" : undefined;
  try {
    // If this resource replaces one that had the webhook, its lease keeps it.
    return await claimWhile(step, object, () =>
      setDeclared({ ...found, rotateSecret: undefined, secretRotation }, inputs, step),
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    log(`The ${object} is gone: ${error.reason}. Another one is created.`);
    return undefined;
  }
}

/** The agent's webhooks before this command created any. Empty, with a message, if the list cannot be read. */
export function readBefore(
  agentId: string,
  { service, clock, webhooksBefore, warn }: Deployment,
): Promise<readonly Wire[]> {
  const read = async (): Promise<readonly Wire[]> => {
    if (!service.can("webhook.list")) throw service.endpoints.unavailable("webhook.list");
    const rows = await readAll(service.forSharedReads, "webhook.list", { agent_id: agentId });
    if (!showDescriptions(rows)) throw new ProviderError({ code: "WA1309", what: noDescriptions });
    return rows;
  };
  const unreadable = (error: unknown): readonly Wire[] => {
    warn({
      code: "WA1309",
      what: `Nothing tells whether an earlier command left a webhook of agent ${agentId} unfinished, so another one may be created. ${withoutItsWords(error)}`,
    });
    return [];
  };
  const rows = webhooksBefore.get(agentId) ?? read().catch(unreadable);
  webhooksBefore.set(agentId, rows);
  return unlessInterrupted(clock, rows);
}
