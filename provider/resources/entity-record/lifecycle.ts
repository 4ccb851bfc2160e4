import { readAll } from "../../service/lists";
import { differencesIn, requireNoDifference } from "../shared/adoption";
import { canonicalJson, type Fields, pick, sameMeaning, showsAll } from "../shared/compare";
import { creatingByValues } from "../shared/create-by-values";
import type { Step } from "../shared/deployment";
import { readToAdopt } from "../shared/evidence";
import { importing } from "../shared/importing";
import type { Imported, Lifecycle } from "../shared/lifecycle";
import { deletionPolicyOf } from "../shared/ownership";
import { findInList } from "../shared/read-by-list";
import {
  type Address,
  callFor,
  changedByOthers,
  declarableFields,
  get,
  type Inputs,
  leftOut,
  objectName,
  schema,
  type State,
  toState,
  toStateAfterWrite,
  valuesIn,
  type Wire,
} from "./record";
import { applyChanges, requireAsDeclared, restore } from "./write";

const byValues = creatingByValues<Inputs, State, Wire>({
  operations: "record",
  idArgument: "recordId",
  what: ({ entityName }) => `${entityName} record`,
  objectName: (inputs, recordId) => objectName({ ...inputs, recordId }),
  values: ({ fields }) => fields,
  send: ({ appId, entityName, fields }, service) =>
    service.call("record.create", { parameters: { app_id: appId, entity_name: entityName }, body: fields }),
  list: ({ appId, entityName, fields }, reader) =>
    readAll(reader, "record.list", { app_id: appId, entity_name: entityName }, fields),
  get: (inputs, recordId, reader) => reader.call("record.get", callFor({ ...inputs, recordId })),
  toState: (inputs, origin, made, stored) => toStateAfterWrite(inputs, stored ?? made, { recordId: made.id, origin }),
  requireAsDeclared,
  adopt,
});

export const entityRecordLifecycle: Lifecycle<Inputs, State> = {
  kind: "EntityRecord",
  purpose: "Manages a record of an app, or some of its fields",
  inputs: schema,
  needsResourceDigits: true,
  outputs: ["createdDate", "createdBy", "createdById", "isSample"],
  secretOutputs: ["valuesFound", "dropped"],
  rules: [
    {
      properties: ["deletionPolicy", "recordId"],
      problem: ({ deletionPolicy, recordId }) =>
        deletionPolicy === "restore" && recordId === undefined
          ? '"restore" is for adopted records; give recordId'
          : undefined,
    },
  ],
  declares: [
    {
      properties: ["recordId", "entityName", "appId"],
      object: ({ appId, entityName, recordId = "" }) => objectName({ appId, entityName, recordId }),
    },
  ],
  adoptedBy: "recordId",
  importing: importing(schema, { id: ["appId", "entityName", "recordId"], objectName, read: readImported }),
  leftAlone: ["fields"],
  replacedBy: ["appId", "entityName", "recordId"],
  equal: {
    fields: (state, { fields }) => sameMeaning(state.fields, fields) && sameNames(state.fields, fields),
    // Leaving the id out after adoption changes nothing: the state knows which record it is.
    recordId: (state, { recordId }) => recordId === undefined || recordId === state.recordId,
  },
  outputsChangedBy: (state) => (state.unconfirmed === true ? entityRecordLifecycle.outputs : []),
  requiredOperations: ({ recordId }) =>
    recordId === undefined
      ? [{ operation: "record.create", instead: "Or adopt an existing record by its recordId." }]
      : [{ operation: "record.get" }],
  hasMoreToDo: (state) => state.unconfirmed === true || state.dropped !== undefined,
  objectName,
  idOf: (state) => state.recordId,

  ...byValues,

  async read(state, step) {
    if (await isListedUnchanged(state, step)) return state;
    const wire = await step.evidence.readUnlessGone(() => get(state, step));
    return wire && toState(state, wire, withDrift(state, wire));
  },

  async update(state, inputs, step) {
    const added = newlyManaged(state, inputs);
    if (state.unconfirmed === undefined && added.length === 0) return applyChanges(state, inputs, step);
    // Where records cannot be read, nothing is known about the fields, and all are sent.
    if (!step.service.can("record.get")) return applyChanges({ ...state, fields: {} }, inputs, step);
    const wire = await step.evidence.readToChange(() => get(state, step, inputs.fields));
    // The earlier value of a field that begins to be managed can only be seen now.
    const valuesFound = state.valuesFound && { ...valuesIn(state, wire, added), ...state.valuesFound };
    // A declared null that the record does not show may never have been sent.
    const known = pick(inputs.fields, [...Object.keys(state.fields), ...Object.keys(wire)]);
    const kept = { ...withDrift(state, wire), valuesFound };
    return applyChanges(toState({ ...inputs, fields: known }, wire, kept), inputs, step);
  },

  async delete(state, step) {
    const policy = deletionPolicyOf(state);
    if (policy === "retain") {
      step.log(`The ${objectName(state)} is retained: it is removed from the stack, not from the service.`);
      return;
    }
    await (policy === "restore" ? restore(state, step) : remove(state, step));
  },
};

