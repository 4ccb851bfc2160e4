import type { Endpoint, OperationId } from "./operations";

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
