import * as pulumi from "@pulumi/pulumi";
import type { Deployment, Lifecycle } from "../engine/lifecycle";
import { inOrder } from "../engine/plain";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import type { Service } from "../service/client";
import { isAbsent, Refusal } from "../service/errors";
import { readAll } from "../service/lists";
import { comparedBy, createOnce, type Creation } from "./creation";
import { keeping, readBack, readToAdopt, unlessGone } from "./evidence";
import { type Fields, sameMeaning } from "./meaning";
import { claim, policyOf } from "./ownership";
import { restore } from "./record/restoring";
import {
  about,
  changedByOthers,
  claimOf,
  declaredIn,
  get,
  inputs,
  type Inputs,
  type State,
  stateOf,
  valuesIn,
  type Wire,
} from "./record/state";
import { asDeclared, settle } from "./record/writing";

/** Which record, and which of its fields are managed. */
export interface EntityRecordArgs {
  /** The app. A change replaces the record. */
  appId: pulumi.Input<string>;
  /** The entity, as its schema names it; not `User`, whose accounts the service does not reach this way. A change replaces. */
  entityName: pulumi.Input<string>;
  /**
   * The managed fields by the names of the entity's schema, with any JSON values. What the service assigns itself (`id`,
   * `created_date`, `updated_date`, `created_by`, `created_by_id`, `is_sample`) cannot be given. A field that leaves the
   * program keeps its value in the service and is no longer managed.
   */
  fields: pulumi.Input<Record<string, unknown>>;
  /** Adopts this existing record instead of creating one. A change to another id replaces. */
  recordId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it; `restore` the managed fields of an adopted record to the values found at adoption,
   * where nobody changed them since; or `retain` it as it is.
   * @default `delete` for a record that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "restore" | "retain">;
}

export const entityRecordLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  rules: [
    {
      properties: ["deletionPolicy", "recordId"],
      problem: ({ deletionPolicy, recordId }) =>
        deletionPolicy === "restore" && recordId === undefined
          ? "restore is for adopted records: give recordId"
          : undefined,
    },
  ],
  declares: [
    {
      properties: ["recordId", "entityName", "appId"],
      object: ({ appId, entityName, recordId = "" }) => claimOf({ appId, entityName, recordId }),
    },
  ],
  replacedBy: ["appId", "entityName", "recordId"],
  same: {
    fields: (state, { fields }) => sameMeaning(state.fields, fields) && sameNames(state.fields, fields),
    // Leaving the id out after adoption changes nothing: the state knows which record it is.
    recordId: (state, { recordId }) => recordId === undefined || recordId === state.recordId,
  },
  creatingNeeds: ({ recordId }) =>
    recordId === undefined
      ? [{ operation: "record.create", instead: "Or adopt an existing record by its recordId." }]
      : [
          {
            operation: "record.get",
            instead: "Adopting a record needs to read it, and reading is never done by writing.",
          },
        ],
  isUnfinished: (state) => state.unconfirmed === true,
  claimOf,
  idOf: (state) => state.recordId,
  inputsOf: (state) =>
    state.origin === "adopted" ? { ...declaredIn(state), recordId: state.recordId } : declaredIn(state),

  create: (inputs, deployment) =>
    inputs.recordId === undefined ? make(inputs, deployment) : adopt(inputs, inputs.recordId, deployment),

  async read(state, { service }) {
    const wire = await unlessGone(service, state.readBy, () => get(state, service));
    return wire && stateOf(state, wire, { ...seen(state, wire), readBy: service.endpoints.mark("record.get") });
  },

  async update(state, inputs, { service }) {
    const added = newlyManaged(state, inputs);
    if (state.unconfirmed === undefined && added.length === 0) return settle(state, inputs, service);
    // Where records cannot be read, nothing is known of the fields, and all are sent.
    if (!service.can("record.get")) return settle({ ...state, fields: {} }, inputs, service);
    const wire = await get(state, service);
    // What a field was before it was managed can only be seen now.
    const valuesFound = state.valuesFound && { ...valuesIn(wire, added), ...state.valuesFound };
    const kept = { ...seen(state, wire), readBy: service.endpoints.mark("record.get"), valuesFound };
    return settle(stateOf(inputs, wire, kept), inputs, service);
  },

  async delete(state, { service, say }) {
    switch (policyOf(state)) {
      case "retain":
        say(`The ${claimOf(state)} is retained: it leaves the stack, not the service.`);
        return;
      case "restore":
        return restore(state, service, say);
      case "delete":
        return remove(state, service);
    }
  },
};

/** What a read tells of others. After a write whose answer was lost, another value may be this stack's own. */
function seen(state: State, wire: Wire): State {
  const isTelling = state.origin === "adopted" && state.unconfirmed === undefined;
  return isTelling ? { ...state, changedByOthers: changedByOthers(state, wire) } : state;
}

