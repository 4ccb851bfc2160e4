import type * as pulumi from "@pulumi/pulumi";
import { type Deployment, type Lifecycle, Unfinished } from "../engine/lifecycle";
import { ManagedResource } from "../engine/resource";
import type { Service } from "../service/client";
import { isAbsent, isUncertain, Refusal, type ServiceError } from "../service/errors";
import { readAll } from "../service/lists";
import { createOnce, type Creation } from "./creation";
import { type At, declaredIn, inputs, type Inputs, type State, stateOf, type Wire } from "./entity-record-state";
import { keeping, unlessGone } from "./evidence";
import { type Fields, fieldsThatDiffer, picked, sameMeaning } from "./meaning";
import { claim, policyOf } from "./ownership";

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
    return wire && stateOf(state, wire, { ...state, readBy: service.endpoints.mark("record.get") });
  },

  async update(state, inputs, deployment) {
    const { service } = deployment;
    const isKnown = state.unconfirmed === undefined && Object.keys(newlyManaged(state, inputs)).length === 0;
    if (isKnown) return settle(state, inputs, deployment);
    const wire = await get(state, service);
    // What a field was before it was managed can only be seen now.
    const valuesFound = state.valuesFound && { ...picked(wire, newlyManaged(state, inputs)), ...state.valuesFound };
    const read = stateOf(inputs, wire, { ...state, readBy: service.endpoints.mark("record.get"), valuesFound });
    return settle(read, inputs, deployment);
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

/** The names that an adopted record's state does not hold yet. */
function newlyManaged({ valuesFound, fields }: State, inputs: Inputs): string[] {
  if (valuesFound === undefined) return [];
  return Object.keys(inputs.fields).filter((name) => !Object.hasOwn(fields, name) && !Object.hasOwn(valuesFound, name));
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
  const created = stateOf(inputs, made, { recordId: made.id, origin: "created" });
  // The record exists now: whatever fails must leave it in state.
  const read = await keeping(created, `The ${claimOf(created)} was created`, async () => {
    if (!service.can("record.get")) return created;
    try {
      return stateOf(inputs, await get(created, service), { ...created, readBy: service.endpoints.mark("record.get") });
    } catch (error) {
      if (!isAbsent(error)) throw error;
      say(`The ${claimOf(created)} can be neither refreshed nor found missing: ${error.message}`);
      return created;
    }
  });
  return asDeclared(read, inputs);
}

function creation({ appId, entityName, fields }: Inputs, service: Service): Creation<Wire, Wire> {
  const parameters = { app_id: appId, entity_name: entityName };
  return {
    what: `${entityName} record`,
    key: JSON.stringify([appId, entityName, fields]),
    send: () => service.call("record.create", { parameters, body: fields }),
    list: () => readAll(service, "record.list", parameters),
    // What the service dropped is not there to compare.
    isAsSent: (wire) => fieldsThatDiffer(picked(fields, Object.keys(wire)), wire).length === 0,
    createdDate: (wire) => wire.created_date ?? undefined,
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
  const wire = await unlessGone(service, undefined, () => get(at, service));
  if (wire === undefined)
    throw new Refusal(`There is no ${claimOf(at)} to adopt: check recordId, entityName and appId.`);
  const found = stateOf(inputs, wire, {
    recordId,
    origin: "adopted",
    readBy: service.endpoints.mark("record.get"),
    valuesFound: picked(wire, Object.keys(inputs.fields)),
  });
  return settle(found, inputs, deployment);
}

/** Sends what differs, and only that; answers with what the service then holds. */
async function settle(state: State, inputs: Inputs, { service }: Deployment): Promise<State> {
  const changed = picked(inputs.fields, fieldsThatDiffer(inputs.fields, state.fields));
  if (Object.keys(changed).length === 0) return { ...stateOf(inputs, { ...wireOf(state), ...state.fields }, state) };
  const wire = await put(state, changed, service);
  return asDeclared(stateOf(inputs, wire, state), inputs);
}

function wireOf(state: State): Wire {
  return {
    id: state.recordId,
    created_date: state.createdDate,
    created_by: state.createdBy,
    created_by_id: state.createdById,
    is_sample: state.isSample,
  };
}

/** "Only fields the schema declares are stored; a misspelled name is dropped without error": here it is an error. */
function asDeclared(state: State, inputs: Inputs): State {
  const differ = fieldsThatDiffer(inputs.fields, state.fields);
  if (differ.length === 0) return state;
  const [dropped, altered] = [false, true].map((held) =>
    differ.filter((name) => Object.hasOwn(state.fields, name) === held),
  );
  const problems = [
    ...(dropped?.length
      ? [`dropped ${dropped.join(", ")} (is it in the schema of ${state.entityName}, and spelled so?)`]
      : []),
    ...(altered?.length ? [`stored another value than was sent in ${altered.join(", ")}`] : []),
  ];
  throw new Unfinished(
    state,
    `The ${claimOf(state)} was written, but the service ${problems.join(" and ")}. The rest is kept; declare what the service stores, and run \`pulumi up\` again.`,
  );
}

/** Writes fields. A write triggers the app's automations, so after a lost answer the record is read before another. */
async function put(state: State, fields: Fields, service: Service): Promise<Wire> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.call("record.update", { parameters: parametersOf(state), body: fields });
    } catch (error) {
      if (!isUncertain(error)) throw error;
      const wire = await readAfter(error, state, service);
      if (fieldsThatDiffer(fields, wire).length === 0) return wire;
      // A refusal that the specification does not show may have any 4xx: the record is as it was.
      if (attempt === 2 || (error.status !== undefined && error.status <= 499))
        throw new Refusal(`${error.message} The record still has its old values.`);
    }
  }
}

