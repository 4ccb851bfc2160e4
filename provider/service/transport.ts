import { asSeconds } from "./clock";
import type { Dispatcher } from "undici";
import type * as http from "./http-agents";
import { proxyFor } from "./proxy";
import { readText } from "./response-body";
import { mebibyte } from "./operations";

/** Only the message of an error is needed. */
const maxErrorBytes = 64 * 1024;

export interface HttpRequest {
  method: Dispatcher.HttpMethod;
  /** Path and query, encoded. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /**
   * Opens a connection for this request alone. The service may close a pooled connection just when it is used again. A
   * request that must not be repeated would then be uncertain without need.
   */
  ownConnection: boolean;
  /** Overrides the transport's own time-out. */
  timeoutMilliseconds?: number;
  /** A larger response is not read to its end, and fails. @default 1 MiB */
  maxBytes?: number;
  /** Whether it changes nothing. @default true for a GET */
  isRead?: boolean;
  /** Ends the wait for the response: of a read at once, of anything else after a grace, because its outcome matters. */
  interruption?: AbortSignal | undefined;
}

/** How long the response to a write is still awaited after the step was interrupted. */
const graceMilliseconds = 5_000;

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Empty when the body of an error could not be read. */
  text: string;
  /** Why the body of an error was not read: "is larger than …". */
  unread?: string;
}

/** No complete response arrived. `sent` is false only when no byte of the request can have left this machine. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  constructor(
    message: string,
    readonly sent: boolean,
    /** The status of a response that is too large to be read. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/**
 * HTTP/1.1 to one service, through a proxy if the environment names one: pooled connections, one time-out for the whole
 * exchange, redirects never followed.
 */
export class Transport {
  private readonly origin: string;
  private readonly prefix: string;
  private opened: http.HttpAgents | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly timeoutMilliseconds: number,
    /** Names the proxies. */
    private readonly environment: NodeJS.ProcessEnv = process.env,
  ) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.prefix = url.pathname.replace(/\/+$/, "");
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    let sent = false;
    const timeout = request.timeoutMilliseconds ?? this.timeoutMilliseconds;
    // Not AbortSignal.timeout: it keeps everything of a request in memory until the time is over, long after the response.
    const over = new AbortController();
    const timer = setTimeout(() => {
      over.abort(new DOMException("no response in time", "TimeoutError"));
    }, timeout);
    const stopListening = endAfterInterruption(request, over);
    try {
      const answer = await this.agents.request(
        {
          origin: this.origin,
          path: this.prefix + request.path,
          method: request.method,
          headers: request.headers,
          ...(request.body === undefined ? {} : { body: request.body }),
          signal: over.signal,
        },
        request.ownConnection,
        () => {
          sent = true;
        },
      );
      const { statusCode: status, headers } = answer;
      const isError = status < 200 || status > 299;
      const maxBytes = isError ? maxErrorBytes : (request.maxBytes ?? mebibyte);
      const read = await readText(answer, maxBytes);
      if ("text" in read) return { status, headers, text: read.text };
      // The status says enough.
      if (isError) return { status, headers, text: "", unread: read.unread };
      throw new TransportFailure(`the response ${read.unread}`, sent, read.isTooLarge ? status : undefined);
    } catch (error) {
      throw error instanceof TransportFailure ? error : new TransportFailure(describe(error, timeout), sent);
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  /** For tests and commands that must end: waits for running requests, then closes the connections. */
  async close(): Promise<void> {
    await this.opened?.close();
  }

  /**
   * undici is loaded with the first request, because many previews send none. With `require`, because `import()` needs
   * file extensions, which the sources do not have.
   */
  private get agents(): http.HttpAgents {
    if (this.opened !== undefined) return this.opened;
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { HttpAgents } = require("./http-agents") as typeof http;
    return (this.opened = new HttpAgents(this.timeoutMilliseconds, proxyFor(this.baseUrl, this.environment)));
  }
}

/** Returns what ends the listening. */
function endAfterInterruption(request: HttpRequest, over: AbortController): () => void {
  const { method, interruption, isRead = method === "GET" } = request;
  if (interruption === undefined) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const listen = (): void => {
    const waited = isRead ? "when" : `within ${asSeconds(graceMilliseconds)} after`;
    timer = setTimeout(
      () => {
        over.abort(new Error(`no response ${waited} the step was interrupted`));
      },
      isRead ? 0 : graceMilliseconds,
    );
  };
  if (interruption.aborted) listen();
  else interruption.addEventListener("abort", listen, { once: true });
  return () => {
    clearTimeout(timer);
    interruption.removeEventListener("abort", listen);
  };
}

function describe(error: unknown, timeoutMilliseconds: number): string {
  if (!(error instanceof Error)) return String(error);
  // A host name with several addresses fails with one error for each address, and an empty message.
  if (error instanceof AggregateError) return error.errors.map((one) => describe(one, timeoutMilliseconds)).join("; ");
  if (error.name === "TimeoutError") return `no response within ${String(timeoutMilliseconds / 1000)} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
