import { Agent, DecoratorHandler, type Dispatcher } from "undici";

const kibibyte = 1024;
/** Where the request does not say more, which is far above any object that the specification shows. */
const usualAnswer = 1024 * kibibyte;
/** Of an error only words are wanted. */
const largestError = 64 * kibibyte;

export interface HttpRequest {
  method: Dispatcher.HttpMethod;
  /** Path and query, encoded. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /**
   * Open a connection for this request alone. A pooled one may be closed by the service in the moment in which it is
   * used again, which leaves a request that must not be repeated uncertain for no good reason.
   */
  ownConnection: boolean;
  /** Instead of the transport's own. */
  timeoutMilliseconds?: number;
  /** An answer larger than this is not read to its end, and none. @default 1 MiB */
  mostBytes?: number;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Empty where the body of an error is too large to be read. */
  text: string;
  isTooLarge?: boolean;
}

/** No whole answer came. `sent` is false only when no byte of the request can have left. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  constructor(
    message: string,
    readonly sent: boolean,
  ) {
    super(message);
  }
}

/** HTTP/1.1 to one service: pooled connections, one time-out for the whole exchange, redirects never followed. */
export class Transport {
  private readonly pooled: Agent;
  private readonly unpooled: Agent;
  private readonly origin: string;
  private readonly prefix: string;

  constructor(
    baseUrl: string,
    private readonly timeoutMilliseconds: number,
  ) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.prefix = url.pathname.replace(/\/+$/, "");
    const options: Agent.Options = {
      allowH2: false,
      // The time-out of the exchange covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: timeoutMilliseconds },
    };
    this.pooled = new Agent({ ...options, connections: 32 });
    this.unpooled = new Agent({ ...options, pipelining: 0 });
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    let sent = false;
    const timeout = request.timeoutMilliseconds ?? this.timeoutMilliseconds;
    const agent = request.ownConnection ? this.unpooled : this.pooled;
    const watched = agent.compose(
      (dispatch) => (options, handler) =>
        dispatch(
          options,
          new SendWatch(handler, () => {
            sent = true;
          }),
        ),
    );
    try {
      const answer = await watched.request({
        origin: this.origin,
        path: this.prefix + request.path,
        method: request.method,
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        signal: AbortSignal.timeout(timeout),
      });
      const { statusCode: status, headers, body } = answer;
      const isError = status < 200 || status > 299;
      const most = isError ? largestError : (request.mostBytes ?? usualAnswer);
      const text = await textOf(body, most);
      if (text !== undefined) return { status, headers, text };
      // What its status says is known all the same.
      if (isError) return { status, headers, text: "", isTooLarge: true };
      throw new Error(`the answer is larger than ${String(most / kibibyte)} KiB, and was not read to its end`);
    } catch (error) {
      throw new TransportFailure(describe(error, timeout), sent);
    }
  }

  /** For tests and commands that must end: waits for what is under way, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all([this.pooled.close(), this.unpooled.close()]);
  }
}

/** The whole body, or undefined when it is larger: then the connection is given up, and with it what would still come. */
async function textOf(body: Dispatcher.ResponseData["body"], most: number): Promise<string | undefined> {
  // As fetch does it: a mark of the byte order is no part of the text, and what is no UTF-8 becomes U+FFFD. As it comes,
  // because 16 MiB of other than ASCII at once take a fifth of a second, in which nothing else has its turn.
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function describe(error: unknown, timeoutMilliseconds: number): string {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError) return error.errors.map((one) => describe(one, timeoutMilliseconds)).join("; ");
  if (error.name === "TimeoutError") return `no answer within ${String(timeoutMilliseconds / 1000)} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

/**
 * Tells when undici begins to write a request to a connected socket. An error code cannot tell: ECONNRESET, for one,
 * comes both from a connection reset before the request left and from one reset after it.
 */
class SendWatch extends DecoratorHandler {
  constructor(
    handler: Dispatcher.DispatchHandler,
    private readonly sending: () => void,
  ) {
    super(handler);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    // undici's types leave the methods of its own base class out.
    (DecoratorHandler.prototype as Dispatcher.DispatchHandler).onRequestStart?.call(this, controller, context);
    // A request whose time ran out while it waited for a connection is given up here, before it is written.
    if (!controller.aborted) this.sending();
  }
}
