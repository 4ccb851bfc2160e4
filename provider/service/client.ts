import { nextStep } from "./advice";
import { asSeconds, type Clock, worthSaying } from "./clock";
import type { Connection } from "./connection";
import { EndpointMap, type Target } from "./endpoints";
import { type Certainty, ServiceError } from "./errors";
import { certaintyOf } from "./evidence";
import { type Answer, type Operation, type OperationId, operations, type Parameters, usualValues } from "./operations";
import { Pace } from "./pacing";
import { oneLine } from "./redaction";
import { retryAfter, waitBeforeRetry } from "./retry";
import { type HttpAnswer, Transport, TransportFailure } from "./transport";
import { readJson } from "./json";
import { pieceSize, readPieces } from "./pieces";
import { inTurns } from "./turns";
import { codeIn, excerpt, type KnownCode, wordsOf } from "./wording";

export interface Call<Id extends OperationId> {
  parameters: Parameters<Id>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** For this call, instead of what the table says of the operation. */
  repeatable?: boolean;
  /** One attempt, whatever comes of it, for which the caller has waited with `turn`: it decides what follows. */
  once?: boolean;
  /** What the service may repeat in its words although it is not sent, and must not be shown. */
  secrets?: readonly string[];
  /** The users' own values that it may repeat, at any depth: not shown either. */
  hidden?: unknown;
}