async function readAfter(error: ServiceError, state: State, service: Service): Promise<Wire> {
  try {
    return await get(state, service);
  } catch {
    throw new Unfinished(
      { ...state, unconfirmed: true },
      `${error.message} The ${claimOf(state)} could not be read either: run \`pulumi up\` again, which reads before it writes.`,
    );
  }
}

/** Puts the values found at adoption back, where nobody changed them since. */
async function restore(state: State, service: Service, say: (line: string) => void): Promise<void> {
  const wire = await unlessGone(service, state.readBy, () => get(state, service));
  if (wire === undefined) return;
  const changedSince = fieldsThatDiffer(state.fields, wire);
  if (changedSince.length > 0)
    say(`Of the ${claimOf(state)} ${changedSince.join(", ")} changed since the last \`pulumi up\`: left as it is now.`);
  const names = Object.keys(state.fields).filter((name) => !changedSince.includes(name));
  const found = Object.fromEntries(names.map((name) => [name, state.valuesFound?.[name] ?? null]));
  const back = picked(found, fieldsThatDiffer(found, wire));
  if (Object.keys(back).length > 0) await put(state, back, service);
}

async function remove(state: State, service: Service): Promise<void> {
  if (!service.can("record.delete"))
    throw new Refusal(
      `${service.endpoints.unavailable("record.delete")} Or set deletionPolicy to "retain", run \`pulumi up\`, then destroy.`,
    );
  try {
    await service.call("record.delete", { parameters: parametersOf(state) });
  } catch (error) {
    // Is it the record that is not there, or the assumed path?
    if (!isAbsent(error) || (await unlessGone(service, state.readBy, () => get(state, service))) !== undefined)
      throw error;
  }
}

function get(at: At, service: Service): Promise<Wire> {
  return service.call("record.get", { parameters: parametersOf(at) });
}

function parametersOf({ appId, entityName, recordId }: At) {
  return { app_id: appId, entity_name: entityName, entity_id: recordId };
}

function claimOf({ appId, entityName, recordId }: At): string {
  return `${entityName} record ${recordId} of app ${appId}`;
}

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
export class EntityRecord extends ManagedResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly entityName: pulumi.Output<string>;
  declare readonly fields: pulumi.Output<Record<string, unknown>>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. */
  declare readonly recordId: pulumi.Output<string>;
  declare readonly createdDate: pulumi.Output<string | undefined>;
  /** The creating user's email, or `anonymous`; undefined in apps that hide authorship. */
  declare readonly createdBy: pulumi.Output<string | undefined>;
  /** The creating user's id, or `anonymous`. */
  declare readonly createdById: pulumi.Output<string | undefined>;
  /** Whether it was stored as sample data while the app was built. */
  declare readonly isSample: pulumi.Output<boolean | undefined>;

  constructor(name: string, args: EntityRecordArgs, options?: pulumi.CustomResourceOptions) {
    const outputs = [...Object.keys(inputs.shape), "createdDate", "createdBy", "createdById", "isSample"];
    const deleteBeforeReplace = args.recordId !== undefined;
    super({ name: "EntityRecord", outputs, secretOutputs: ["valuesFound"], deleteBeforeReplace }, name, args, options);
  }
}
