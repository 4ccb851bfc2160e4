import { isAbsent } from "../../service/errors";
import { isWhole, readingOperation, readWebhook } from "../../service/webhooks";
import type { Step } from "../shared/deployment";
import { cannotRead } from "../shared/evidence";
import { findInList } from "../shared/read-by-list";
import { type Inputs, objectName, secretsOf, type State, toState, type Wire } from "./webhook";
import { patchFor, sendUpdate } from "./write";

/* Reading a webhook, by itself or by a list. */

/** Reads a webhook whose last response was lost, so that the next change is compared with the truth. */
export async function readAgain(state: State, inputs: Inputs, step: Step): Promise<State> {
  const { service, evidence, log } = step;
  const found = await find(state, step).catch(async (error: unknown) => {
    if (!isAbsent(error)) throw error;
    const wire = await evidence.readToChange(() => sendUpdate(state, {}, service));
    evidence.shownBy("webhook.update");
    log(cannotRead(objectName(state), error));
    return toState(state, wire, state);
  });
  if (found === undefined) throw evidence.notThereToChange();
  // The secret of a webhook that this stack created can only be unknown because its response was lost.
  const isLost = inputs.signed === true && found.hasSecret && found.secret === undefined && found.origin !== "adopted";
  return { ...found, secretRotation: isLost ? "uncertain" : state.secretRotation };
}

/** The webhook of now; undefined only on evidence that it is gone. */
export async function find(state: State, { service, evidence }: Step): Promise<State | undefined> {
  const operation = readingOperation(service);
  const isKnownByUpdate = evidence.isKnownBy("webhook.update");
  const wire = await evidence.readUnlessGone(() =>
    readWebhook(service, state, secretsOf(state)).catch((error: unknown): Promise<Wire> => {
      // A 404 proves something only where the same endpoint has read it before.
      if (!isKnownByUpdate || operation === "webhook.update" || !isAbsent(error)) throw error;
      return sendUpdate(state, {}, service);
    }),
  );
  if (wire !== undefined && !isKnownByUpdate) evidence.shownBy(operation);
  return wire && toState(state, wire, state);
}

/** The webhook by a list that shows it as in the state. One that differs may only be shown in short. */
export async function listed(state: State, step: Step): Promise<State | undefined> {
  const { agentId, webhookId } = state;
  const { service, evidence } = step;
  const reading = {
    list: "webhook.list",
    parameters: { agent_id: agentId },
    minReads: 2,
    get: evidence.isKnownBy("webhook.update") ? "webhook.update" : readingOperation(service),
  } as const;
  const wire = await findInList(webhookId, reading, step);
  if (wire === undefined || !isWhole(wire)) return undefined;
  // A list that shows a secret in short must not take the place of the only copy.
  const found = { ...toState(state, wire, state), secret: state.secret };
  return found.hasSecret === state.hasSecret && Object.keys(patchFor(found, state)).length === 0 ? found : undefined;
}
