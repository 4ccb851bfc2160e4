import type { Connection } from "../../provider/service/connection";
import { EndpointMap } from "../../provider/service/endpoints";
import { type OperationId, operations, parameterNames } from "../../provider/service/operations";
import type { HttpRequest } from "../../provider/service/transport";

/** What a read is sent with, besides the ids in its path. */
interface ReadRequest {
  readonly query?: Record<string, string>;
  readonly body?: Record<string, unknown>;
}

/**
 * The only read that is sent as a POST. `searchTheme.suggest` and `run.analyze` change nothing visible either, but a
 * language model generates text for them, which a check must not cause.
 */
const readByPost: OperationId = "member.list";

const requests: Partial<Record<OperationId, ReadRequest>> = {
  [readByPost]: { body: { page_size: 1 } },
  "geoTarget.search": { query: { query: "London" } },
  // A session that does not exist is empty. Without a session, the whole library is returned: up to 5,000 assets.
  "asset.list": { query: { session_id: "workspace-apps-doctor" } },
};

const operationIds = Object.keys(operations) as OperationId[];

function isRead(id: OperationId): boolean {
  return id === readByPost || operations[id].endpoint.startsWith("GET ");
}

/** The operations of the table that only read. Doctor calls no others. */
export const readOperations: readonly OperationId[] = operationIds.filter(isRead);

export const neverCalled: readonly OperationId[] = operationIds.filter((id) => !isRead(id));

/** The names of the ids that reads need. */
export const idNames: readonly string[] = [
  ...new Set(readOperations.flatMap((id) => parameterNames(operations[id].endpoint))),
].sort();

export function readRequest(id: OperationId): ReadRequest {
  return requests[id] ?? {};
}

/** Why the settings do not allow a read to be called. Undefined if they do. */
export function reasonNotCalled(id: OperationId, connection: Connection): string | undefined {
  const endpoint = new EndpointMap(connection).endpoint(id);
  if (endpoint === undefined)
    return connection.endpoints[id] === "none"
      ? 'set to "none" in workspace-apps:endpoints'
      : "workspace-apps:documentedOnly is true, and the specification does not show this operation";
  // Another method at a path that a user set could do anything.
  if (endpoint.startsWith("GET ") || endpoint === operations[readByPost].endpoint) return undefined;
  return `workspace-apps:endpoints sets it to "${endpoint}", but doctor sends only GET requests`;
}

/** The last check before the network: throws for every request that is not a read, whatever the rest of doctor does. */
export function assertRead({ method, path }: Pick<HttpRequest, "method" | "path">): void {
  if (method === "GET" || `${method} ${path}` === operations[readByPost].endpoint) return;
  throw new Error(`internal error: doctor tried to send a request that is not a read: ${method} ${path}`);
}

/** The list in which each of these ids can be found. */
export const listOperationFor: Partial<Record<string, OperationId>> = {
  webhook_id: "webhook.list",
  entity_id: "record.list",
  flow_id: "test.list",
};
