import { z } from "zod";
import type { Service } from "../../service/client";
import type { Answer } from "../../service/operations";
import { identifier, jsonObject, oneOf } from "../../arguments";
import { asHeld, type Fields, fieldsThatDiffer, picked } from "../meaning";
import type { Origin } from "../ownership";

/* What a record is declared as, what is kept of it, and the way from wire to state. */

/** "Assigned automatically and ignored if sent." */
const assignedByService = ["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"];

export const inputs = z.strictObject({
  appId: identifier(),
  entityName: identifier().refine(
    (name) => name.trim() !== "User",
    "must not be User: the service would read and write a separate record set, not the app's real user accounts",
  ),
  fields: jsonObject("the entity's fields").superRefine((fields, context) => {
    for (const name of Object.keys(fields))
      if (assignedByService.includes(name))
        context.addIssue({
          code: "custom",
          path: [name],
          params: { ofName: true },
          message: "is assigned by the service, not by whoever writes the record: leave it out",
        });
  }),
  recordId: identifier().optional(),
  deletionPolicy: oneOf(["delete", "restore", "retain"]).optional(),
});

export type Inputs = z.output<typeof inputs>;

type Declared = Omit<Inputs, "recordId">;

export interface State extends Declared {
  recordId: string;
  createdDate?: string | undefined;
  createdBy?: string | undefined;
  createdById?: string | undefined;
  isSample?: boolean | undefined;
  origin?: Origin | undefined;
  /** The endpoint through which this record has been read, which makes a 404 of it evidence. */
  readBy?: string | undefined;
  /** Of an adopted record: the managed fields as they were when they began to be managed, null where there was none. */
  valuesFound?: Fields | undefined;
  /** Of an adopted record: the managed fields that a refresh found changed, and that this stack has not written since. */
  changedByOthers?: string[] | undefined;
  /** The answer to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
}

export type Wire = Answer<"record.get">;

/** Where a record is. */
export type At = Pick<State, "appId" | "entityName" | "recordId">;

/** What state holds beside what the service answers. */
type Kept = Pick<State, "recordId" | "origin" | "readBy" | "valuesFound" | "changedByOthers">;

/** From wire to state: of the record's fields only those that are managed. */
export function stateOf(declared: Declared, wire: Wire, kept: Kept): State {
  return {
    ...declaredIn(declared),
    fields: asHeld(declared.fields, wire),
    // The id by which it is addressed, however the service spells it.
    recordId: kept.recordId,
    createdDate: wire.created_date ?? undefined,
    createdBy: wire.created_by ?? undefined,
    createdById: wire.created_by_id ?? undefined,
    isSample: wire.is_sample ?? undefined,
    origin: kept.origin,
    readBy: kept.readBy,
    valuesFound: kept.valuesFound,
    changedByOthers: kept.changedByOthers?.length ? kept.changedByOthers : undefined,
  };
}

/** The values of these fields, for a later restore. */
export function valuesIn(wire: Wire, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(wire, name) ? wire[name] : null]));
}

/** Beside those that were known: the managed fields that have another value than this stack last saw. */
export function changedByOthers(state: State, wire: Wire): string[] {
  return [...new Set([...(state.changedByOthers ?? []), ...fieldsThatDiffer(state.fields, wire)])];
}

/** What is remembered of the fields that the program manages, and of no others. */
export function managed(state: State, { fields, deletionPolicy }: Inputs): State {
  const { valuesFound, changedByOthers } = state;
  return {
    ...state,
    deletionPolicy,
    valuesFound: valuesFound && picked(valuesFound, Object.keys(fields)),
    changedByOthers: changedByOthers?.filter((name) => Object.hasOwn(fields, name)),
  };
}

export function get(at: At & Partial<State>, service: Service): Promise<Wire> {
  return service.call("record.get", about(at));
}

/** How a record is named in a call, and what the service may say of it that is not to be shown. */
export function about({ appId, entityName, recordId, fields, valuesFound }: At & Partial<State>) {
  return {
    parameters: { app_id: appId, entity_name: entityName, entity_id: recordId },
    hidden: [fields, valuesFound],
  };
}

export function claimOf({ appId, entityName, recordId }: At): string {
  return `${entityName} record ${recordId} of app ${appId}`;
}

export function declaredIn({ appId, entityName, fields, deletionPolicy }: Declared): Declared {
  return { appId, entityName, fields, deletionPolicy };
}
