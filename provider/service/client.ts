import { asSeconds, type Clock, isInterruption, minLoggedWait, serviceDate, unlessInterrupted } from "./clock";
import { type Connection, EndpointMap, type Target } from "./endpoints";
import { ReportedError, type ServiceError, whatOf } from "./errors";
import { type FailedAttempt, hiddenIn, refusal, serviceError } from "./failure";
import { type Answer, isRead, type Operation, type OperationId, operations, type Parameters } from "./operations";
import { parse } from "./parse";
import { RateLimiter } from "./rate-limiter";
import { waitBeforeRetry } from "./retry";
import { type FindResult, type Freshness, type ListSource, SharedReads } from "./shared-reads";
import { type HttpAnswer, Transport, TransportFailure } from "./transport";

export interface Call<Id extends OperationId> {
  parameters: Parameters<Id>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Overrides the operations table for this call. */
  repeatable?: boolean;
  /** Sends one attempt. The caller decides what to do after a failure. */
  once?: boolean;
  /** The caller has already waited with `waitForRateLimit`. */
  hasWaited?: boolean;
  /** Values, at any depth, that the service may repeat in an error although this call does not send them. Never shown. */
  hidden?: unknown;
}

/** State that all clients of one service share. */
interface Shared {
  /** Outlives every step: the clock of a step ends with it. */
  readonly clock: Clock;
  readonly rateLimiters: Map<string, RateLimiter>;
  /** How far the service's clock is ahead of ours, by the `Date` header of its last response. */
  clockLead: number | undefined;
  readonly reads: SharedReads;
}

/** How a client differs from another one of the same service. */
interface Changes {
  readonly clock?: Clock;
  readonly log?: (line: string) => void;
  readonly hidden?: unknown;
}

