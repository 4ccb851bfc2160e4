import type { Connection } from "../../provider/service/connection";
import { EndpointMap } from "../../provider/service/endpoints";
import { type OperationId, operations, parameterNames } from "../../provider/service/operations";
import type { HttpRequest } from "../../provider/service/transport";

/** What a read is asked with, besides the ids in its path. */
export interface Question {
  readonly query?: Record<string, string>;
  readonly body?: Record<string, unknown>;
}

/**
 * The one question that is sent as a POST. `searchTheme.suggest` and `run.analyze` change nothing that is seen either,
 * but have a language model write text, which is more than a check may ask for.
 */
const askedByPost: OperationId = "member.list";

const questions: Partial<Record<OperationId, Question>> = {
  [askedByPost]: { body: { page_size: 1 } },
  "geoTarget.search": { query: { query: "London" } },
  // A session that does not exist reads as empty; without one the whole library would come, up to 5,000 assets.
  "asset.list": { query: { session_id: "workspace-apps-doctor" } },
};

const ids = Object.keys(operations) as OperationId[];

function isRead(id: OperationId): boolean {
  return id === askedByPost || operations[id].endpoint.startsWith("GET ");
}

/** The operations that only read, by the table: all that doctor may ever call. */
export const reads: readonly OperationId[] = ids.filter(isRead);

export const neverCalled: readonly OperationId[] = ids.filter((id) => !isRead(id));

/** The names of the ids that reads need. */
export const idNames: readonly string[] = [
  ...new Set(reads.flatMap((id) => parameterNames(operations[id].endpoint))),
].sort();

export function questionOf(id: OperationId): Question {
  return questions[id] ?? {};
}

/** Why the settings do not let a read be called; undefined when they do. */
export function whyNotCalled(id: OperationId, connection: Connection): string | undefined {
  const endpoint = new EndpointMap(connection).endpoint(id);
  if (endpoint === undefined)
    return connection.endpoints[id] === "none"
      ? 'set to "none" in workspace-apps:endpoints'
      : "workspace-apps:documentedOnly is true, and the specification does not show it";
  // Another method at a path that a user set may do anything.
  if (endpoint.startsWith("GET ") || endpoint === operations[askedByPost].endpoint) return undefined;
  return `workspace-apps:endpoints sets it to "${endpoint}", and doctor sends only GET`;
}

/** The last gate before the network, whatever the rest of doctor does: throws at all that is no mere read. */
export function expectRead({ method, path }: Pick<HttpRequest, "method" | "path">): void {
  if (method === "GET" || `${method} ${path}` === operations[askedByPost].endpoint) return;
  throw new Error(`doctor was about to send ${method} ${path}, which is no mere read: this is a fault of doctor`);
}

/** Which list shows the ids that stand under this name. */
export const listedBy: Partial<Record<string, OperationId>> = {
  webhook_id: "webhook.list",
  entity_id: "record.list",
  flow_id: "test.list",
};
