import { createHash, randomBytes } from "node:crypto";
import type { Dispatcher } from "undici";
import { ProviderError } from "./errors";
import { type Endpoint, type Operation, type OperationId, operations } from "./operations";
import { baseUrlSetting, endpointsSetting } from "./setting-names";

/** `"none"` disables the operation. */
type Endpoints = Partial<Record<OperationId, Endpoint | "none">>;

/** How this deployment reaches the service. */
export interface Connection {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly apiKey: string | undefined;
  readonly endpoints: Endpoints;
  readonly documentedOnly: boolean;
  /** Requests per minute, for workspaces with other limits than the documented ones. */
  readonly rateLimits: Partial<Record<OperationId, number>>;
  readonly requestTimeoutSeconds: number;
}

export interface Target {
  method: Dispatcher.HttpMethod;
  /** Percent-encoded, so that every parameter stays inside its own segment. */
  path: string;
}

/** The endpoints of this deployment: the operations table, changed by the settings `endpoints` and `documentedOnly`. */
export class EndpointMap {
  constructor(private readonly connection: Connection) {}

  /** `"METHOD https://host/path/{parameter}"`, for messages. */
  withBaseUrl(id: OperationId): string {
    return (this.endpoint(id) ?? operations[id].endpoint).replace(" ", ` ${this.connection.baseUrl}`);
  }

  /** `"METHOD /path/{parameter}"`, or undefined when the operation must not be called. */
  endpoint(id: OperationId): string | undefined {
    const set = this.connection.endpoints[id];
    if (set !== undefined) return set === "none" ? undefined : set;
    const { endpoint, documented }: Operation = operations[id];
    return documented || !this.connection.documentedOnly ? endpoint : undefined;
  }

  target(id: OperationId, parameters: Readonly<Record<string, string>>): Target {
    const endpoint = this.endpoint(id);
    if (endpoint === undefined) throw this.unavailable(id);
    const [method, template] = endpoint.split(" ") as [Dispatcher.HttpMethod, string];
    const path = template.replace(/\{([^{}]*)\}/g, (_, name: string) => segment(name, parameters[name] ?? ""));
    return { method, path };
  }

  /** Says why an operation cannot be called, and how to change that. `instead`: what else the user can do. */
  unavailable(id: OperationId, instead?: string): ProviderError {
    const isNone = this.connection.endpoints[id] === "none";
    return new ProviderError({
      code: "WA1004",
      what: isNone
        ? `${id} is set to "none" in workspace-apps:endpoints.`
        : `${id} is not called: workspace-apps:documentedOnly is true and the specification does not show its path.`,
      next: [
        `Set the path that your service uses in ${endpointsSetting}: {"${id}": "${operations[id].endpoint}"}.`,
        ...insteadOf(id),
        ...(instead === undefined ? [] : [instead]),
      ],
    });
  }

  /** Where a 404 may come from the base URL: the paths begin with /api themselves. */
  doubtOfBaseUrl(): string[] {
    return /\/api\/?$/.test(this.connection.baseUrl)
      ? [`Remove /api from the end of ${baseUrlSetting}: every path begins with it.`]
      : [];
  }

  /** Whether the operation is called exactly as the specification shows it. */
  isAsDocumented(id: OperationId): boolean {
    return operations[id].documented && this.connection.endpoints[id] === undefined;
  }

  /** Why the path of an operation may be the wrong one, and what to do. Empty when the specification shows it. */
  doubt(id: OperationId): { known: string[]; next: string[] } {
    if (this.isAsDocumented(id)) return { known: [], next: [] };
    return this.connection.endpoints[id] === undefined
      ? {
          known: [`The path of ${id} is assumed: the specification does not show it.`],
          next: [
            `If your service has another path, set it in ${endpointsSetting}: {"${id}": "${yourPath(id)}"}.`,
            ...insteadOf(id),
          ],
        }
      : {
          known: [`The path of ${id} is set in workspace-apps:endpoints.`],
          next: [`Check the path in ${endpointsSetting}.`],
        };
  }

  /**
   * By what an object was read: base URL, endpoint and credential, salted and hashed. The state keeps it as `readBy`. A
   * later 404 of the endpoint is evidence only with the same hashes. The earlier ones stay as long as they fit.
   */
  readBy(id: OperationId, earlier?: string): string {
    if (earlier !== undefined && this.isEvidence(id, earlier)) return earlier;
    return this.hashed(id, randomBytes(4).toString("hex"));
  }

  /** Whether a read with the same base URL, endpoint and credential has worked. */
  isEvidence(id: OperationId, readBy: string | undefined): boolean {
    const [salt = ""] = readBy?.split(".") ?? [];
    return readBy === this.hashed(id, salt);
  }

  /** Whether an object was read at this base URL. An object with the same id elsewhere would be another one. */
  isOfThisService(readBy: string): boolean {
    const [salt = "", ofBaseUrl] = readBy.split(".");
    return ofBaseUrl === shortHash(salt + this.connection.baseUrl);
  }

  /** Whether an object was read with the credential that the operation sends. Another one may not reach the object. */
  isOfThisCredential(id: OperationId, readBy: string | undefined): boolean {
    const [salt = "", , , ofCredential] = readBy?.split(".") ?? [];
    return ofCredential === shortHash(salt + this.credential(id));
  }

  /** After a second credential has acted, only the base URL is left: evidence for neither. */
  ofSeveralCredentials(readBy: string): string {
    return readBy.split(".").slice(0, 2).join(".");
  }

  isOfSeveralCredentials(readBy: string): boolean {
    return readBy === this.ofSeveralCredentials(readBy);
  }

  private hashed(id: OperationId, salt: string): string {
    const parts = [this.connection.baseUrl, this.endpoint(id) ?? "", this.credential(id)];
    return [salt, ...parts.map((part) => shortHash(salt + part))].join(".");
  }

  private credential(id: OperationId): string {
    return this.connection[this.credentialOf(id)] ?? "";
  }

  /** The setting whose value an operation sends. */
  credentialOf(id: OperationId): "accessToken" | "apiKey" {
    return operations[id].credential === "key" && this.connection.apiKey !== undefined ? "apiKey" : "accessToken";
  }
}

/** An endpoint to fill in. The assumed path would be an example of what does not work. */
function yourPath(id: OperationId): string {
  const [method = "", path = ""] = operations[id].endpoint.split(" ");
  return `${method} /your/path${path.match(/\/\{[^{}]*\}/g)?.join("") ?? ""}`;
}

function insteadOf(id: OperationId): string[] {
  const { whenNone }: Operation = operations[id];
  return whenNone === undefined ? [] : [`Or set it to "none": ${whenNone}.`];
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 4);
}

/** One path segment. Refuses `.` and `..`, which URL parsers resolve, encoded or not. */
function segment(name: string, value: string): string {
  const problem = segmentProblem(value);
  if (problem !== undefined)
    throw new ProviderError({ code: "WA1101", what: `${name} ${problem}.`, next: [`Give another ${name}.`] });
  return encodeURIComponent(value);
}

/** Why a value cannot be one segment of a path; undefined when it can. */
export function segmentProblem(value: string): string | undefined {
  if (value === "") return "must not be empty";
  if (value === "." || value === "..") return `must not be "${value}", which would name another path`;
  if (!value.isWellFormed()) return "must be well-formed Unicode";
  return undefined;
}
