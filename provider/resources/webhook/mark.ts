import type { ServiceClient } from "../../service/client";
import { whatOf } from "../../service/errors";
import { readAll } from "../../service/lists";
import { readingOperation, readWebhook } from "../../service/webhooks";
import type { Deployment, Step } from "../shared/deployment";
import { callFor, type Inputs, objectName, secretsOf, type State, type Wire } from "./webhook";
import { applyChanges } from "./write";

/*
 * While a webhook is made, its description ends in a mark: `[pulumi:1f0c9a2-4b8d]`. The update that follows the create sets
 * the declared description, and everything else that a create request cannot say.
 */

/** Seven digits of the resource, and four of the command. */
export function markOf(resourceDigits: string, { command }: Pick<Deployment, "command">): string {
  return `[pulumi:${resourceDigits}-${command.slice(0, 4)}]`;
}

/** The digits of the resource in the mark of a webhook that nobody has finished. */
export function digitsIn(description: string | null | undefined): string | undefined {
  return /\[pulumi:([0-9a-f]{7})-[0-9a-f]{4}\]$/.exec(description?.trimEnd() ?? "")?.[1];
}

export function marked(description: string | undefined, mark: string): string {
  return description === undefined ? mark : `${description} ${mark}`;
}

export const noDescriptions = "The list shows no descriptions, so a webhook cannot be recognized by its mark.";

export function hasMark({ description }: Pick<Wire, "description">, mark: string): boolean {
  return description?.trimEnd().endsWith(mark) === true;
}

/** The webhooks with the mark, the oldest first. */
export function rowsWith(mark: string, rows: readonly Wire[]): Wire[] {
  return oldestFirst(rows.filter((row) => hasMark(row, mark)));
}

export function oldestFirst(rows: readonly Wire[]): Wire[] {
  return [...rows].sort((one, other) => Date.parse(one.created_date) - Date.parse(other.created_date));
}

/** A service may leave out a description that is null. */
export function showDescriptions(rows: readonly Wire[]): boolean {
  return rows.length === 0 || rows.some((row) => "description" in row);
}

/** `inputs`: the service may echo them in an error, and they must not be shown. */
export function listWebhooks({ agentId, targetUrl, description }: Inputs, service: ServiceClient): Promise<Wire[]> {
  return readAll(service, "webhook.list", { agent_id: agentId }, [targetUrl, description]);
}

/** Sets what is declared and takes the mark away. The response is the whole webhook, so it is also the first read. */
export async function setDeclared(made: State, inputs: Inputs, { service, evidence }: Step): Promise<State> {
  const declared = await applyChanges(made, inputs, service).catch(async (error: unknown) => {
    // An operation that shows the webhook now can prove later that it is gone.
    await readWebhook(service, made, secretsOf(made)).then(
      () => {
        evidence.shownBy(readingOperation(service));
      },
      () => undefined,
    );
    throw error;
  });
  evidence.shownBy("webhook.update");
  return declared;
}

/** Deletes the copy of a create that was carried out twice. */
export async function deleteCopy(webhookId: string, inputs: Inputs, { service, log }: Deployment): Promise<void> {
  const copy = { ...inputs, webhookId };
  await service.call("webhook.delete", callFor(copy));
  log(`The ${objectName(copy)} was deleted: it is the copy of a create that was carried out twice.`);
}

/** An error without the service's words, which may echo a secret of any webhook. */
export const withoutItsWords = whatOf;
