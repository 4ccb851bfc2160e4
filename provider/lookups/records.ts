import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { schemaFields, entityName } from "../resources/entity-record/record";
import { readAll, type Row } from "../service/lists";
import { record } from "../service/shapes";
import { fromWire, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getRecords}. */
export interface GetRecordsArgs {
  /** The app. */
  appId: string;
  /** The entity whose records are listed. */
  entityName: string;
}

/** A record with its current values. */
export interface ListedRecord {
  /** The id of the record. */
  recordId: string;
  /** The fields of the entity's schema that the list shows. */
  fields: Record<string, unknown>;
  /** When it was created, ISO 8601. */
  createdDate?: string;
  /** When it was last changed, ISO 8601. */
  updatedDate?: string;
  /** The email of the user who created it, or `anonymous`. Absent in apps that hide authorship. */
  createdBy?: string;
  /** The id of the user who created it, or `anonymous`. */
  createdById?: string;
  /** Whether it is sample data from the building of the app. */
  isSample?: boolean;
}

/** The result of {@link getRecords}. */
export interface GetRecordsResult {
  /** Every record of the entity that the credential can see, in the service's order. */
  records: ListedRecord[];
}

/** @internal */
export const recordsLookup: Lookup<GetRecordsArgs, GetRecordsResult> = {
  name: "getRecords",
  operation: "record.list",
  purpose: "The records of an entity",
  args: z.strictObject({ appId: identifier(), entityName: entityName() }),
  run: async (args, { service }) => ({
    records: (await readAll(service, "record.list", toWire(args))).map(recordOf),
  }),
};

/** From wire to result. */
function recordOf(wire: Row<"record.list">): ListedRecord {
  const { id, ...assigned } = fromWire(record, wire);
  return { recordId: id, fields: schemaFields(wire), ...assigned };
}

/**
 * Lists the records of an entity. Row-level rules of the app decide which records a credential sees.
 *
 * The path of this operation (`record.list`) is assumed. A list that cannot be read to its end is an error.
 *
 * ```ts
 * const { records } = await apps.getRecords({ appId: "app-1", entityName: "TaxRate" });
 * export const countries = records.map((record) => record.fields["country"]);
 * ```
 */
export function getRecords(args: GetRecordsArgs, opts?: LookupOptions): Promise<GetRecordsResult> {
  return lookUp(recordsLookup, args, opts);
}

/** {@link getRecords} with inputs. Sends its requests once all inputs are known. */
export function getRecordsOutput(
  args: LookupInputs<GetRecordsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetRecordsResult> {
  return lookUpOutput(recordsLookup, args, opts);
}