/** The fields of an adopted record whose earlier values are not known yet. */
function newlyManaged({ valuesFound }: State, { fields }: Inputs): string[] {
  return valuesFound === undefined ? [] : Object.keys(fields).filter((name) => !Object.hasOwn(valuesFound, name));
}

function sameNames(one: Fields, other: Fields): boolean {
  return (
    Object.keys(one).length === Object.keys(other).length &&
    Object.keys(one).every((name) => Object.hasOwn(other, name))
  );
}

async function make(inputs: Inputs, deployment: Deployment): Promise<State> {
  const { service, say } = deployment;
  const made = await createOnce(deployment, creation(inputs, service));
  const created = stateOf(inputs, made, { recordId: made.id });
  // The record exists now: whatever fails must leave it in state.
  const unread: State = { ...created, unconfirmed: true };
  const read = await keeping(unread, `The ${claimOf(created)} was created`, async () => {
    if (!service.can("record.get")) return created;
    const wire = await readBack(claimOf(created), say, () => get(created, service));
    return wire === undefined
      ? created
      : stateOf(inputs, wire, { ...created, readBy: service.endpoints.mark("record.get") });
  });
  return asDeclared(read, inputs);
}

function creation({ appId, entityName, fields }: Inputs, service: Service): Creation<Wire, Wire> {
  const parameters = { app_id: appId, entity_name: entityName };
  return {
    what: `${entityName} record`,
    key: inOrder([appId, entityName, fields]),
    send: () => service.call("record.create", { parameters, body: fields }),
    list: () => readAll(service, "record.list", parameters, fields),
    ...comparedBy(fields),
    idOf: (wire) => wire.id,
    claimOf: (wire) => claimOf({ appId, entityName, recordId: wire.id }),
    adoptBy: "recordId",
  };
}

/** Takes over an existing record: reads it, then sends only what differs. */
async function adopt(inputs: Inputs, recordId: string, deployment: Deployment): Promise<State> {
  const { service } = deployment;
  const at = { appId: inputs.appId, entityName: inputs.entityName, recordId };
  claim(deployment, claimOf(at));
  const wire = await readToAdopt(claimOf(at), () => get(at, service));
  const found = stateOf(inputs, wire, {
    recordId,
    origin: "adopted",
    readBy: service.endpoints.mark("record.get"),
    valuesFound: valuesIn(wire, Object.keys(inputs.fields)),
  });
  return settle(found, inputs, service);
}

async function remove(state: State, service: Service): Promise<void> {
  if (!service.can("record.delete"))
    throw new Refusal(
      `${service.endpoints.unavailable("record.delete")} Or set deletionPolicy to "retain", run \`pulumi up\`, then destroy.`,
    );
  try {
    await service.call("record.delete", about(state));
  } catch (error) {
    if (!isAbsent(error)) throw error;
    // Is it the record that is not there, or the assumed path?
    const wire = await unlessGone(service, state.readBy, () => get(state, service));
    if (wire !== undefined) throw new Refusal(`${error.message} The record was read since: it is there.`);
  }
}

const kind: Kind = {
  name: "EntityRecord",
  outputs: [...Object.keys(inputs.shape), "createdDate", "createdBy", "createdById", "isSample"],
  secretOutputs: ["valuesFound"],
  adoptedBy: "recordId",
};

/**
 * A record of an app's entity.
 *
 * Updating is documented by the service and merges: only changed fields are sent, and what is not declared is left
 * alone. Creating, reading and deleting rest on assumed paths, which `workspace-apps:endpoints` can change. Writing
 * triggers the app's webhooks and automations. A change of `appId`, `entityName`, or to another `recordId`, replaces the
 * record. Destroy deletes a record that this stack created and retains an adopted one, unless `deletionPolicy` says
 * otherwise.
 *
 * ```ts
 * new apps.EntityRecord("vat", {
 *     appId: "app-1",
 *     entityName: "TaxRate",
 *     fields: { country: "DE", percent: 19 },
 * });
 * ```
 */
export class EntityRecord extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly entityName: pulumi.Output<string>;
  declare readonly fields: pulumi.Output<Record<string, unknown>>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. */
  declare readonly recordId: pulumi.Output<string>;
  /** When the service created it, ISO 8601. */
  declare readonly createdDate: pulumi.Output<string | undefined>;
  /** The creating user's email, or `anonymous`; undefined in apps that hide authorship. */
  declare readonly createdBy: pulumi.Output<string | undefined>;
  /** The creating user's id, or `anonymous`. */
  declare readonly createdById: pulumi.Output<string | undefined>;
  /** Whether it was stored as sample data while the app was built. */
  declare readonly isSample: pulumi.Output<boolean | undefined>;

  constructor(name: string, args: EntityRecordArgs, options?: pulumi.CustomResourceOptions) {
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
