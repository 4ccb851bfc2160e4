import { sameSet, sameUrl } from "../shared/compare";
import { importing } from "../shared/importing";
import type { Step } from "../shared/deployment";
import type { Lifecycle } from "../shared/lifecycle";
import { claimWhile, deletionPolicyOf } from "../shared/ownership";
import { adopt, readImported } from "./adopt";
import { createNew, findUnfinished } from "./create";
import { find, listed, readAgain } from "./read";
import { callFor, hasMoreToDo, type Inputs, objectName, schema, type State } from "./webhook";
import { applyChanges, sendUpdate, signingFor } from "./write";

export const webhookLifecycle: Lifecycle<Inputs, State> = {
  kind: "Webhook",
  purpose: "Sends an agent's message events to a URL",
  inputs: schema,
  outputs: ["hasSecret", "secret", "createdDate"],
  secretOutputs: ["secret"],
  rules: [
    {
      properties: ["rotateSecret", "signed"],
      problem: ({ rotateSecret, signed }) =>
        rotateSecret !== undefined && signed === false ? "cannot rotate a secret while signed is false" : undefined,
    },
  ],
  needsResourceDigits: true,
  declares: [
    {
      properties: ["webhookId", "agentId"],
      object: ({ agentId, webhookId = "" }) => objectName({ agentId, webhookId }),
    },
  ],
  adoptedBy: "webhookId",
  importing: importing(schema, {
    id: ["agentId", "webhookId"],
    objectName,
    read: readImported,
    firstDeclared: "rotateSecret is stored, and the secret was not rotated. Change rotateSecret to rotate it.",
  }),
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
      ? // The update takes away the mark of the create.
        (["webhook.create", "webhook.update"] as const).map((operation) => ({ operation, instead: adoptInstead }))
      : [],
  hasMoreToDo,
  objectName,
  idOf: (state) => state.webhookId,

  create(inputs, step, resourceDigits) {
    const { webhookId } = inputs;
    if (webhookId === undefined) return createNew(inputs, resourceDigits, step);
    return claimWhile(step, objectName({ ...inputs, webhookId }), () => adopt(inputs, webhookId, step));
  },

  unfinishedCreate: { find: findUnfinished },

  async read(state, step) {
    const found = (await listed(state, step)) ?? (await find(state, step));
    if (found === undefined) return undefined;
    const { secretRotation } = state;
    const signed = state.signed === undefined ? undefined : found.hasSecret;
    return { ...found, signed, rotateSecret: state.rotateSecret, secretRotation };
  },

  async update(state, inputs, step) {
    const current = state.unconfirmed === undefined ? state : await readAgain(state, inputs, step);
    return applyChanges(current, inputs, step.service);
  },

  async delete(state, step) {
    const policy = deletionPolicyOf(state);
    if (policy === "retain") {
      step.log(`Webhook ${state.webhookId} is retained: it is removed from the stack, not from the service.`);
      return;
    }
    await (policy === "disable" ? disable(state, step) : remove(state, step));
  },
};

const adoptInstead = "Or adopt an existing webhook by its webhookId.";

/** Signing changes the secret. A webhook that is read before it is changed may differ in everything. */
function changedOutputs(state: State, inputs: Inputs): readonly string[] {
  if (hasMoreToDo(state)) return webhookLifecycle.outputs;
  const { signed } = inputs;
  // A value that is not known during preview is neither true nor false.
  const mayBeSwitched = signed !== undefined && signed !== state.hasSecret;
  return mayBeSwitched || signingFor(state, inputs) !== undefined ? ["hasSecret", "secret"] : [];
}

function disable(state: State, step: Step): Promise<void> {
  const { service, evidence } = step;
  return evidence.changeUnlessGone(
    () => sendUpdate(state, { enabled: false }, service),
    () => find(state, step),
  );
}

function remove(state: State, step: Step): Promise<void> {
  const { service, evidence } = step;
  if (!service.can("webhook.delete"))
    throw service.endpoints.unavailable(
      "webhook.delete",
      'Or set deletionPolicy to "disable" or "retain", run `pulumi up`, then destroy.',
    );
  return evidence.changeUnlessGone(
    () => service.call("webhook.delete", callFor(state)),
    () => find(state, step),
  );
}
