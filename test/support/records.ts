import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { type Bench, driven } from "./deployment";
import { newRequests } from "./requests";

export const record = driven(entityRecordLifecycle);

/** The location of the records. */
export const at = { appId: "app-1", entityName: "TaxRate" };

export const declared = { ...at, fields: { country: "DE", percent: 19, since: "2026-01-01T00:00:00Z", note: null } };

/** The requests that the service received since the last call. */
export function requests({ simulator }: Bench): string[] {
  return newRequests(simulator);
}

/** The stored records. */
export function held({ simulator }: Bench) {
  return simulator.objects.records("app-1", "TaxRate");
}

/** Somebody else changes a record. */
export function change({ simulator }: Bench, id: string, fields: Record<string, unknown>): void {
  simulator.objects.changeRecord("app-1", "TaxRate", id, fields);
}
