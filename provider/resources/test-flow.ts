import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type Deployment, type Lifecycle, Unfinished } from "../engine/lifecycle";
import { inOrder } from "../engine/plain";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import type { Service } from "../service/client";
import { isUncertain, Refusal } from "../service/errors";
import { readAll } from "../service/lists";
import type { Answer } from "../service/operations";
import { identifier, jsonObject, oneOf } from "../arguments";
import { comparedBy, createOnce, type Creation } from "./creation";
import { keeping, provesAbsence, readBack, readToAdopt, unlessGone } from "./evidence";
import { asHeld, type Fields, fieldsThatDiffer, sameMeaning } from "./meaning";
import { claim, type Origin, policyOf } from "./ownership";

/** What to test, or which test to adopt. */
export interface TestFlowArgs {
  /** The app that is tested. A change replaces the test. */
  appId: pulumi.Input<string>;
  /**
   * The test itself, sent as it is: the service's documentation does not show its shape. Needed to create a test. Left
   * out of an adopted one: it is left alone.
   */
  definition?: pulumi.Input<Record<string, unknown>>;
  /** Adopts this existing test instead of creating one. A change to another id replaces. */
  flowId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it **permanently**, cancelling a run that is under way, or `retain` it.
   * @default `delete` for a test that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

const inputs = z.strictObject({
  appId: identifier(),
  definition: jsonObject("the test's definition").optional(),
  flowId: identifier().optional(),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof inputs>;

interface State extends Inputs {
  flowId: string;
  origin?: Origin | undefined;
  /** The endpoint through which this test has been read, which makes a 404 of it evidence. */
  readBy?: string | undefined;
  /** The answer to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
}

type At = Pick<State, "appId" | "flowId">;
type Wire = Answer<"test.get">;

export const testFlowLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  rules: [
    {
      properties: ["definition", "flowId"],
      problem: ({ definition, flowId }) =>
        definition === undefined && flowId === undefined
          ? "is required to create a test; or give flowId to adopt an existing one"
          : undefined,
    },
  ],
  declares: [{ properties: ["flowId", "appId"], object: ({ appId, flowId = "" }) => claimOf({ appId, flowId }) }],
  replacedBy: ["appId", "flowId"],
  same: {
    definition: (state, { definition }) => sameMeaning(state.definition, definition),
    // Leaving the id out after adoption changes nothing: the state knows which test it is.
    flowId: (state, { flowId }) => flowId === undefined || flowId === state.flowId,
  },
  creatingNeeds: ({ flowId }) =>
    flowId === undefined ? [{ operation: "test.create", instead: "Or adopt an existing test by its flowId." }] : [],
  isUnfinished: (state) => state.unconfirmed === true,
  claimOf,
  idOf: (state) => state.flowId,
  inputsOf: ({ appId, definition, flowId, deletionPolicy, origin }) => ({
    appId,
    definition,
    deletionPolicy,
    ...(origin === "adopted" ? { flowId } : {}),
  }),

  create: (inputs, deployment) =>
    inputs.flowId === undefined ? make(inputs, deployment) : adopt(inputs, inputs.flowId, deployment),

  async read(state, { service }) {
    // Where tests cannot be read, what is known of one is what was last written.
    if (!service.can("test.get")) return state;
    const wire = await unlessGone(service, state.readBy, () => get(state, service));
    return wire && stateOf(state, wire, service);
  },

  async update(state, inputs, deployment) {
    const { service } = deployment;
    if (state.unconfirmed === undefined) return settle(state, inputs, deployment);
    // Where tests cannot be read, nothing is known of the definition, and it is sent again.
    const current = service.can("test.get")
      ? stateOf(state, await get(state, service), service)
      : { ...state, definition: undefined };
    return settle(current, inputs, deployment);
  },

  async delete(state, { service, say }) {
    if (policyOf(state) === "retain") {
      say(`The ${claimOf(state)} is retained: it leaves the stack, not the service.`);
      return;
    }
    try {
      await service.call("test.delete", about(state));
    } catch (error) {
      if (!provesAbsence(error, service, state.readBy)) throw error;
    }
  },
};

async function make(inputs: Inputs, deployment: Deployment): Promise<State> {
  const { service, say } = deployment;
  const made = await createOnce(deployment, creation(inputs, service));
  const created: State = { ...inputs, flowId: made.id };
  const unread: State = { ...created, unconfirmed: true };
  return keeping(unread, `The ${claimOf(created)} was created`, async () => {
    if (!service.can("test.get")) return unseen(created, service);
    const wire = await readBack(claimOf(created), say, () => get(created, service));
    return wire === undefined ? created : asDeclared(stateOf(created, wire, service), inputs);
  });
}

function creation({ appId, definition = {} }: Inputs, service: Service): Creation<Wire, Wire> {
  const parameters = { app_id: appId };
  return {
    what: "test",
    key: inOrder([appId, definition]),
    send: () => service.call("test.create", { parameters, body: definition }),
    list: () => readAll(service, "test.list", parameters, definition),
    ...comparedBy(definition),
    idOf: (wire) => wire.id,
    claimOf: (wire) => claimOf({ appId, flowId: wire.id }),
    adoptBy: "flowId",
  };
}

/** Takes over an existing test. Where tests cannot be read, its id is believed: deleting it works all the same. */
async function adopt(inputs: Inputs, flowId: string, deployment: Deployment): Promise<State> {
  const { service, say } = deployment;
  const at = { appId: inputs.appId, flowId };
  claim(deployment, claimOf(at));
  const adopted: State = { ...inputs, flowId, definition: undefined, origin: "adopted" };
  if (service.can("test.get")) {
    const wire = await readToAdopt(claimOf(at), () => get(at, service));
    return settle(stateOf({ ...adopted, definition: inputs.definition }, wire, service), inputs, deployment, wire);
  }
  say(`The ${claimOf(at)} is adopted unseen: ${service.endpoints.unavailable("test.get")}`);
  return settle(unseen(adopted, service), inputs, deployment);
}

/** A test that was never read: at least the service is remembered, so that no other one's 404 speaks of it. */
function unseen(state: State, service: Service): State {
  return { ...state, readBy: service.endpoints.mark("test.get") };
}

/** Sends the definition where it differs; the service's documentation does not show a partial update. */
async function settle(state: State, inputs: Inputs, { service, say }: Deployment, found: Fields = {}): Promise<State> {
  const { definition, deletionPolicy } = inputs;
  const settled: State = { ...state, definition, deletionPolicy, unconfirmed: undefined };
  if (definition === undefined || sameMeaning(state.definition, definition)) return settled;
  if (!service.can("test.update"))
    throw new Refusal(
      `The definition of ${claimOf(state)} cannot be changed: ${service.endpoints.unavailable("test.update")} Or leave definition out.`,
    );
  try {
    await service.call("test.update", { ...about(state), body: definition });
  } catch (error) {
    if (!isUncertain(error)) throw error;
    const next = service.can("test.get") ? "reads it before it sends anything" : "sends the definition again";
    throw new Unfinished(
      { ...state, deletionPolicy, unconfirmed: true },
      `${error.message} Of the ${claimOf(state)} nothing is known for certain: run \`pulumi up\` again, which ${next}.`,
    );
  }
  if (!service.can("test.get")) return settled;
  return keeping({ ...settled, unconfirmed: true }, `The ${claimOf(state)} was changed`, async () => {
    const wire = await get(settled, service);
    const lost = Object.keys(found).filter((name) => !Object.hasOwn(wire, name));
    if (lost.length > 0)
      say(
        `The ${claimOf(state)} no longer has ${lost.join(", ")}, which definition does not give: it replaces the test.`,
      );
    return asDeclared(stateOf(settled, wire, service), inputs);
  });
}

function asDeclared(state: State, { definition = {} }: Inputs): State {
  const differ = fieldsThatDiffer(definition, state.definition ?? {});
  if (differ.length === 0) return state;
  throw new Unfinished(
    state,
    `The ${claimOf(state)} was written, but the service holds something else than was sent in ${differ.join(", ")}: declare what it stores, or set test.get to "none" if it answers in another form.`,
  );
}

/** From wire to state: of the test only what is declared. */
function stateOf(state: State, wire: Fields, service: Service): State {
  return {
    ...state,
    definition: state.definition && asHeld(state.definition, wire),
    readBy: service.endpoints.mark("test.get"),
    unconfirmed: undefined,
  };
}

function get(at: At & Partial<State>, service: Service): Promise<Wire> {
  return service.call("test.get", about(at));
}

/** How a test is named in a call, and what the service may say of it that is not to be shown. */
function about({ appId, flowId, definition }: At & Partial<State>) {
  return { parameters: { app_id: appId, flow_id: flowId }, hidden: definition };
}

function claimOf({ appId, flowId }: At): string {
  return `test ${flowId} of app ${appId}`;
}

const kind: Kind = { name: "TestFlow", outputs: Object.keys(inputs.shape), adoptedBy: "flowId" };

/**
 * An automated test of an app.
 *
 * Deleting is documented by the service and **permanent**: a run that is under way is cancelled; past runs and reports
 * remain. Creating, reading and changing rest on assumed paths, which `workspace-apps:endpoints` can change; where they
 * are not there, adopting and deleting work alone. A change of `appId`, or to another `flowId`, replaces the test.
 * Destroy deletes a test that this stack created and retains an adopted one, unless `deletionPolicy` says otherwise.
 *
 * ```ts
 * new apps.TestFlow("checkout", {
 *     appId: "app-1",
 *     definition: { name: "Checkout", steps: ["Buy a mug", "Expect a receipt"] },
 * });
 * ```
 */
export class TestFlow extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly definition: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. */
  declare readonly flowId: pulumi.Output<string>;

  constructor(name: string, args: TestFlowArgs, options?: pulumi.CustomResourceOptions) {
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
