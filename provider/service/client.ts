import { nextStep } from "./advice";
import {
  asSeconds,
  type Clock,
  isInterruption,
  type Moment,
  serviceDate,
  unlessInterrupted,
  worthSaying,
} from "./clock";
import type { Connection } from "./connection";
import { EndpointMap, type Target } from "./endpoints";
import { codeIn, type KnownCode, wordsOf } from "./error-text";
import { type Certainty, certaintyOf, messageOf, ServiceError } from "./errors";
import { readJson } from "./json";
import { type Answer, isRead, type Operation, type OperationId, operations, type Parameters } from "./operations";
import { whyPartial, withHeaders } from "./partial-responses";
import { RateLimiter } from "./rate-limiter";
import { oneLine } from "./redaction";
import { retryAfter, waitBeforeRetry } from "./retry";
import { isPage } from "./shapes";
import { type HttpAnswer, Transport, TransportFailure } from "./transport";

export interface Call<Id extends OperationId> {
  parameters: Parameters<Id>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Overrides the operations table for this call. */
  repeatable?: boolean;
  /** Sends one attempt. The caller has waited with `waitForRateLimit`, and decides what to do after a failure. */
  once?: boolean;
  /** Values, at any depth, that the service may repeat in an error although this call does not send them. Never shown. */
  hidden?: unknown;
}

