import { z } from "zod";
import { flag, identifier, jsonObject, oneOf } from "../../arguments";
import { isSerializable } from "../../serializable";
import { ProviderError } from "../../service/errors";
import { hasLongNumber } from "../../service/long-numbers";
import type { Answer } from "../../service/operations";
import { oneLine } from "../../service/redaction";
import { asStored, differingFields, type Fields, pick, sameMeaning, without } from "../shared/compare";
import type { Step } from "../shared/deployment";
import { everyArgument } from "../shared/lifecycle";
import type { Origin } from "../shared/ownership";

/* The arguments and the state of a record, and the way from wire to state. */

/** Fields that the service assigns: the first five it ignores if they are sent, `is_sample` says how a record was made. */
export const assignedByService = ["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"];

/** The fields of the entity's schema. */
export function schemaFields(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !assignedByService.includes(name)));
}

/** The fields of the entity's schema, and the names of those that a program cannot hold as they are. */
export function declarableFields(row: Fields): { readonly fields: Fields; readonly unmanaged: readonly string[] } {
  const all = Object.entries(schemaFields(row));
  const isDeclarable = ([name, value]: [string, unknown]): boolean => {
    const field = { [name]: value };
    return !hasLongNumber(value) && isSerializable(field) && schema.shape.fields.safeParse(field).success;
  };
  return {
    fields: Object.fromEntries(all.filter(isDeclarable)),
    unmanaged: all.filter((field) => !isDeclarable(field)).map(([name]) => name),
  };
}

/** Why fields of a record are not managed. */
export function leftOut(names: readonly string[]): string {
  return `Left out, because a program cannot hold these fields as they are: ${names.map(oneLine).join(", ")}.`;
}

/** Whether this is the entity of the app's user accounts, whose records are others. */
export function isUserEntity(name: string): boolean {
  return name.trim() === "User";
}

/** The name of an entity. */
export function entityName() {
  return identifier().refine(
    (name) => !isUserEntity(name),
    "must not be User: the service would read and write a separate record set, not the app's real user accounts",
  );
}

export const schema = z.strictObject({
  appId: identifier(),
  entityName: entityName(),
  fields: jsonObject("the entity's fields").superRefine((fields, context) => {
    for (const name of Object.keys(fields))
      if (assignedByService.includes(name))
        context.addIssue({
          code: "custom",
          path: [name],
          params: { ofName: true },
          message: "is assigned by the service; leave it out",
        });
  }),
  recordId: identifier().optional(),
  overwrite: flag().optional(),
  deletionPolicy: oneOf(["delete", "restore", "retain"]).optional(),
});

export type Inputs = z.output<typeof schema>;

export interface State extends Inputs {
  recordId: string;
  createdDate?: string | undefined;
  createdBy?: string | undefined;
  createdById?: string | undefined;
  isSample?: boolean | undefined;
  origin?: Origin | undefined;
  /** The managed fields of an adopted record as they were when they began to be managed, null where there was none. */
  valuesFound?: Fields | undefined;
  /** The managed fields of an adopted record that a refresh found changed, and that this stack has not written since. */
  changedByOthers?: string[] | undefined;
  /** The response to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
  /** Fields that the service dropped, with the values that were sent: they are not sent again. */
  dropped?: Fields | undefined;
}

export type Wire = Answer<"record.get">;
export type Address = Pick<State, "appId" | "entityName" | "recordId">;

/** The part of the state that the service does not answer. */
type Kept = Pick<State, "recordId" | "createdDate" | "origin" | "valuesFound" | "changedByOthers" | "dropped">;

/** From wire to state: only the managed fields of the record. */
export function toState(declared: Omit<Inputs, "recordId">, wire: Wire, kept: Kept): State {
  const dropped = without(kept.dropped ?? {}, Object.keys(wire));
  return {
    ...everyArgument<Inputs, "recordId">(schema, declared, "recordId"),
    fields: asStored(without(declared.fields, Object.keys(dropped)), wire),
    // The id that addresses it, however the service spells it.
    recordId: kept.recordId,
    createdDate: kept.createdDate ?? wire.created_date ?? undefined,
    createdBy: wire.created_by ?? undefined,
    createdById: wire.created_by_id ?? undefined,
    isSample: wire.is_sample ?? undefined,
    origin: kept.origin,
    valuesFound: kept.valuesFound,
    changedByOthers: kept.changedByOthers?.length ? kept.changedByOthers : undefined,
    dropped: Object.keys(dropped).length > 0 ? dropped : undefined,
  };
}

/**
 * From the record after a write to state. A declared field that it does not show was dropped. One that had a value `before`
 * and is null now was not: the service may leave out nulls.
 */
export function toStateAfterWrite(declared: Inputs, wire: Wire, kept: Kept, before: Fields = {}): State {
  const emptied = Object.keys(before).filter((name) => declared.fields[name] === null);
  return toState(declared, wire, { ...kept, dropped: without(declared.fields, emptied) });
}

/** The values of these fields, for a later restore. Throws if one could not be put back unchanged. */
export function valuesIn(address: Address, wire: Wire, names: readonly string[]): Fields {
  const long = names.filter((name) => Object.hasOwn(wire, name) && hasLongNumber(wire[name]));
  if (long.length > 0)
    throw new ProviderError({
      code: "WA1803",
      what: `The ${objectName(address)} was not changed: a value in it could not be put back.`,
      known: long.map((name) => `fields.${name} holds a number with more digits than JavaScript keeps.`),
      next: ["Leave it out of fields, so that it is not managed."],
    });
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(wire, name) ? wire[name] : null]));
}

/** The managed fields that others changed: those known before, and those that differ from what this stack last saw. */
export function changedByOthers(state: State, wire: Wire): string[] {
  return [...new Set([...(state.changedByOthers ?? []), ...differingFields(state.fields, wire)])];
}

/** The state without what it remembers about fields that the program no longer manages, or declares with another value. */
export function managing(state: State, { fields, deletionPolicy }: Inputs): State {
  const { valuesFound, changedByOthers, dropped = {} } = state;
  const stillDropped = Object.keys(dropped).filter(
    (name) => Object.hasOwn(fields, name) && sameMeaning(fields[name], dropped[name]),
  );
  return {
    ...state,
    deletionPolicy,
    valuesFound: valuesFound && pick(valuesFound, Object.keys(fields)),
    changedByOthers: changedByOthers?.filter((name) => Object.hasOwn(fields, name)),
    dropped: stillDropped.length > 0 ? pick(dropped, stillDropped) : undefined,
  };
}

/** `declared`: fields that the service may know too, and must not be shown. */
export async function get(
  address: Address & Partial<State>,
  { service, evidence }: Step,
  declared?: Fields,
): Promise<Wire> {
  const { parameters, hidden } = callFor(address);
  const wire = await service.call("record.get", { parameters, hidden: [hidden, declared] });
  evidence.shownBy("record.get");
  return wire;
}

/** The path parameters of a call, and what the service may repeat and must not be shown. */
export function callFor({ appId, entityName, recordId, fields, valuesFound, dropped }: Address & Partial<State>) {
  return {
    parameters: { app_id: appId, entity_name: entityName, entity_id: recordId },
    hidden: [fields, valuesFound, dropped],
  };
}

export function objectName({ appId, entityName, recordId }: Address): string {
  return `${entityName} record ${recordId} of app ${appId}`;
}