/** Calls the service: keeps rate limits and time-outs, retries where that is harmless, and checks every response. */
export class ServiceClient {
  readonly endpoints: EndpointMap;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    /** Shows a line to the person who runs the command. */
    private readonly log: (line: string) => void,
    private readonly transport: Pick<Transport, "send" | "close"> = new Transport(
      connection.baseUrl,
      connection.requestTimeoutSeconds * 1000,
    ),
    private readonly shared: Shared = {
      clock,
      rateLimiters: new Map(),
      clockLead: undefined,
      reads: new SharedReads(clock),
    },
    /** Values that the service may repeat in an error and that are never shown, for every call. */
    private readonly hidden?: unknown,
  ) {
    this.endpoints = new EndpointMap(connection);
  }

  private with({ clock = this.clock, log = this.log, hidden = this.hidden }: Changes): ServiceClient {
    return new ServiceClient(this.connection, clock, log, this.transport, this.shared, hidden);
  }

  /** The same client, with the same limits and connections, that logs elsewhere and never shows the `hidden` values. */
  loggingTo(log: (line: string) => void, hidden?: unknown): ServiceClient {
    return this.with({ log, hidden });
  }

  /** The same client for one step, which may be interrupted. */
  forStep(clock: Clock, log: (line: string) => void): ServiceClient {
    return this.with({ clock, log });
  }

  /** The same client for a read that several steps wait for: the end of one of them does not end it. */
  get forSharedReads(): ServiceClient {
    return this.clock === this.shared.clock ? this : this.with({ clock: this.shared.clock });
  }

  /** The same client for the one read that an interrupted step may still send. It does not wait for another attempt. */
  get withoutWaits(): ServiceClient {
    const { clock } = this.shared;
    const { interruption } = this.clock;
    return this.with({
      clock: {
        now: () => clock.now(),
        random: () => clock.random(),
        sleep: () => Promise.reject(interruption?.reason as Error),
      },
    });
  }

  /** Whether the operation may be called in this deployment. */
  can(id: OperationId): boolean {
    return this.endpoints.endpoint(id) !== undefined;
  }

  /** Our time as the service's clock shows it, to the second. Undefined while no response had a usable `Date` header. */
  serviceTime(ourTime: number): number | undefined {
    return this.shared.clockLead === undefined ? undefined : ourTime + this.shared.clockLead;
  }

  /** A read that other steps share. The end of this step does not end it. `read` gets the client for it. */
  shareRead<Id extends OperationId, T>(
    freshness: Freshness,
    operation: Id,
    parameters: Parameters<Id>,
    read: (reader: ServiceClient) => Promise<T>,
  ): Promise<T> {
    const shared = this.shared.reads[freshness]({ operation, parameters }, () => read(this.forSharedReads));
    return unlessInterrupted(this.clock, shared);
  }

  /** Finds an object in a list that other steps share. The end of this step does not end its reading. */
  findInList<Id extends OperationId, Row>(
    operation: Id,
    parameters: Parameters<Id>,
    id: string,
    {
      pages,
      ...rest
    }: Omit<ListSource<Row>, "pages"> & {
      readonly pages: (reader: ServiceClient) => AsyncIterator<readonly Row[]>;
    },
  ): Promise<FindResult<Row>> {
    const source = { ...rest, pages: () => pages(this.forSharedReads) };
    return unlessInterrupted(this.clock, this.shared.reads.find({ operation, parameters }, id, source));
  }

  /** The checked response, or a ServiceError that says what is certain. */
  async call<Id extends OperationId>(id: Id, call: Call<Id>): Promise<Answer<Id>> {
    const target = this.endpoints.target(id, call.parameters);
    if (changesNothing(id, target, call)) return this.send(id, target, call);
    this.shared.reads.changed({ operation: id, parameters: call.parameters });
    try {
      return await this.send(id, target, call);
    } finally {
      this.shared.reads.changed({ operation: id, parameters: call.parameters });
    }
  }

  /** Resolves when the operation's rate limit lets the next request go. */
  waitForRateLimit<Id extends OperationId>(id: Id, parameters: Parameters<Id>): Promise<void> {
    const acquired = this.rateLimiter(id, parameters).acquire(
      (wait) => {
        if (wait >= minLoggedWait) this.log(`${id}: waiting ${asSeconds(wait)} for its rate limit.`);
      },
      () => this.clock.interruption?.aborted !== true,
    );
    return unlessInterrupted(this.clock, acquired);
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Paces, attempts, and decides: a result, another attempt, or the error. */
  private async send<Id extends OperationId>(id: Id, target: Target, call: Call<Id>): Promise<Answer<Id>> {
    const repeatable = call.repeatable ?? operations[id].repeatable;
    let mayBeDone = false;
    if (call.hasWaited !== true) await this.waitForRateLimit(id, call.parameters);
    for (let number = 1; ; number++) {
      const outcome = await this.attempt(id, target, call, repeatable);
      if ("result" in outcome) return outcome.result;
      const error = serviceError(id, target, outcome, this.connection, this.endpoints);
      const wait = waitBeforeRetry({ number, repeatable, error }, this.clock.random());
      if (error.certainty === "limited" && wait !== undefined) this.rateLimiter(id, call.parameters).pause(wait);
      if (call.once === true) throw error;
      const last = wait === undefined ? error : await this.waitToRetry(id, call, error, wait);
      if (last !== undefined) throw mayBeDone ? afterUncertain(id, target, last) : last;
      mayBeDone ||= error.certainty === "uncertain";
    }
  }

  /** The failure with which the call ends if the step is interrupted: nothing more will be known. */
  private async waitToRetry<Id extends OperationId>(
    id: Id,
    call: Call<Id>,
    failure: ServiceError,
    wait: number,
  ): Promise<ServiceError | undefined> {
    try {
      // After a 429, the operation is paused: its rate limit lasts as long.
      if (failure.certainty !== "limited") {
        if (wait >= minLoggedWait) this.log(`${id}: retrying in ${asSeconds(wait)}.`);
        await this.clock.sleep(wait);
      }
      await this.waitForRateLimit(id, call.parameters);
      return undefined;
    } catch (error) {
      if (!isInterruption(this.clock, error)) throw error;
      return failure.notRetried(whatOf(error));
    }
  }

  /** One request: the checked result, or what is known of the failure. */
  private async attempt<Id extends OperationId>(
    id: Id,
    target: Target,
    call: Call<Id>,
    repeatable: boolean,
  ): Promise<{ result: Answer<Id> } | FailedAttempt> {
    const { interruption } = this.clock;
    if (interruption?.aborted === true) {
      const { reason } = interruption as { reason: unknown };
      const code = reason instanceof ReportedError ? reason.report.code : undefined;
      return { certainty: "not-sent", reason: whatOf(reason), code };
    }
    let answer: HttpAnswer;
    try {
      answer = await this.exchange(id, target, call, repeatable);
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const { status, message: reason } = error;
      return { certainty: error.sent ? "uncertain" : "not-sent", reason, status, isTooLarge: status !== undefined };
    }
    this.compareClocks(answer);
    const { status } = answer;
    if (status < 200 || status > 299) {
      const { accessToken, apiKey } = this.connection;
      const hidden = [accessToken, apiKey, hiddenIn(id, call.body), call.hidden, this.hidden];
      return refusal(id, answer, hidden, this.clock.now());
    }
    const parsed = parse(id, target.method, answer);
    if ("result" in parsed) return parsed;
    const reason = `the response (${String(status)}) could not be read: ${parsed.problem}`;
    return { certainty: "uncertain", reason, status };
  }

  private exchange<Id extends OperationId>(
    id: Id,
    target: Target,
    call: Call<Id>,
    repeatable: boolean,
  ): Promise<HttpAnswer> {
    const { maxBytes, minTimeoutSeconds = 0 }: Operation = operations[id];
    const query = new URLSearchParams(call.query).toString();
    return this.transport.send({
      method: target.method,
      path: target.path + (query === "" ? "" : `?${query}`),
      headers: { ...this.headers(id, call.body !== undefined), ...call.headers },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ownConnection: !repeatable,
      timeoutMilliseconds: Math.max(this.connection.requestTimeoutSeconds, minTimeoutSeconds) * 1000,
      interruption: this.clock.interruption,
      isRead: changesNothing(id, target, call),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  }

  private headers(id: OperationId, hasBody: boolean): Record<string, string> {
    const { accessToken, apiKey = "" } = this.connection;
    return {
      accept: "application/json",
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...(this.endpoints.credentialOf(id) === "apiKey"
        ? { api_key: apiKey }
        : { authorization: `Bearer ${accessToken}` }),
    };
  }

  private compareClocks(answer: HttpAnswer): void {
    const date = serviceDate(answer.headers);
    const lead = date === undefined ? undefined : date - this.clock.now();
    if (lead !== undefined && Math.abs(lead) <= maxLead) this.shared.clockLead = lead;
  }

  private rateLimiter(id: OperationId, parameters: Readonly<Record<string, string>>): RateLimiter {
    const { perMinute, limitedPer }: Operation = operations[id];
    const key = limitedPer === undefined ? id : `${id} ${parameters[limitedPer] ?? ""}`;
    let limiter = this.shared.rateLimiters.get(key);
    if (limiter === undefined) {
      limiter = new RateLimiter(this.connection.rateLimits[id] ?? perMinute ?? Infinity, this.shared.clock);
      this.shared.rateLimiters.set(key, limiter);
    }
    return limiter;
  }
}

/** A year. With a clock that is further off, no certificate would be valid: such a `Date` header tells nothing. */
const maxLead = 366 * 24 * 60 * 60_000;

/** All fields of a webhook's update are optional. An update without any is assumed to change nothing. */
function changesNothing(id: OperationId, { method }: Target, { body }: { body?: object }): boolean {
  return isRead(id, method) || (id === "webhook.update" && Object.keys(body ?? {}).length === 0);
}

/** A last attempt that changed nothing does not undo an earlier one that may have been carried out. */
function afterUncertain(id: OperationId, { method }: Target, last: ServiceError): ServiceError {
  if (last.certainty === "uncertain" || isRead(id, method)) return last;
  // The object is gone, so nothing is left that an earlier attempt could have changed.
  if (last.status === 404 && method !== "POST") return last;
  return last.afterUncertain();
}
