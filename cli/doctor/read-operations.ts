import { type Connection, EndpointMap } from "../../provider/service/endpoints";
import {
  isRead,
  type Operation,
  type OperationId,
  operations,
  parameterNames,
} from "../../provider/service/operations";
import type { HttpRequest } from "../../provider/service/transport";

/** The arguments that a read is sent with, besides the ids in its path. */
interface ReadRequest {
  readonly query?: Record<string, string>;
  readonly body?: Record<string, unknown>;
}

const requests: Partial<Record<OperationId, ReadRequest>> = {
  "member.list": { body: { page_size: 1 } },
  "geoTarget.search": { query: { query: "London" } },
  // A session that does not exist is empty. Without a session, the whole library is returned: up to 5,000 assets.
  "asset.list": { query: { session_id: "workspace-apps-doctor" } },
};

const operationIds = Object.keys(operations) as OperationId[];

/** A check must not make a language model generate text. */
function isCalled(id: OperationId): boolean {
  return isRead(id) && (operations[id] as Operation).generatesText !== true;
}

/** The operations of the table that only read. Doctor calls no others. */
export const readOperations: readonly OperationId[] = operationIds.filter(isCalled);

export const neverCalled: readonly OperationId[] = operationIds.filter((id) => !isCalled(id));

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
  if (isReadEndpoint(endpoint)) return undefined;
  return `workspace-apps:endpoints sets it to "${endpoint}", but doctor sends only GET requests`;
}

/** The last check before the network: throws for every request that is not a read, whatever the rest of doctor does. */
export function assertRead({ method, path }: Pick<HttpRequest, "method" | "path">): void {
  if (isReadEndpoint(`${method} ${path}`)) return;
  throw new Error(`internal error: doctor tried to send a request that is not a read: ${method} ${path}`);
}

function isReadEndpoint(endpoint: string): boolean {
  return endpoint.startsWith("GET ") || readOperations.some((id) => operations[id].endpoint === endpoint);
}

/** The list in which each of these ids can be found. */
export const listOperationFor: Partial<Record<string, OperationId>> = {
  webhook_id: "webhook.list",
  entity_id: "record.list",
  flow_id: "test.list",
};
