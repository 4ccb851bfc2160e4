import { z } from "zod";
import { identifier, jsonObject, oneOf } from "../../arguments";
import type { ServiceClient } from "../../service/client";
import { isUncertain, knownFrom, messageOf, nextFrom, ProviderError } from "../../service/errors";
import { readAll } from "../../service/lists";
import type { Answer } from "../../service/operations";
import { asStored, canonicalJson, differingFields, type Fields, sameMeaning } from "../shared/compare";
import { comparing, createOnce, type Creation } from "../shared/create-once";
import type { Deployment } from "../shared/deployment";
import { provesAbsence, readBack, readToAdopt, readUnlessGone, savingOnFailure } from "../shared/evidence";
import { type Lifecycle, PartialFailure } from "../shared/lifecycle";
import { claim, deletionPolicyOf, type Origin } from "../shared/ownership";

const schema = z.strictObject({
  appId: identifier(),
  definition: jsonObject("the test's definition").optional(),
  flowId: identifier().optional(),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof schema>;

interface State extends Inputs {
  flowId: string;
  origin?: Origin | undefined;
  /** The endpoint through which this test was read, which makes a 404 of it evidence. */
  readBy?: string | undefined;
  /** The response to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
}

type Address = Pick<State, "appId" | "flowId">;
type Wire = Answer<"test.get">;

export const testFlowLifecycle: Lifecycle<Inputs, State> = {
  kind: "TestFlow",
  purpose: "Manages an automated test of an app",
  inputs: schema,
  outputs: [],
  rules: [
    {
      properties: ["definition", "flowId"],
      problem: ({ definition, flowId }) =>
        definition === undefined && flowId === undefined
          ? "is required to create a test; or give flowId to adopt an existing one"
          : undefined,
    },
  ],
  declares: [{ properties: ["flowId", "appId"], object: ({ appId, flowId = "" }) => objectName({ appId, flowId }) }],
  adoptedBy: "flowId",
  leftAlone: ["definition"],
  replacedBy: ["appId", "flowId"],
  equal: {
    definition: (state, { definition }) => sameMeaning(state.definition, definition),
    // Leaving the id out after adoption changes nothing: the state knows which test it is.
    flowId: (state, { flowId }) => flowId === undefined || flowId === state.flowId,
  },
  requiredOperations: ({ flowId }) =>
    flowId === undefined ? [{ operation: "test.create", instead: "Or adopt an existing test by its flowId." }] : [],
  isUnfinished: (state) => state.unconfirmed === true,
  objectName,
  idOf: (state) => state.flowId,

  create: (inputs, deployment) =>
    inputs.flowId === undefined ? createNew(inputs, deployment) : adopt(inputs, inputs.flowId, deployment),

  async read(state, { service }) {
    // Where tests cannot be read, the last write is all that is known.
    if (!service.can("test.get")) return state;
    const wire = await readUnlessGone(service, state.readBy, () => get(state, service));
    return wire && toState(state, wire, service);
  },

  async update(state, inputs, deployment) {
    const { service } = deployment;
    if (state.unconfirmed === undefined) return applyChanges(state, inputs, deployment);
    // Where tests cannot be read, nothing is known about the definition, and it is sent again.
    const current = service.can("test.get")
      ? toState(state, await get(state, service), service)
      : { ...state, definition: undefined };
    return applyChanges(current, inputs, deployment);
  },

  async delete(state, { service, log }) {
    if (deletionPolicyOf(state) === "retain") {
      log(`The ${objectName(state)} is retained: it leaves the stack, not the service.`);
      return;
    }
    try {
      await service.call("test.delete", callFor(state));
    } catch (error) {
      if (!provesAbsence(error, service, state.readBy)) throw error;
    }
  },
};

async function createNew(inputs: Inputs, deployment: Deployment): Promise<State> {
  const { service, log } = deployment;
  const wire = await createOnce(deployment, creation(inputs, service));
  const created: State = { ...inputs, flowId: wire.id };
  // The test exists now: whatever fails must leave it in state.
  const unread: State = { ...created, unconfirmed: true };
  return savingOnFailure(unread, `The ${objectName(created)} was created`, async () => {
    if (!service.can("test.get")) return unseen(created, service);
    const read = await readBack(objectName(created), log, () => get(created, service));
    return read === undefined ? created : requireAsDeclared(toState(created, read, service), inputs);
  });
}

function creation({ appId, definition = {} }: Inputs, service: ServiceClient): Creation<Wire, Wire> {
  const parameters = { app_id: appId };
  return {
    what: "test",
    key: canonicalJson([appId, definition]),
    send: () => service.call("test.create", { parameters, body: definition }),
    list: () => readAll(service, "test.list", parameters, definition),
    ...comparing(definition),
    idOf: (wire) => wire.id,
    objectName: (wire) => objectName({ appId, flowId: wire.id }),
    adoptedBy: "flowId",
  };
}

/** Adopts an existing test. Where tests cannot be read, its id is trusted: deleting works without reading. */
async function adopt(inputs: Inputs, flowId: string, deployment: Deployment): Promise<State> {
  const { service, log } = deployment;
  const address = { appId: inputs.appId, flowId };
  claim(deployment, objectName(address));
  const adopted: State = { ...inputs, flowId, definition: undefined, origin: "adopted" };
  if (service.can("test.get")) {
    const wire = await readToAdopt(objectName(address), () => get(address, service));
    const found = toState({ ...adopted, definition: inputs.definition }, wire, service);
    return applyChanges(found, inputs, deployment, wire);
  }
  log(
    `The ${objectName(address)} is adopted without being read. ${messageOf(service.endpoints.unavailable("test.get"))}`,
  );
  return applyChanges(unseen(adopted, service), inputs, deployment);
}

/** A test that was never read. The state remembers the service, so that a 404 of another one is no evidence. */
function unseen(state: State, service: ServiceClient): State {
  return { ...state, readBy: service.endpoints.mark("test.get") };
}

/** Sends the whole definition where it differs: the specification does not show a partial update. */
async function applyChanges(
  state: State,
  inputs: Inputs,
  { service, log }: Deployment,
  found: Fields = {},
): Promise<State> {
  const { definition, deletionPolicy } = inputs;
  const changed: State = { ...state, definition, deletionPolicy, unconfirmed: undefined };
  if (definition === undefined || sameMeaning(state.definition, definition)) return changed;
  if (!service.can("test.update")) throw cannotChange(state, service);
  try {
    await service.call("test.update", { ...callFor(state), body: definition });
  } catch (error) {
    if (!isUncertain(error)) throw error;
    const then = service.can("test.get") ? "reads it before it sends anything" : "sends the definition again";
    throw new PartialFailure(
      { ...state, deletionPolicy, unconfirmed: true },
      {
        what: `It is uncertain whether the ${objectName(state)} was changed.`,
        known: knownFrom(error),
        next: [...nextFrom(error), `Run \`pulumi up\` again. It ${then}.`],
      },
    );
  }
  if (!service.can("test.get")) return changed;
  return savingOnFailure({ ...changed, unconfirmed: true }, `The ${objectName(state)} was changed`, async () => {
    const wire = await get(changed, service);
    const lost = Object.keys(found).filter((name) => !Object.hasOwn(wire, name));
    if (lost.length > 0)
      log(`The ${objectName(state)} no longer has ${lost.join(", ")}: definition replaces the whole test.`);
    return requireAsDeclared(toState(changed, wire, service), inputs);
  });
}

function cannotChange(state: State, { endpoints }: ServiceClient): ProviderError {
  const { report } = endpoints.unavailable("test.update", "Or leave definition out.");
  return new ProviderError({ ...report, what: `The ${objectName(state)} cannot be changed: ${report.what}` });
}

function requireAsDeclared(state: State, { definition = {} }: Inputs): State {
  const differing = differingFields(definition, state.definition ?? {});
  if (differing.length === 0) return state;
  throw new PartialFailure(state, {
    what: `The ${objectName(state)} was written, but the service stores something else in ${differing.join(", ")}.`,
    next: ['Declare what the service stores, or set test.get to "none" if it answers in another form.'],
  });
}

function get(address: Address & Partial<State>, service: ServiceClient): Promise<Wire> {
  return service.call("test.get", callFor(address));
}

/** The path parameters of a call, and what the service may repeat and must not be shown. */
function callFor({ appId, flowId, definition }: Address & Partial<State>) {
  return { parameters: { app_id: appId, flow_id: flowId }, hidden: definition };
}

/** From wire to state: only what is declared of the test. */
function toState(state: State, wire: Fields, service: ServiceClient): State {
  return {
    ...state,
    definition: state.definition && asStored(state.definition, wire),
    readBy: service.endpoints.mark("test.get"),
    unconfirmed: undefined,
  };
}

function objectName({ appId, flowId }: Address): string {
  return `test ${flowId} of app ${appId}`;
}
