import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { MissingObjectError } from "../collection";
import { id, ofApp, route, time } from "../control/route";
import type { Caller } from "../credentials";
import { byName, listBy, unchanged } from "../exported";
import type { Handlers } from "../handler";
import { Ids } from "../ids";
import { refusal } from "../refusal";
import { isoTime, readBack } from "../times";
import type { AllObjects, EntitySchema, RecordObjects, RecordOptions, RecordWrite, StoredRecord } from "../types";
import { anyObject, validated } from "../validation";

interface RecordStore {
  objects: RecordObjects;
  schema: (appId: string, entityName: string) => EntitySchema;
  logWrite: (write: Omit<RecordWrite, "at">) => void;
  snapshot: () => { records: Record<string, Record<string, StoredRecord[]>> };
  restore: (objects: AllObjects) => void;
}

/** The records of all apps' entities. All returned objects are copies. */
function openStore({ entities = {} }: RecordOptions, now: () => number): RecordStore {
  const byApp = new Map<string, Map<string, Map<string, StoredRecord>>>();
  const schemas = new Map<string, EntitySchema>();
  const writes: RecordWrite[] = [];
  const ids = new Ids("rec");

  const schemaKey = (appId: string, entityName: string) => JSON.stringify([appId, entityName]);
  for (const [appId, schemaOf] of Object.entries(entities))
    for (const [entityName, schema] of Object.entries(schemaOf)) schemas.set(schemaKey(appId, entityName), schema);

  const recordsOf = (appId: string, entityName: string) => byApp.get(appId)?.get(entityName);

  function put(appId: string, entityName: string, record: StoredRecord): StoredRecord {
    ids.keep(record.id);
    const entities = byApp.get(appId) ?? new Map<string, Map<string, StoredRecord>>();
    const records = entities.get(entityName) ?? new Map<string, StoredRecord>();
    byApp.set(appId, entities.set(entityName, records.set(record.id, structuredClone(record))));
    return structuredClone(record);
  }

  return {
    objects: {
      records: (appId, entityName) => structuredClone([...(recordsOf(appId, entityName)?.values() ?? [])]),

      record: (appId, entityName, id) => structuredClone(recordsOf(appId, entityName)?.get(id)),

      putRecord: (appId, entityName, fields = {}) =>
        put(appId, entityName, { ...newRecord(fields.id ?? ids.next(), isoTime(now())), ...fields }),

      changeRecord: (appId, entityName, id, fields) => {
        const record = recordsOf(appId, entityName)?.get(id);
        if (record === undefined) throw new MissingObjectError(`App ${appId} has no ${entityName} record ${id}.`);
        return put(appId, entityName, { ...record, ...fields, id });
      },

      removeRecord: (appId, entityName, id) => recordsOf(appId, entityName)?.delete(id) ?? false,

      recordWrites: (appId, entityName) =>
        structuredClone(
          writes.filter(
            (write) =>
              (appId === undefined || write.appId === appId) &&
              (entityName === undefined || write.entityName === entityName),
          ),
        ),

      setEntity: (appId, entityName, schema) => {
        schemas.set(schemaKey(appId, entityName), schema);
      },
    },

    schema: (appId, entityName) => schemas.get(schemaKey(appId, entityName)) ?? {},

    logWrite: (write) => {
      writes.push({ ...write, at: isoTime(now()) });
    },

    snapshot: () => ({
      records: Object.fromEntries(
        [...byApp].map(([appId, entities]) => [
          appId,
          Object.fromEntries([...entities].map(([name, records]) => [name, structuredClone([...records.values()])])),
        ]),
      ),
    }),

    restore: ({ records: given }) => {
      byApp.clear();
      for (const [appId, entities] of Object.entries(given)) {
        byApp.set(appId, new Map(Object.keys(entities).map((name) => [name, new Map<string, StoredRecord>()])));
        for (const [entityName, records] of Object.entries(entities))
          for (const record of records) put(appId, entityName, record);
      }
    },
  };
}

function newRecord(id: string, at: string): StoredRecord {
  return {
    id,
    created_date: at,
    updated_date: at,
    created_by: "anonymous",
    created_by_id: "anonymous",
    is_sample: false,
  };
}

/** "Assigned automatically and ignored if sent". It is an assumption that `is_sample` is ignored too. */
const automaticFields = new Set(["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"]);

