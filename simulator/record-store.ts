import { Ids } from "./ids";
import { isoTime } from "./times";

/** What an app says of one of its entities. */
export interface EntitySchema {
  /** The names that the schema declares; others are dropped without error. @default every name */
  fields?: string[];
  /** The row-level update rule: it covers the records whose fields have these values. @default every record */
  updateRule?: Record<string, unknown>;
  /** The field-level rule: an update that sends one of these is refused in full. @default none */
  readOnlyFields?: string[];
  /** Of a refusal by one of the two rules, which is not shown. @default 403 */
  refusalStatus?: number;
}

/** What apps say of their entities. */
export interface RecordOptions {
  /** The schemas and rules of entities, by app and entity. Any entity exists. @default no schema and no rule */
  entities?: Record<string, Record<string, EntitySchema>>;
  /** Whether ISO date-times in the fields of a record read back lack their `Z`, as the service's own times do. @default true */
  datesLoseTheirZone?: boolean;
  /** Apps whose records have no `created_by`. @default none */
  appsHidingAuthorship?: string[];
}

/**
 * An entity record as stored: the values exactly as they were sent, and what the service assigned. Times carry a `Z`
 * here, and `created_by` is there also where the app hides it.
 */
export interface StoredRecord extends Record<string, unknown> {
  id: string;
  created_date: string;
  updated_date: string;
  created_by: string;
  created_by_id: string;
  is_sample: boolean;
}

/** One write through the service, each of which triggers the app's webhooks and automations. */
export interface RecordWrite {
  appId: string;
  entityName: string;
  id: string;
  action: "create" | "update" | "delete";
  at: string;
}

/** The records that the service holds. */
export interface RecordObjects {
  /** Copies, oldest first. Those of `User` are a set of their own, not the app's real user accounts. */
  records(appId: string, entityName: string): StoredRecord[];
  /** Undefined when there is none. */
  record(appId: string, entityName: string, id: string): StoredRecord | undefined;
  /** Adds a record, or replaces the one of the same id; no schema or rule applies, and nothing is triggered. */
  putRecord(appId: string, entityName: string, fields?: Partial<StoredRecord>): StoredRecord;
  /** Merges, without a rule and without triggering anything. Fails when there is none. */
  changeRecord(appId: string, entityName: string, id: string, fields: Partial<StoredRecord>): StoredRecord;
  /** Whether there was one. */
  removeRecord(appId: string, entityName: string, id: string): boolean;
  /** Every write through the service that was carried out, in order. */
  recordWrites(appId?: string, entityName?: string): RecordWrite[];
  /** Gives an entity this schema and these rules instead of those it had; records stay as they are. */
  setEntity(appId: string, entityName: string, schema: EntitySchema): void;
}

export interface RecordStore {
  objects: RecordObjects;
  schema: (appId: string, entityName: string) => EntitySchema;
  wrote: (write: Omit<RecordWrite, "at">) => void;
  all: () => Record<string, Record<string, StoredRecord[]>>;
}

/** The records of all apps' entities. What it gives out are copies. */
export function openRecordStore({ entities = {} }: RecordOptions, now: () => number): RecordStore {
  const byApp = new Map<string, Map<string, Map<string, StoredRecord>>>();
  const schemas = new Map<string, EntitySchema>();
  const writes: RecordWrite[] = [];
  const ids = new Ids("rec");

  const schemaKey = (appId: string, entityName: string) => JSON.stringify([appId, entityName]);
  for (const [appId, ofApp] of Object.entries(entities))
    for (const [entityName, schema] of Object.entries(ofApp)) schemas.set(schemaKey(appId, entityName), schema);

  const recordsOf = (appId: string, entityName: string) => byApp.get(appId)?.get(entityName);

  function put(appId: string, entityName: string, record: StoredRecord): StoredRecord {
    ids.keep(record.id);
    const ofApp = byApp.get(appId) ?? new Map<string, Map<string, StoredRecord>>();
    const records = ofApp.get(entityName) ?? new Map<string, StoredRecord>();
    byApp.set(appId, ofApp.set(entityName, records.set(record.id, structuredClone(record))));
    return structuredClone(record);
  }

  return {
    objects: {
      records: (appId, entityName) => structuredClone([...(recordsOf(appId, entityName)?.values() ?? [])]),

      record: (appId, entityName, id) => structuredClone(recordsOf(appId, entityName)?.get(id)),

      putRecord: (appId, entityName, fields = {}) =>
        put(appId, entityName, { ...justCreated(fields.id ?? ids.next(), isoTime(now())), ...fields }),

      changeRecord: (appId, entityName, id, fields) => {
        const record = recordsOf(appId, entityName)?.get(id);
        if (record === undefined) throw new Error(`App ${appId} has no ${entityName} record ${id}.`);
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

    wrote: (write) => {
      writes.push({ ...write, at: isoTime(now()) });
    },

    all: () =>
      Object.fromEntries(
        [...byApp].map(([appId, ofApp]) => [
          appId,
          Object.fromEntries([...ofApp].map(([name, records]) => [name, structuredClone([...records.values()])])),
        ]),
      ),
  };
}

function justCreated(id: string, at: string): StoredRecord {
  return {
    id,
    created_date: at,
    updated_date: at,
    created_by: "anonymous",
    created_by_id: "anonymous",
    is_sample: false,
  };
}