/** Whether a list shows the record as in the state. One that differs may only be shown in short. */
async function isListedUnchanged(state: State, step: Step): Promise<boolean> {
  const { appId, entityName, recordId, fields } = state;
  const reading = {
    list: "record.list",
    parameters: { app_id: appId, entity_name: entityName },
    // An entity may have many more records than the stack manages.
    minReads: 5,
    get: "record.get",
  } as const;
  const wire = await findInList(recordId, reading, step);
  if (wire === undefined || !showsAll(wire, Object.keys(fields))) return false;
  return canonicalJson(toState(state, wire, withDrift(state, wire))) === canonicalJson(state);
}

/** Notes which fields others changed. After a write whose response was lost, another value may be this stack's own. */
function withDrift(state: State, wire: Wire): State {
  const isKnown = state.origin === "adopted" && state.unconfirmed === undefined;
  return isKnown ? { ...state, changedByOthers: changedByOthers(state, wire) } : state;
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

/** Adopts an existing record. With `overwrite`, it sends the declared fields that differ. */
async function adopt(inputs: Inputs, recordId: string, step: Step): Promise<State> {
  const address = { appId: inputs.appId, entityName: inputs.entityName, recordId };
  const wire = await readToAdopt(objectName(address), () => get(address, step, inputs.fields));
  requireNoDifference(objectName(address), differencesIn("fields", wire, inputs.fields), inputs);
  return applyChanges(adopted({ ...inputs, recordId }, wire), inputs, step);
}

/** The record to import, with all fields that a program can hold. */
async function readImported(address: Address, step: Step): Promise<Imported<Inputs, State>> {
  const wire = await readToAdopt(objectName(address), () => get(address, step));
  const { fields, unmanaged } = declarableFields(wire);
  if (unmanaged.length > 0) step.log(`The ${objectName(address)} is imported in part. ${leftOut(unmanaged)}`);
  return { state: adopted({ ...address, fields }, wire) };
}

/** The record as it was found. */
function adopted(declared: Inputs & Address, wire: Wire): State {
  return toState(declared, wire, {
    recordId: declared.recordId,
    origin: "adopted",
    valuesFound: valuesIn(declared, wire, Object.keys(declared.fields)),
  });
}

function remove(state: State, step: Step): Promise<void> {
  const { service, evidence } = step;
  if (!service.can("record.delete"))
    throw service.endpoints.unavailable(
      "record.delete",
      'Or set deletionPolicy to "retain", run `pulumi up`, then destroy.',
    );
  return evidence.changeUnlessGone(
    () => service.call("record.delete", callFor(state)),
    () => evidence.readUnlessGone(() => get(state, step)),
  );
}