/**
 * `User` is an ordinary entity: its records are the "separate disconnected record set" of the specification, because the
 * simulator has no user accounts.
 *
 * No role is required: the entity's rules decide who may write a record. The rules for creating and deleting are not
 * shown, so both are always allowed.
 */
function handlersOf(store: RecordStore, options: RecordOptions, now: () => number): Handlers {
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
      store.logWrite({ appId: app_id, entityName: entity_name, id: record.id, action: "create" });
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
      // Rule 1: omitted fields keep their values.
      const changes = { ...storable(parameters, sent), updated_date: isoTime(now()) };
      const record = objects.changeRecord(app_id, entity_name, entity_id, changes);
      // Rule 5, even if no field is stored: the specification does not say that such a write triggers nothing.
      store.logWrite({ appId: app_id, entityName: entity_name, id: entity_id, action: "update" });
      return wire(app_id, record);
    },

    "record.delete": ({ parameters, caller }) => {
      const { app_id, entity_name, entity_id } = parameters;
      find(parameters, caller);
      objects.removeRecord(app_id, entity_name, entity_id);
      store.logWrite({ appId: app_id, entityName: entity_name, id: entity_id, action: "delete" });
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

/** The record as read back from storage. */
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

/** The automatic fields must have their types. */
const recordShape = z.looseObject({
  id,
  created_date: time,
  updated_date: time,
  created_by: z.string(),
  created_by_id: z.string(),
  is_sample: z.boolean(),
});

const recordFields: z.ZodType<Partial<Omit<StoredRecord, "id">>> = recordShape.extend({ id: z.never() }).exactPartial();

const entitySchema: z.ZodType<EntitySchema> = z
  .strictObject({
    fields: z.array(z.string()),
    updateRule: anyObject,
    readOnlyFields: z.array(z.string()),
    refusalStatus: z.int().min(400).max(499),
  })
  .exactPartial();

const ofEntity = ofApp.extend({ entityName: id });

export const records = {
  open: ({ options, now }) => {
    const store = openStore(options, now);
    const { objects, snapshot, restore } = store;
    return { objects, handlers: handlersOf(store, options, now), snapshot, restore };
  },
  exported: { records: byName(byName(listBy((record: StoredRecord) => record.id, unchanged(recordShape)))) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/records",
      description:
        "Changes a record without Pulumi, or adds it. Without `recordId`, it gets a new id. No schema or rule applies, and it does not count as a write.",
      input: ofEntity.extend({ recordId: id.optional(), fields: recordFields }),
      examples: [{ appId: "a", entityName: "Task", recordId: "r", fields: { title: "changed" } }],
      handle: ({ objects }, { appId, entityName, recordId, fields }) => {
        if (recordId === undefined) return objects.putRecord(appId, entityName, fields);
        return objects.record(appId, entityName, recordId) === undefined
          ? objects.putRecord(appId, entityName, { ...fields, id: recordId })
          : objects.changeRecord(appId, entityName, recordId, fields);
      },
    }),
    route({
      endpoint: "DELETE objects/records",
      description: "Removes a record.",
      input: ofEntity.extend({ recordId: id }),
      examples: [{ appId: "a", entityName: "Task", recordId: "r" }],
      handle: ({ objects }, { appId, entityName, recordId }) => ({
        removed: objects.removeRecord(appId, entityName, recordId),
      }),
    }),
    route({
      endpoint: "GET record-writes",
      description:
        "Returns every write of a record through the service. Each would trigger the app's automations. Both parameters are optional.",
      input: ofEntity.partial(),
      examples: [{ appId: "a", entityName: "Task" }],
      handle: ({ objects }, { appId, entityName }) => ({ writes: objects.recordWrites(appId, entityName) }),
    }),
    route({
      endpoint: "PUT entities",
      description:
        "Sets the schema and rules of an entity: any of `fields`, `updateRule`, `readOnlyFields` and `refusalStatus`.",
      input: ofEntity.extend({ schema: entitySchema }),
      examples: [{ appId: "a", entityName: "Task", schema: { fields: ["title"], updateRule: { title: "open" } } }],
      handle: ({ objects }, { appId, entityName, schema }) => {
        objects.setEntity(appId, entityName, schema);
      },
    }),
  ],
} satisfies Area;
