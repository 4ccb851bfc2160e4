import { isRead, type Parameters } from "../provider/service/operations";
import { type Areas, openAreas } from "./areas";
import { Clock } from "./clock";
import { authorize, defaultCredentials, defaultWorkspace, type Presented } from "./credentials";
import { Events } from "./events";
import { Faults } from "./faults";
import type { Handler, Query } from "./handler";
import { HeldAnswers } from "./held-answers";
import { Limits } from "./limits";
import { Refusal } from "./refusal";
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

/** The parts that the callers of one workspace share. */
interface Workspace {
  readonly areas: Areas;
  readonly limits: Limits;
}

/** The service, without HTTP. */
export class Service {
  readonly events = new Events();
  readonly clock: Clock;
  readonly faults = new Faults(this.events);
  readonly held = new HeldAnswers();
  readonly log: RequestLog;
  private readonly credentials: readonly Credential[];
  private readonly workspaces = new Map<string, Workspace>();

  constructor(private readonly options: SimulatorOptions) {
    this.clock = new Clock(options.now ?? Date.now, this.events);
    this.log = new RequestLog(this.clock.now, this.events);
    this.credentials = options.credentials ?? defaultCredentials;
  }

  /** The objects of the default workspace. After `reset`, another object. */
  get areas(): Areas {
    return this.workspace(defaultWorkspace).areas;
  }

  workspace(name: string): Workspace {
    const { options, clock, workspaces } = this;
    const opened = workspaces.get(name) ?? {
      areas: openAreas(options, clock),
      limits: new Limits(options.limits ?? {}, clock.now),
    };
    workspaces.set(name, opened);
    return opened;
  }

  /** Everything is as at the start. */
  reset(): void {
    this.held.drop();
    this.faults.reset();
    this.clock.reset();
    this.log.reset();
    this.workspaces.clear();
    this.events.changed("objects");
  }

  /** Carries out a request as the specification says, without faults. */
  answer(request: ServiceRequest): ServiceAnswer {
    try {
      const body = this.carryOut(request);
      if (!isRead(request.operation)) this.events.changed("objects");
      return { status: 200, body };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: error.body, headers: error.headers };
      throw error;
    }
  }

  private carryOut({ operation, parameters, body, presented, query = {}, ...headers }: ServiceRequest): unknown {
    const caller = authorize(this.credentials, presented, operation, this.options.readOnlyOperations);
    const { areas, limits } = this.workspace(caller.workspace);
    limits.admit(operation, parameters, caller.user);
    const handler = areas.handlers[operation] as Handler<OperationId>;
    const newest = this.clock.now() - this.faults.lag(operation, parameters);
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
