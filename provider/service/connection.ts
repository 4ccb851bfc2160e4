import type { Endpoint, OperationId } from "./operations";

/** `"none"` takes the operation away. */
type Endpoints = Partial<Record<OperationId, Endpoint | "none">>;

/** How the service is reached from this deployment. */
export interface Connection {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly apiKey: string | undefined;
  readonly endpoints: Endpoints;
  readonly documentedOnly: boolean;
  /** Requests per minute, for workspaces whose limits differ from the documented ones. */
  readonly rateLimits: Partial<Record<OperationId, number>>;
  readonly requestTimeoutSeconds: number;
}
