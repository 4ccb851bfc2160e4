import { z } from "zod";
import type { Answer } from "../service/operations";
import { identifier, oneOf } from "../arguments";
import { asHeld, type Fields, picked } from "./meaning";
import type { Origin } from "./ownership";

/* What a record is declared as, what is kept of it, and the way from wire to state. */

/** "Assigned automatically and ignored if sent." */
const assignedByService = ["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"];

export const inputs = z.strictObject({
  appId: identifier(),
  entityName: identifier().refine(
    (name) => name !== "User",
    "must not be User: the service would read and write a separate record set, not the app's real user accounts",
  ),
  fields: z
    .record(z.string(), z.unknown(), {
      error: (issue) => (issue.input === undefined ? "is required" : "must be an object of the entity's fields"),
    })
    .superRefine((fields, context) => {
      for (const name of Object.keys(fields))
        if (assignedByService.includes(name))
          context.addIssue({
            code: "custom",
            path: [name],
            message: "is assigned by the service, which ignores it if it is sent: leave it out",
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
  origin: Origin;
  /** The endpoint through which this record has been read, which makes a 404 of it evidence. */
  readBy?: string | undefined;
  /** Of an adopted record: the managed fields as they were when they began to be managed. */
  valuesFound?: Fields | undefined;
  /** The answer to a change was lost: the next `up` reads before it compares. */
  unconfirmed?: true | undefined;
}

export type Wire = Answer<"record.get">;

/** Where a record is. */
export type At = Pick<State, "appId" | "entityName" | "recordId">;

/** What state holds beside what the service answers. */
type Kept = Pick<State, "recordId" | "origin" | "readBy" | "valuesFound">;

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
    valuesFound: kept.valuesFound && picked(kept.valuesFound, Object.keys(declared.fields)),
  };
}

export function declaredIn({ appId, entityName, fields, deletionPolicy }: Declared): Declared {
  return { appId, entityName, fields, deletionPolicy };
}
