import { type Call, ServiceClient } from "../../provider/service/client";
import { type Clock } from "../../provider/service/clock";
import type { Connection } from "../../provider/service/endpoints";
import { ServiceError } from "../../provider/service/errors";
import { readJson } from "../../provider/service/json";
import type { OperationId } from "../../provider/service/operations";
import { type HttpAnswer, type HttpRequest, type Transport, TransportFailure } from "../../provider/service/transport";
import { assertRead, readRequest } from "./read-operations";
import type { CredentialForm } from "./report";

/** One request and its response. */
export interface Exchange {
  /** By this machine's clock, in milliseconds. */
  readonly began: number;
  readonly ended: number;
  /** Undefined if no complete response came. */
  readonly answer?: { readonly status: number; readonly isJson: boolean; readonly headers: HttpAnswer["headers"] };
  readonly failure?: TransportFailure;
}

/** One operation, called once with the credential in one form. */
export interface Outcome {
  readonly operation: OperationId;
  readonly form: CredentialForm;
  readonly parameters: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
  /** The validated response, unless there is an error. */
  readonly answer?: unknown;
  readonly error?: ServiceError;
}

type Sender = Pick<Transport, "send" | "close">;

/** Sends only reads, and records the last exchange. */
class RecordingTransport implements Sender {
  private last: Exchange | undefined;

  constructor(
    private readonly transport: Sender,
    private readonly clock: Clock,
  ) {}

  async send(request: HttpRequest): Promise<HttpAnswer> {
    assertRead(request);
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
    if (this.last === undefined) throw new Error("internal error: no request was sent");
    return this.last;
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

/** Calls the service like `pulumi up`, but without retries: doctor reports a problem and does not wait for it to end. */
export class Prober {
  /** How many requests left this machine. */
  requests = 0;

  constructor(
    private readonly connection: Connection,
    private readonly transport: Sender,
    private readonly clock: Clock,
  ) {}

  async call(operation: OperationId, form: CredentialForm, parameters: Record<string, string>): Promise<Outcome> {
    const recording = new RecordingTransport(this.transport, this.clock);
    const service = new ServiceClient(this.withForm(form), this.clock, () => undefined, recording);
    const call = { parameters, once: true, ...readRequest(operation) } as Call<OperationId>;
    const outcome = await service.call(operation, call).then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (error instanceof ServiceError) return { error };
        throw error;
      },
    );
    return { operation, form, parameters, exchange: this.counted(recording.exchange), ...outcome };
  }

  /** Requests the base URL itself, without a credential. Shows that the service is reachable if no operation can be called. */
  async probeBaseUrl(): Promise<Exchange> {
    const recording = new RecordingTransport(this.transport, this.clock);
    await recording.send({ method: "GET", path: "/", headers: {}, ownConnection: false }).catch((error: unknown) => {
      if (!(error instanceof TransportFailure)) throw error;
    });
    return this.counted(recording.exchange);
  }

  private counted(exchange: Exchange): Exchange {
    if (exchange.failure?.sent !== false) this.requests++;
    return exchange;
  }

  private withForm(form: CredentialForm): Connection {
    return form === "api_key" ? this.connection : { ...this.connection, apiKey: undefined };
  }
}
