import { isDeepStrictEqual } from "node:util";
import { checkReach } from "./app-access";
import type { Caller } from "./credentials";
import type { Handlers } from "./handler";
import type { RecordOptions, RecordStore, StoredRecord } from "./record-store";
import { refusal } from "./refusal";
import { isoTime, readBack } from "./times";
import { anyObject, validated } from "./validation";

/** "Assigned automatically and ignored if sent"; `is_sample` is among the automatic fields too. */
const automaticFields = new Set(["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"]);

/**
 * `User` is an entity like any other here: its records are the "separate disconnected record set" of the
 * specification, because the simulator has no user accounts.
 *
 * No role is asked for: who may write a record is for the entity's rules to say. Those of creating and deleting, and
 * whether field-level rules hold for a creation, are not shown, so they let everything pass.
 */
export function recordHandlers(store: RecordStore, options: RecordOptions, now: () => number): Handlers {
  const { objects } = store;
  const { datesLoseTheirZone = true, appsHidingAuthorship = [] } = options;

  /** "`created_by` (…) omitted in apps that hide authorship." */
  function shown(appId: string, { created_by, ...record }: StoredRecord) {
    return appsHidingAuthorship.includes(appId) ? record : { ...record, created_by };
  }

  function wire(appId: string, record: StoredRecord) {
    return shown(appId, storedTimes(record, datesLoseTheirZone));
  }

  function find({ app_id, entity_name, entity_id }: RecordPath, caller: Caller): StoredRecord {
    checkReach(app_id, caller);
    const record = objects.record(app_id, entity_name, entity_id);
    if (record === undefined) throw recordNotFound();
    return record;
  }

  /** Rules 2 and 3. */
  function storable({ app_id, entity_name }: EntityPath, sent: Record<string, unknown>): Record<string, unknown> {
    const { fields } = store.schema(app_id, entity_name);
    const declared = (name: string) => fields === undefined || fields.includes(name);
    return Object.fromEntries(Object.entries(sent).filter(([name]) => declared(name) && !automaticFields.has(name)));
  }

  /** Rule 4. "Status of refusals (…) by row-level or field-level rules (entity update): not shown." */
  function checkRules({ app_id, entity_name }: EntityPath, record: StoredRecord, sent: Record<string, unknown>): void {
    const { updateRule = {}, readOnlyFields = [], refusalStatus = 403 } = store.schema(app_id, entity_name);
    if (!Object.entries(updateRule).every(([name, value]) => isDeepStrictEqual(record[name], value)))
      throw refusal(refusalStatus, "row_level_rule", `The update rule of ${entity_name} does not cover this record.`);
    const refused = Object.keys(sent).filter((name) => readOnlyFields.includes(name));
    if (refused.length > 0)
      throw refusal(refusalStatus, "field_level_rule", `A rule refuses writing ${refused.join(", ")}.`);
  }

  return {
    "record.create": ({ parameters, caller, body }) => {
      const { app_id, entity_name } = parameters;
      const sent = validated(anyObject, body);
      checkReach(app_id, caller);
      const author = { created_by: emailOf(caller), created_by_id: caller.user };
      const record = objects.putRecord(app_id, entity_name, { ...storable(parameters, sent), ...author });
      store.wrote({ appId: app_id, entityName: entity_name, id: record.id, action: "create" });
      // "A record just created carries a Z suffix."
      return shown(app_id, record);
    },

    "record.get": ({ parameters, caller }) => wire(parameters.app_id, find(parameters, caller)),

    "record.list": ({ parameters: { app_id, entity_name }, caller, isListed }) => {
      checkReach(app_id, caller);
      const listed = objects.records(app_id, entity_name).filter((record) => isListed(record.created_date));
      return { items: listed.map((record) => wire(app_id, record)) };
    },

    "record.update": ({ parameters, caller, body }) => {
      const { app_id, entity_name, entity_id } = parameters;
      const sent = validated(anyObject, body);
      checkRules(parameters, find(parameters, caller), sent);
      // Rule 1: what was left out keeps its value.
      const changes = { ...storable(parameters, sent), updated_date: isoTime(now()) };
      const record = objects.changeRecord(app_id, entity_name, entity_id, changes);
      // Rule 5. Also when nothing was left to store: that such a write triggers nothing is not shown.
      store.wrote({ appId: app_id, entityName: entity_name, id: entity_id, action: "update" });
      return wire(app_id, record);
    },

    "record.delete": ({ parameters, caller }) => {
      const { app_id, entity_name, entity_id } = parameters;
      find(parameters, caller);
      objects.removeRecord(app_id, entity_name, entity_id);
      store.wrote({ appId: app_id, entityName: entity_name, id: entity_id, action: "delete" });
      return { success: true };
    },
  };
}

interface EntityPath {
  app_id: string;
  entity_name: string;
}

interface RecordPath extends EntityPath {
  entity_id: string;
}

function recordNotFound() {
  return refusal(404, "record_not_found", "There is no such record.");
}

/** "Email of creating user." */
function emailOf({ user }: Caller): string {
  return user.includes("@") ? user : `${user}@example.com`;
}

/** The record as storage gives it back. */
function storedTimes(record: StoredRecord, alsoInFields: boolean): StoredRecord {
  const inFields = Object.entries(record).map(([name, value]) =>
    automaticFields.has(name) || !alsoInFields ? [name, value] : [name, withoutZones(value)],
  );
  return {
    ...(Object.fromEntries(inFields) as StoredRecord),
    created_date: readBack(record.created_date),
    updated_date: readBack(record.updated_date),
  };
}

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

function withoutZones(value: unknown): unknown {
  if (typeof value === "string") return utcTime.test(value) ? readBack(value) : value;
  if (Array.isArray(value)) return value.map(withoutZones);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutZones(inner)]));
}
