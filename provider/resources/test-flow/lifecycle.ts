import { z } from "zod";
import { flag, identifier, jsonObject, oneOf } from "../../arguments";
import type { ServiceClient } from "../../service/client";
import {
  isAbsent,
  isUncertain,
  knownFrom,
  messageOf,
  nextFrom,
  ProviderError,
  ServiceError,
} from "../../service/errors";
import { pagesOf, readAll } from "../../service/lists";
import type { Answer } from "../../service/operations";
import { differencesIn, requireNoDifference } from "../shared/adoption";
import { asStored, canonicalJson, differingFields, type Fields, sameMeaning, showsAll } from "../shared/compare";
import { creatingByValues } from "../shared/create-by-values";
import type { Step } from "../shared/deployment";
import { readToAdopt, stillExists } from "../shared/evidence";
import { importing } from "../shared/importing";
import { type Imported, type Lifecycle } from "../shared/lifecycle";
import { deletionPolicyOf, type Origin } from "../shared/ownership";
import { findInList } from "../shared/read-by-list";
import { removeFromStack } from "../shared/state-delete";
import { PartialFailure, savingOnFailure } from "../shared/partial-failure";

const schema = z.strictObject({
  appId: identifier(),
  definition: jsonObject("the test's definition").optional(),
  flowId: identifier().optional(),
  overwrite: flag().optional(),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof schema>;

interface State extends Inputs {
  flowId: string;
  origin?: Origin | undefined;
  /** The response to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
}

type Address = Pick<State, "appId" | "flowId">;
type Wire = Answer<"test.get">;

const byValues = creatingByValues<Inputs, State, Wire>({
  operations: "test",
  idArgument: "flowId",
  what: () => "test",
  objectName: ({ appId }, flowId) => objectName({ appId, flowId }),
  values: ({ definition = {} }) => definition,
  send: ({ appId, definition = {} }, service) =>
    service.call("test.create", { parameters: { app_id: appId }, body: definition }),
  list: ({ appId, definition }, reader) => readAll(reader, "test.list", { app_id: appId }, definition),
  get: (inputs, flowId, reader) => reader.call("test.get", callFor({ ...inputs, flowId })),
  toState(inputs, origin, { id: flowId }, stored) {
    const state = { ...inputs, flowId, origin };
    return stored === undefined ? state : toState(state, stored);
  },
  requireAsDeclared,
  adopt,
});

export const testFlowLifecycle: Lifecycle<Inputs, State> = {
  kind: "TestFlow",
  purpose: "Manages an automated test of an app",
  inputs: schema,
  needsResourceDigits: true,
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
  importing: importing(schema, { id: ["appId", "flowId"], objectName, read: readImported }),
  leftAlone: ["definition"],
  replacedBy: ["appId", "flowId"],
  equal: {
    definition: (state, { definition }) => sameMeaning(state.definition, definition),
    // Leaving the id out after adoption changes nothing: the state knows which test it is.
    flowId: (state, { flowId }) => flowId === undefined || flowId === state.flowId,
  },
  requiredOperations({ flowId, definition, overwrite }) {
    if (flowId === undefined)
      return [{ operation: "test.create", instead: "Or adopt an existing test by its flowId." }];
    return definition === undefined || overwrite ? [] : [{ operation: "test.get", instead: withoutComparing }];
  },
  hasMoreToDo: (state) => state.unconfirmed === true,
  objectName,
  idOf: (state) => state.flowId,

  ...byValues,

  async read(state, step) {
    const { service, evidence } = step;
    // Where tests cannot be read, the last write is all that is known.
    if (!service.can("test.get") || (await isListedUnchanged(state, step))) return state;
    const wire = await evidence.readUnlessGone(() => get(state, step));
    return wire && toState(state, wire);
  },

  async update(state, inputs, step, newlyDeclared = []) {
    const { service, evidence } = step;
    // Compared with what is there, as an adoption is.
    if (newlyDeclared.includes("definition")) return adopt(inputs, state.flowId, step);
    if (state.unconfirmed === undefined) return applyChanges(state, inputs, step);
    // Where tests cannot be read, nothing is known about the definition, and it is sent again.
    const current = service.can("test.get")
      ? toState(state, await evidence.readToChange(() => get(state, step)))
      : { ...state, definition: undefined };
    return applyChanges(current, inputs, step);
  },

  async delete(state, step) {
    const { service, evidence, log } = step;
    if (deletionPolicyOf(state) === "retain") {
      log(`The ${objectName(state)} is retained: it is removed from the stack, not from the service.`);
      return;
    }
    await evidence.requireShown("test.delete", () => isShown(state, step));
    try {
      await service.call("test.delete", callFor(state));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      await requireGone(state, error, step);
    }
  },
};

/**
 * The specification lists no 404 for test.delete, and a token that is limited to other apps may get one. So the test is
 * looked for: by test.get if that has read it before, and in the list. It is gone if neither shows it, unless
 * the list may never have shown it.
 */
async function requireGone(state: State, error: ServiceError, step: Step): Promise<void> {
  const { service, evidence } = step;
  const { endpoints } = service;
  const wasRead = service.can("test.get") && evidence.isKnownBy("test.get");
  // A page that is not JSON comes from elsewhere, and the error says so.
  const advice = error.foreign ? nextFrom(error) : [otherToken(state), ...endpoints.doubt("test.delete").next];
  const uncertain = (known: readonly string[], next: readonly string[]): ProviderError =>
    new ProviderError({
      code: "WA1407",
      what: `It is uncertain whether the ${objectName(state)} still exists, so it stays in the stack.`,
      known: [...knownFrom(error), ...known],
      next: [...advice, ...next, removeFromStack("If you are sure that the test is gone")],
    });
  let isFound: boolean;
  try {
    isFound =
      (wasRead && (await evidence.readUnlessGone(() => get(state, step))) !== undefined) ||
      ((service.can("test.list") || !wasRead) && (await isListed(state, service)));
  } catch (unread) {
    throw uncertain(knownFrom(unread), nextFrom(unread));
  }
  if (isFound) throw stillExists(objectName(state), error, advice);
  if (wasRead) return;
  const doubt = endpoints.doubt("test.list");
  throw uncertain(["test.list does not show it, but may never have shown it.", ...doubt.known], doubt.next);
}

function otherToken({ appId }: Address): string {
  return `Check the token: it must belong to a user with editor access and not be limited to other apps than ${appId}.`;
}

/** By test.get, else by the list. */
async function isShown(state: State, step: Step): Promise<boolean> {
  const { service } = step;
  if (!service.can("test.get")) return isListed(state, service);
  return get(state, step).then(
    () => true,
    (error: unknown) => {
      if (isAbsent(error)) return isListed(state, service);
      throw error;
    },
  );
}

async function isListed({ appId, flowId, definition }: State, service: ServiceClient): Promise<boolean> {
  if (!service.can("test.list")) throw service.endpoints.unavailable("test.list");
  for await (const tests of pagesOf(service, "test.list", { app_id: appId }, definition))
    if (tests.some(({ id }) => id === flowId)) return true;
  return false;
}

/** Whether a list shows the test as in the state. One that differs may only be shown in short. */
async function isListedUnchanged(state: State, step: Step): Promise<boolean> {
  const reading = { list: "test.list", parameters: { app_id: state.appId }, minReads: 2, get: "test.get" } as const;
  const wire = await findInList(state.flowId, reading, step);
  if (wire === undefined || !showsAll(wire, Object.keys(state.definition ?? {}))) return false;
  return canonicalJson(toState(state, wire)) === canonicalJson(state);
}

/** The test to import. Its definition is left out: the service may show more than what can be declared. */
async function readImported(address: Address, step: Step): Promise<Imported<Inputs, State>> {
  return { state: await adopt(address, address.flowId, step), leftOut: ["definition"] };
}

const withoutComparing = "Or leave definition out to adopt the test unchanged, or set overwrite: true to replace it.";

/**
 * Adopts an existing test. With `overwrite`, it sends the definition if that differs. Where tests cannot be read, its id is
 * trusted: deleting works without reading.
 */
async function adopt(inputs: Inputs, flowId: string, step: Step): Promise<State> {
  const { service, evidence, log } = step;
  const address = { appId: inputs.appId, flowId };
  const adopted: State = { ...inputs, flowId, definition: undefined, origin: "adopted" };
  if (service.can("test.get")) {
    const wire = await readToAdopt(objectName(address), () => get(address, step));
    requireNoDifference(objectName(address), differencesIn("definition", wire, inputs.definition ?? {}), inputs);
    return applyChanges(toState({ ...adopted, definition: inputs.definition }, wire), inputs, step, wire);
  }
  if (inputs.definition !== undefined && inputs.overwrite !== true)
    throw service.endpoints.unavailable("test.get", withoutComparing);
  log(
    `The ${objectName(address)} is adopted without being read. ${messageOf(service.endpoints.unavailable("test.get"))}`,
  );
  // `readBy` then has the base URL, and makes no 404 evidence.
  evidence.shownBy("test.get");
  return applyChanges(adopted, inputs, step);
}

/** Sends the whole definition where it differs: the specification does not show a partial update. */
async function applyChanges(state: State, inputs: Inputs, step: Step, found: Fields = {}): Promise<State> {
  const { service, log } = step;
  const { definition, overwrite, deletionPolicy } = inputs;
  const changed: State = { ...state, definition, overwrite, deletionPolicy, unconfirmed: undefined };
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
        code: "WA1320",
        what: `It is uncertain whether the ${objectName(state)} was changed.`,
        known: knownFrom(error),
        next: [...nextFrom(error), `Run \`pulumi up\` again. It ${then}.`],
      },
    );
  }
  if (!service.can("test.get")) return changed;
  return savingOnFailure({ ...changed, unconfirmed: true }, `The ${objectName(state)} was changed`, async () => {
    const wire = await get(changed, step);
    const lost = Object.keys(found).filter((name) => !Object.hasOwn(wire, name));
    if (lost.length > 0)
      log(`The ${objectName(state)} no longer has ${lost.join(", ")}: definition replaces the whole test.`);
    return requireAsDeclared(toState(changed, wire), inputs);
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
    code: "WA1321",
    what: `The ${objectName(state)} was written, but the service stores something else in ${differing.join(", ")}.`,
    next: ['Declare what the service stores, or set test.get to "none" if it answers in another form.'],
  });
}

async function get(address: Address & Partial<State>, { service, evidence }: Step): Promise<Wire> {
  const wire = await service.call("test.get", callFor(address));
  evidence.shownBy("test.get");
  return wire;
}

/** The path parameters of a call, and what the service may repeat and must not be shown. */
function callFor({ appId, flowId, definition }: Address & Partial<State>) {
  return { parameters: { app_id: appId, flow_id: flowId }, hidden: definition };
}

/** From wire to state: only what is declared of the test. */
function toState(state: State, wire: Fields): State {
  return {
    ...state,
    definition: state.definition && asStored(state.definition, wire),
    unconfirmed: undefined,
  };
}

function objectName({ appId, flowId }: Address): string {
  return `test ${flowId} of app ${appId}`;
}