/** The service, one method call away: paced, timed out, retried where that is harmless, answers checked. */
export class Service {
  readonly endpoints: EndpointMap;
  private readonly secrets: readonly string[];
  private clockLead = 0;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    /** Takes a line for the person who waits. */
    private readonly say: (line: string) => void,
    private readonly transport: Pick<Transport, "send" | "close"> = new Transport(
      connection.baseUrl,
      connection.requestTimeoutSeconds * 1000,
    ),
    private readonly paces = new Map<string, Pace>(),
  ) {
    this.endpoints = new EndpointMap(connection);
    this.secrets = [connection.accessToken, connection.apiKey ?? ""];
  }

  /** The same service, with its limits and connections, for another person who waits. */
  heardBy(say: (line: string) => void): Service {
    return new Service(this.connection, this.clock, say, this.transport, this.paces);
  }

  /** Whether the operation may be called in this deployment. */
  can(id: OperationId): boolean {
    return this.endpoints.endpoint(id) !== undefined;
  }

  /** The service's clock at a moment of ours, by the `Date` of its last answer; to a second. */
  serviceTime(ourTime: number): number {
    return ourTime + this.clockLead;
  }

  /** The checked answer, or a ServiceError that says what is certain. */
  async call<Id extends OperationId>(id: Id, call: Call<Id>): Promise<Answer<Id>> {
    const target = this.endpoints.target(id, call.parameters);
    const repeatable = call.repeatable ?? operations[id].repeatable;
    const pace = this.pace(id, call.parameters);
    let isOpen = false;
    for (let number = 1; ; number++) {
      if (call.once !== true) await this.turn(id, call.parameters);
      try {
        return await this.attempt(id, target, call, repeatable);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (call.once === true) throw error;
        const wait = waitBeforeRetry({ number, repeatable, error }, this.clock.random());
        if (wait === undefined) throw isOpen ? this.stillOpen(id, target, error) : error;
        isOpen ||= error.certainty === "uncertain";
        if (error.certainty === "limited") {
          pace.pause(wait);
          continue;
        }
        if (wait >= worthSaying) this.say(`${id}: waiting ${asSeconds(wait)} before it is tried again.`);
        await this.clock.sleep(wait);
      }
    }
  }

  /** Waits until the operation's rate limit lets the next request go. */
  turn<Id extends OperationId>(id: Id, parameters: Parameters<Id>): Promise<void> {
    return this.pace(id, parameters).turn((wait) => {
      if (wait >= worthSaying) this.say(`${id}: waiting ${asSeconds(wait)} for its rate limit.`);
    });
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  private async attempt<Id extends OperationId>(
    id: Id,
    target: Target,
    call: Call<Id>,
    repeatable: boolean,
  ): Promise<Answer<Id>> {
    const asked = new URLSearchParams(call.query).toString();
    const query = asked === "" ? "" : `?${asked}`;
    let answer: HttpAnswer;
    try {
      answer = await this.transport.send({
        method: target.method,
        path: target.path + query,
        headers: { ...this.headers(id, call.body !== undefined), ...call.headers },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        ownConnection: !repeatable,
        timeoutMilliseconds: this.timeout(id),
        ...mostBytesOf(id),
      });
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const { status } = error;
      const answered = status === undefined ? {} : { status, isTooMuch: true };
      throw this.failure(id, target, error.sent ? "uncertain" : "not-sent", error.message, answered);
    }
    this.compareClocks(answer);
    if (answer.status >= 200 && answer.status <= 299) return this.checked(id, target, answer);
    throw this.refusal(id, target, answer, call);
  }

  /** An attempt that surely did nothing does not undo an earlier one, which may have been carried out. */
  private stillOpen(id: OperationId, { method }: Target, error: ServiceError): ServiceError {
    // What is not there was not changed either; and a read changes nothing.
    if (error.certainty === "uncertain" || isQuestion(id, method)) return error;
    if (error.status === 404 && method !== "POST") return error;
    return error.afterUncertain("It was attempted before, and that attempt may have been carried out.");
  }

  private timeout(id: OperationId): number {
    const { leastTimeoutSeconds = 0 }: Operation = operations[id];
    return Math.max(this.connection.requestTimeoutSeconds, leastTimeoutSeconds) * 1000;
  }

  private compareClocks(answer: HttpAnswer): void {
    const date = answer.headers["date"];
    const theirs = typeof date === "string" ? Date.parse(date) : NaN;
    if (!Number.isNaN(theirs)) this.clockLead = theirs - this.clock.now();
  }

  private headers(id: OperationId, hasBody: boolean): Record<string, string> {
    const { accessToken, apiKey } = this.connection;
    return {
      accept: "application/json",
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...(operations[id].credential === "key" && apiKey !== undefined
        ? { api_key: apiKey }
        : { authorization: `Bearer ${accessToken}` }),
    };
  }

  private async checked<Id extends OperationId>(id: Id, target: Target, answer: HttpAnswer): Promise<Answer<Id>> {
    const unreadable = (why: string, isTooMuch = false): ServiceError =>
      this.failure(id, target, "uncertain", `the answer could not be read (${why})`, {
        status: answer.status,
        isTooMuch,
      });
    const { answer: shape, mostValues = usualValues }: Operation = operations[id];
    const isLarge = answer.text.length > pieceSize;
    const body = isLarge ? await inTurns(readPieces(answer.text, { mostValues })) : readJson(answer.text);
    // A proxy's page with status 200 says nothing of the service, also where any answer will do.
    if ("problem" in body) throw unreadable(`body: ${body.problem}`, body.isTooMuch);
    const result = isLarge ? await shape.safeParseAsync(body.json) : shape.safeParse(body.json);
    if (result.success) return result.data as Answer<Id>;
    // Only where and what was expected: the values are the user's.
    const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
    const more = problems.length > mostProblems ? ["and more"] : [];
    throw unreadable(oneLine([...problems.slice(0, mostProblems), ...more].join("; ")));
  }

  private refusal(
    id: OperationId,
    target: Target,
    answer: HttpAnswer,
    call: Pick<Call<OperationId>, "body" | "secrets" | "hidden">,
  ): ServiceError {
    const { carriesRecords = false, secretFields = [] }: Operation = operations[id];
    const body = readJson(answer.text);
    const code = codeIn(answer.text);
    const secretValues = secretFields.map((field) => call.body?.[field]).filter((value) => typeof value === "string");
    const secrets = [...this.secrets, ...secretValues, ...(call.secrets ?? [])];
    const own = { values: [carriesRecords ? call.body : undefined, call.hidden], onlyKnownForms: carriesRecords };
    const words = answer.isTooLarge === true ? "(a body too large to be read)" : wordsOf(body, secrets, own);
    const said = `the service answered ${String(answer.status)}${words === "" ? "" : `: ${words}`}`;
    const header = answer.headers["retry-after"];
    // A date is by the service's clock.
    const now = this.serviceTime(this.clock.now());
    const wait = retryAfter(typeof header === "string" ? header : undefined, now);
    return this.failure(id, target, certaintyOf(answer.status), said, {
      status: answer.status,
      foreign: answer.isTooLarge === true || "problem" in body,
      ...(code === undefined ? {} : { code }),
      ...(wait === undefined ? {} : { retryAfterMilliseconds: wait }),
    });
  }

  private failure(
    id: OperationId,
    { method, path }: Target,
    certainty: Certainty,
    said: string,
    answer: {
      status?: number;
      code?: KnownCode;
      retryAfterMilliseconds?: number;
      foreign?: boolean;
      isTooMuch?: boolean;
    } = {},
  ): ServiceError {
    const { status, code, retryAfterMilliseconds, isTooMuch } = answer;
    const facts = [
      `${id} (${method} ${excerpt(path)}): ${said.replace(/\.$/, "")}.`,
      (isQuestion(id, method) ? consequenceForQuestions : consequence)[certainty],
      retryAfterMilliseconds === undefined ? undefined : `It asks to wait ${asSeconds(retryAfterMilliseconds)}.`,
    ];
    const advice = [
      nextStep({ operation: id, certainty, status, code, foreign: answer.foreign, isTooMuch }),
      status === 404 || status === 405 ? this.endpoints.doubt(id) : undefined,
    ];
    return new ServiceError({
      operation: id,
      certainty,
      message: sentences([...facts, ...advice]),
      facts: sentences(facts),
      said,
      ...answer,
    });
  }

  private pace(id: OperationId, parameters: Readonly<Record<string, string>>): Pace {
    const { perMinute, limitedPer }: Operation = operations[id];
    const key = limitedPer === undefined ? id : `${id} ${parameters[limitedPer] ?? ""}`;
    let pace = this.paces.get(key);
    if (pace === undefined) {
      pace = new Pace(this.connection.rateLimits[id] ?? perMinute ?? Infinity, this.clock);
      this.paces.set(key, pace);
    }
    return pace;
  }
}

/** A request that changes nothing, whatever comes of it. */
function isQuestion(id: OperationId, method: string): boolean {
  const { reads = method === "GET" }: Operation = operations[id];
  return reads;
}

function mostBytesOf(id: OperationId): { mostBytes?: number } {
  const { mostBytes }: Operation = operations[id];
  return mostBytes === undefined ? {} : { mostBytes };
}

function sentences(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}

/** As many problems of an answer as a message can hold. */
const mostProblems = 5;

const consequenceForQuestions: Partial<Record<Certainty, string>> = {
  "not-sent": "Nothing was sent.",
  limited: "The rate limit was reached.",
};

const consequence: Record<Certainty, string> = {
  "not-sent": "Nothing was sent.",
  refused: "Nothing was changed.",
  limited: "The rate limit was reached; nothing was changed.",
  uncertain: "It may or may not have been carried out.",
};
