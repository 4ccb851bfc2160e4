import { type Call, ServiceClient } from "../../provider/service/client";
import { type Clock } from "../../provider/service/clock";
import type { Connection } from "../../provider/service/connection";
import { ServiceError } from "../../provider/service/errors";
import type { OperationId } from "../../provider/service/operations";
import { type HttpAnswer, type HttpRequest, type Transport, TransportFailure } from "../../provider/service/transport";
import { readJson } from "../../provider/service/json";
import type { Form } from "./finding";
import { expectRead, questionOf } from "./reads";

/** One request and what came back of it, as far as doctor wants to know. */
export interface Exchange {
  /** By this machine's clock, in milliseconds. */
  readonly began: number;
  readonly ended: number;
  /** Undefined when no whole answer came. */
  readonly answer?: { readonly status: number; readonly isJson: boolean; readonly headers: HttpAnswer["headers"] };
  readonly failure?: TransportFailure;
}

/** One operation, called once with the credential in one form. */
export interface Outcome {
  readonly operation: OperationId;
  readonly form: Form;
  readonly parameters: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
  /** The checked answer, unless there is an error. */
  readonly answer?: unknown;
  readonly error?: ServiceError;
}

type Sender = Pick<Transport, "send" | "close">;

/** Sends reads alone, and remembers the last exchange. */
class Watched implements Sender {
  private last: Exchange | undefined;

  constructor(
    private readonly transport: Sender,
    private readonly clock: Clock,
  ) {}

  async send(request: HttpRequest): Promise<HttpAnswer> {
    expectRead(request);
    const began = this.clock.now();
    try {
      const answer = await this.transport.send(request);
      const { status, headers, text } = answer;
      const isJson = !("problem" in readJson(text));
      this.last = { began, ended: this.clock.now(), answer: { status, headers, isJson } };
      return answer;
    } catch (error) {
      if (error instanceof TransportFailure) this.last = { began, ended: this.clock.now(), failure: error };
      throw error;
    }
  }

  get exchange(): Exchange {
    if (this.last === undefined) throw new Error("nothing was sent");
    return this.last;
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

/** Calls the service as `pulumi up` would, but once, whatever comes of it: doctor reports a fault and does not wait it out. */
export class Prober {
  /** How many requests left this machine. */
  requests = 0;

  constructor(
    private readonly connection: Connection,
    private readonly transport: Sender,
    private readonly clock: Clock,
  ) {}

  async call(operation: OperationId, form: Form, parameters: Record<string, string>): Promise<Outcome> {
    const watched = new Watched(this.transport, this.clock);
    const service = new ServiceClient(this.withForm(form), this.clock, () => undefined, watched);
    const call = { parameters, once: true, ...questionOf(operation) } as Call<OperationId>;
    const outcome = await service.call(operation, call).then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (error instanceof ServiceError) return { error };
        throw error;
      },
    );
    return { operation, form, parameters, exchange: this.counted(watched.exchange), ...outcome };
  }

  /** Asks for the base URL itself, without a credential: where no operation can be called, it shows at least the way. */
  async knock(): Promise<Exchange> {
    const watched = new Watched(this.transport, this.clock);
    await watched.send({ method: "GET", path: "/", headers: {}, ownConnection: false }).catch((error: unknown) => {
      if (!(error instanceof TransportFailure)) throw error;
    });
    return this.counted(watched.exchange);
  }

  private counted(exchange: Exchange): Exchange {
    if (exchange.failure?.sent !== false) this.requests++;
    return exchange;
  }

  private withForm(form: Form): Connection {
    return form === "api_key" ? this.connection : { ...this.connection, apiKey: undefined };
  }
}
