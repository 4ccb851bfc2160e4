import type { Parameters } from "../provider/service/operations";
import { type Areas, openAreas } from "./areas";
import { authorize, defaultCredentials, type Presented } from "./credentials";
import { Faults } from "./faults";
import type { Handler, Query } from "./handler";
import { HeldAnswers } from "./held-answers";
import { Limits } from "./limits";
import { Refusal, refusal } from "./refusal";
import { RequestLog } from "./request-log";
import type { Credential, OperationId, SimulatorOptions } from "./types";
import type { RequestBody } from "./validation";

export interface ServiceRequest {
  operation: OperationId;
  parameters: Record<string, string>;
  body: RequestBody;
  presented: Presented;
  query?: Query;
  /** The `Accept-Language` header. */
  language?: string | undefined;
  /** The `Idempotency-Key` header. */
  idempotencyKey?: string | undefined;
}

export interface ServiceAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The service, without HTTP. */
export class Service {
  readonly areas: Areas;
  readonly faults = new Faults();
  readonly held = new HeldAnswers();
  readonly log: RequestLog;
  private readonly credentials: readonly Credential[];
  private readonly limits: Limits;
  readonly now: () => number;

  constructor(private readonly options: SimulatorOptions) {
    this.now = options.now ?? Date.now;
    this.areas = openAreas(options, this.now);
    this.log = new RequestLog(this.now);
    this.credentials = options.credentials ?? defaultCredentials;
    this.limits = new Limits(options.limits ?? {}, this.now);
  }

  /** Carries out a request as the specification says, without faults. */
  answer(request: ServiceRequest): ServiceAnswer {
    try {
      return { status: 200, body: this.carryOut(request) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: error.body, headers: error.headers };
      throw error;
    }
  }

  private carryOut({ operation, parameters, body, presented, query = {}, ...headers }: ServiceRequest): unknown {
    const caller = authorize(this.credentials, presented, operation, this.options.readOnlyOperations);
    this.limits.admit(operation, parameters);
    const handler = this.areas.handlers[operation] as Handler<OperationId> | undefined;
    if (handler === undefined)
      throw refusal(501, "not_simulated", `The simulator does not support ${operation}. A fault can respond for it.`);
    const newest = this.now() - this.faults.lag(operation);
    return handler({
      // The matched path has these parameters.
      parameters: parameters as Parameters<OperationId>,
      body,
      caller,
      query,
      idempotencyKey: headers.idempotencyKey,
      language: headers.language,
      isListed: (createdDate) => Date.parse(createdDate) <= newest,
    });
  }
}