/** What clients of one service have in common. */
interface Shared {
  /** Of all steps together: that of one step ends with it. */
  readonly clock: Clock;
  readonly rateLimiters: Map<string, RateLimiter>;
  /** How far the service's clock is ahead of ours, by the `Date` header of its last response. */
  clockLead: number | undefined;
  writeVersion: number;
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
    private readonly shared: Shared = { clock, rateLimiters: new Map(), clockLead: undefined, writeVersion: 0 },
    /** Values that the service may repeat in an error and that are never shown, for every call. */
    private readonly hidden?: unknown,
  ) {
    this.endpoints = new EndpointMap(connection);
  }

  /** The same client, with the same limits and connections, that logs elsewhere and never shows the `hidden` values. */
  loggingTo(log: (line: string) => void, hidden?: unknown): ServiceClient {
    return new ServiceClient(this.connection, this.clock, log, this.transport, this.shared, hidden);
  }

  /** The same client for one step, which may be interrupted. */
  inStep(clock: Clock, log: (line: string) => void): ServiceClient {
    return new ServiceClient(this.connection, clock, log, this.transport, this.shared, this.hidden);
  }

  /** The same client for a read that several steps wait for: the end of one of them does not end it. */
  get forSharedReads(): ServiceClient {
    if (this.clock === this.shared.clock) return this;
    return new ServiceClient(this.connection, this.shared.clock, this.log, this.transport, this.shared, this.hidden);
  }

  /** The same client for the one read that an interrupted step may still send. It does not wait for another attempt. */
  get withoutWaits(): ServiceClient {
    const { clock } = this.shared;
    const { interruption } = this.clock;
    const oneAttempt: Clock = {
      now: () => clock.now(),
      random: () => clock.random(),
      sleep: () => Promise.reject(interruption?.reason as Error),
    };
    return new ServiceClient(this.connection, oneAttempt, this.log, this.transport, this.shared, this.hidden);
  }

  /** Whether the operation may be called in this deployment. */
  can(id: OperationId): boolean {
    return this.endpoints.endpoint(id) !== undefined;
  }

  /** Our time as the service's clock shows it, to the second. Undefined while no response had a usable `Date` header. */
  serviceTime(ourTime: number): number | undefined {
    return this.shared.clockLead === undefined ? undefined : ourTime + this.shared.clockLead;
  }

  /** Our time with the service's beside it. */
  momentAt(ourTime: number): Moment {
    return { at: ourTime, serviceAt: this.serviceTime(ourTime) };
  }

  /** Grows whenever a request that may change something begins or ends. */
  get writeVersion(): number {
    return this.shared.writeVersion;
  }

  /** The checked response, or a ServiceError that says what is certain. */
  async call<Id extends OperationId>(id: Id, call: Call<Id>): Promise<Answer<Id>> {
    const target = this.endpoints.target(id, call.parameters);
    if (changesNothing(id, target, call)) return this.send(id, target, call);
    this.shared.writeVersion++;
    try {
      return await this.send(id, target, call);
    } finally {
      this.shared.writeVersion++;
    }
  }

  /** Resolves when the operation's rate limit lets the next request go. */
  waitForRateLimit<Id extends OperationId>(id: Id, parameters: Parameters<Id>): Promise<void> {
    const acquired = this.rateLimiter(id, parameters).acquire(
      (wait) => {
        if (wait >= worthSaying) this.log(`${id}: waiting ${asSeconds(wait)} for its rate limit.`);
      },
      () => this.clock.interruption?.aborted !== true,
    );
    return unlessInterrupted(this.clock, acquired);
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Retries where that is harmless. */
  private async send<Id extends OperationId>(id: Id, target: Target, call: Call<Id>): Promise<Answer<Id>> {
    const repeatable = call.repeatable ?? operations[id].repeatable;
    let mayBeDone = false;
    if (call.once !== true) await this.waitForRateLimit(id, call.parameters);
    for (let number = 1; ; number++) {
      try {
        return await this.attempt(id, target, call, repeatable);
      } catch (error) {
        if (!(error instanceof ServiceError) || call.once === true) throw error;
        const wait = waitBeforeRetry({ number, repeatable, error }, this.clock.random());
        const end = wait === undefined ? error : await this.waitToRetry(id, call, error, wait);
        if (end !== undefined) throw mayBeDone ? this.stillUncertain(id, target, end) : end;
        mayBeDone ||= error.certainty === "uncertain";
      }
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
      if (failure.certainty === "limited") this.rateLimiter(id, call.parameters).pause(wait);
      else {
        if (wait >= worthSaying) this.log(`${id}: retrying in ${asSeconds(wait)}.`);
        await this.clock.sleep(wait);
      }
      await this.waitForRateLimit(id, call.parameters);
      return undefined;
    } catch (error) {
      if (!isInterruption(this.clock, error)) throw error;
      return failure.notRetried(messageOf(error));
    }
  }

  private async attempt<Id extends OperationId>(
    id: Id,
    target: Target,
    call: Call<Id>,
    repeatable: boolean,
  ): Promise<Answer<Id>> {
    const encoded = new URLSearchParams(call.query).toString();
    const query = encoded === "" ? "" : `?${encoded}`;
    const { maxBytes }: Operation = operations[id];
    let answer: HttpAnswer;
    const { interruption } = this.clock;
    if (interruption?.aborted === true) throw this.failure(id, target, "not-sent", messageOf(interruption.reason));
    try {
      answer = await this.transport.send({
        method: target.method,
        path: target.path + query,
        headers: { ...this.headers(id, call.body !== undefined), ...call.headers },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        ownConnection: !repeatable,
        timeoutMilliseconds: this.timeout(id),
        interruption,
        isRead: changesNothing(id, target, call),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      });
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const { status } = error;
      const answered = status === undefined ? {} : { status, isTooLarge: true };
      throw this.failure(id, target, error.sent ? "uncertain" : "not-sent", error.message, answered);
    }
    this.compareClocks(answer);
    if (answer.status >= 200 && answer.status <= 299) return this.checked(id, target, answer);
    throw this.refusal(id, target, answer, call);
  }

  /** A last attempt that changed nothing does not undo an earlier one that may have been carried out. */
  private stillUncertain(id: OperationId, { method }: Target, error: ServiceError): ServiceError {
    if (error.certainty === "uncertain" || isRead(id, method)) return error;
    // The object is gone, so nothing is left that an earlier attempt could have changed.
    if (error.status === 404 && method !== "POST") return error;
    return error.afterUncertain();
  }

  private timeout(id: OperationId): number {
    const { minTimeoutSeconds = 0 }: Operation = operations[id];
    return Math.max(this.connection.requestTimeoutSeconds, minTimeoutSeconds) * 1000;
  }

  private compareClocks(answer: HttpAnswer): void {
    const date = serviceDate(answer.headers);
    const lead = date === undefined ? undefined : date - this.clock.now();
    if (lead !== undefined && Math.abs(lead) <= mostLead) this.shared.clockLead = lead;
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

  private checked<Id extends OperationId>(id: Id, target: Target, answer: HttpAnswer): Answer<Id> {
    const { status } = answer;
    const unreadable = (why: string): ServiceError =>
      this.failure(id, target, "uncertain", `the response (${String(status)}) could not be read: ${why}`, { status });
    const { answer: shape, doneOn204, doneOnlyOn200 }: Operation = operations[id];
    if (status === 204 && doneOn204 === true) return undefined as Answer<Id>;
    if (status !== 200 && doneOnlyOn200 === true) throw unreadable("only a 200 says that it was carried out");
    const body = readJson(answer.text);
    // Also where any JSON will do: a proxy's page with status 200 says nothing about the service.
    if ("problem" in body) throw unreadable(`body: ${body.problem}`);
    const result = shape.safeParse(body.json);
    if (result.success) {
      if (isPage(result.data)) return withHeaders(result.data, answer) as Answer<Id>;
      const part = isRead(id, target.method) ? whyPartial(answer) : undefined;
      if (part !== undefined) throw unreadable(`it ${part}`);
      return result.data as Answer<Id>;
    }
    // The messages name the field and what was expected, never the value, which is the user's.
    const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
    const more = problems.length > mostProblems ? ["and more"] : [];
    throw unreadable(oneLine([...problems.slice(0, mostProblems), ...more].join("; ")));
  }

  private refusal(
    id: OperationId,
    target: Target,
    answer: HttpAnswer,
    call: Pick<Call<OperationId>, "body" | "hidden">,
  ): ServiceError {
    const { carriesRecords = false, hiddenFields = [], shownFields = [], refusals }: Operation = operations[id];
    const body = readJson(answer.text);
    const code = codeIn(answer.text);
    const sent = carriesRecords ? call.body : hiddenFields.map((field) => without(shownFields, call.body?.[field]));
    const hidden = [this.connection.accessToken, this.connection.apiKey, sent, call.hidden, this.hidden];
    const words =
      answer.unread === undefined ? wordsOf(body, hidden, carriesRecords) : `(the response ${answer.unread})`;
    const header = answer.headers["retry-after"];
    // A date in Retry-After is in the service's time, however far that is from ours.
    const now = serviceDate(answer.headers) ?? this.serviceTime(this.clock.now()) ?? this.clock.now();
    const wait = retryAfter(typeof header === "string" ? header : undefined, now);
    return this.failure(
      id,
      target,
      certaintyOf(answer.status, refusals),
      `the service answered ${String(answer.status)}`,
      {
        status: answer.status,
        words,
        foreign: answer.unread !== undefined || "problem" in body,
        ...(code === undefined ? {} : { code }),
        ...(wait === undefined ? {} : { retryAfterMilliseconds: wait }),
      },
    );
  }

  private failure(
    id: OperationId,
    { method, path }: Target,
    certainty: Certainty,
    why: string,
    answer: {
      status?: number;
      /** The service's own words. */
      words?: string;
      code?: KnownCode;
      retryAfterMilliseconds?: number;
      foreign?: boolean;
      isTooLarge?: boolean;
    } = {},
  ): ServiceError {
    const { words = "", isTooLarge, ...rest } = answer;
    const reason = oneLine(why).replace(/\.$/, "");
    const { status, code, foreign, retryAfterMilliseconds: wait } = rest;
    const doubt = status === 404 || status === 405 ? this.endpoints.doubt(id) : { known: [], next: [] };
    const baseUrlDoubt = status === 404 ? this.endpoints.doubtOfBaseUrl() : [];
    return new ServiceError({
      ...rest,
      operation: id,
      certainty,
      reason,
      ...(words === "" ? {} : { serviceMessage: words }),
      consequence: consequenceOf(id, method, certainty),
      known: defined([
        words === "" ? undefined : `The service said: ${words}`,
        `Request: ${method} ${this.connection.baseUrl}${withoutLongSegments(path)}`,
        status === 401 || status === 403 ? `Credential: workspace-apps:${this.endpoints.credentialOf(id)}` : undefined,
        wait === undefined ? undefined : `The service asks to wait ${asSeconds(wait)}.`,
        ...doubt.known,
      ]),
      next: defined([
        ...baseUrlDoubt,
        nextStep({
          operation: id,
          credential: this.endpoints.credentialOf(id),
          certainty,
          status,
          code,
          foreign,
          isTooLarge,
        }),
        ...doubt.next,
      ]),
    });
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

/** All fields of a webhook's update are optional. That an update without any changes nothing is assumed. */
function changesNothing(id: OperationId, { method }: Target, { body }: { body?: object }): boolean {
  return isRead(id, method) || (id === "webhook.update" && Object.keys(body ?? {}).length === 0);
}

/** Long ids are left out and not cut: the caller could not recognize half of a secret id, and so not hide it. */
function withoutLongSegments(path: string): string {
  return path
    .split("/")
    .map((segment) => (segment.length > longestSegment ? "…" : segment))
    .join("/");
}

const longestSegment = 128;

function without(fields: readonly string[], value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}

function defined<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

/** A year. With a clock that is further off, no certificate would be valid: such a `Date` header tells nothing. */
const mostLead = 366 * 24 * 60 * 60_000;

/** How many problems of one response a message shows. */
const mostProblems = 5;

function consequenceOf(id: OperationId, method: string, certainty: Certainty): string | undefined {
  if (isRead(id, method)) return consequenceOfReads[certainty];
  const { whenRefused = consequences.refused }: Operation = operations[id];
  return certainty === "refused" ? whenRefused : consequences[certainty];
}

const consequences: Record<Certainty, string> = {
  "not-sent": "No request was sent.",
  refused: "Nothing was changed.",
  limited: "The rate limit was reached; nothing was changed.",
  uncertain: "It may or may not have been carried out.",
};

const consequenceOfReads: Partial<Record<Certainty, string>> = {
  "not-sent": "No request was sent.",
  limited: "The rate limit was reached.",
};
