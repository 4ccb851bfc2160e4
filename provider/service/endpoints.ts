import { createHash } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Connection } from "./connection";
import { Refusal } from "./errors";
import { type Operation, type OperationId, operations } from "./operations";

export interface Target {
  method: Dispatcher.HttpMethod;
  /** Encoded; every parameter stays inside its own segment. */
  path: string;
}

/** Where each operation is found in this deployment: the table, changed by `endpoints` and `documentedOnly`. */
export class EndpointMap {
  constructor(private readonly connection: Connection) {}

  /** `"METHOD /path/{parameter}"`, or undefined when the operation must not be called. */
  endpoint(id: OperationId): string | undefined {
    const set = this.connection.endpoints[id];
    if (set !== undefined) return set === "none" ? undefined : set;
    const { endpoint, documented }: Operation = operations[id];
    return documented || !this.connection.documentedOnly ? endpoint : undefined;
  }

  target(id: OperationId, parameters: Readonly<Record<string, string>>): Target {
    const endpoint = this.endpoint(id);
    if (endpoint === undefined) throw new Refusal(this.unavailable(id));
    const [method, template] = endpoint.split(" ") as [Dispatcher.HttpMethod, string];
    const path = template.replace(/\{([^{}]*)\}/g, (_, name: string) => segment(name, parameters[name] ?? ""));
    return { method, path };
  }

  /** Why an operation cannot be called, and how to change that. */
  unavailable(id: OperationId): string {
    if (this.connection.endpoints[id] === "none")
      return `${id} is set to "none" in workspace-apps:endpoints. ${this.howToSet(id)}`;
    return (
      `${id} is not called, because workspace-apps:documentedOnly is true and the specification does not show it. ` +
      this.howToSet(id)
    );
  }

  howToSet(id: OperationId): string {
    const { endpoint, whenNone }: Operation = operations[id];
    const none = whenNone === undefined ? "" : ` Or set it to "none": ${whenNone}.`;
    return (
      `Set it in workspace-apps:endpoints (or WORKSPACE_APPS_ENDPOINTS): ` +
      `{"${id}": "${endpoint}"}, with the path of your service.${none}`
    );
  }

  /** Whether the operation is called exactly as the specification shows it, so that its 404 speaks of the object. */
  isAsDocumented(id: OperationId): boolean {
    return operations[id].documented && this.connection.endpoints[id] === undefined;
  }

  /** Why the path of an operation may be the wrong one; undefined when the specification shows it. */
  doubt(id: OperationId): string | undefined {
    if (this.isAsDocumented(id)) return undefined;
    return this.connection.endpoints[id] === undefined
      ? `${id} is an assumed path, which the specification does not show. ${this.howToSet(id)}`
      : `The path of ${id} is set in workspace-apps:endpoints (or WORKSPACE_APPS_ENDPOINTS): check that it is right.`;
  }

  /**
   * A short mark of this service and this endpoint. State remembers it once the operation has answered, and from then
   * on a 404 of the same endpoint is evidence; after a change of either it is not.
   */
  mark(id: OperationId): string {
    return shortHash(this.connection.baseUrl) + shortHash(this.endpoint(id) ?? "");
  }

  /** Whether a mark was made at this base URL: at another one, no 404 says anything of the object. */
  isOfThisService(mark: string): boolean {
    return mark.startsWith(shortHash(this.connection.baseUrl));
  }
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 4);
}

/** One path segment. A dot segment would be resolved away by any URL parser on the way, encoded or not. */
function segment(name: string, value: string): string {
  const problem = segmentProblem(value);
  if (problem !== undefined) throw new Refusal(`${name} ${problem}.`);
  return encodeURIComponent(value);
}

/** Why a value cannot be one segment of a path; undefined when it can. */
export function segmentProblem(value: string): string | undefined {
  if (value === "") return "must not be empty";
  if (value === "." || value === "..") return `must not be "${value}", which would name another path`;
  if (!value.isWellFormed()) return "must be well-formed Unicode";
  return undefined;
}
