import { Agent, DecoratorHandler, type Dispatcher } from "undici";
import type { Proxy } from "./proxy";
import { Tunnels } from "./tunnel";

/** Sends requests over HTTP/1.1, directly or through a proxy, with pooled connections or one connection for one request. */
export class HttpAgents {
  private readonly pooled: Agent;
  private readonly unpooled: Agent;
  private readonly tunnels: Tunnels | undefined;

  constructor(timeoutMilliseconds: number, proxy?: Proxy) {
    this.tunnels = proxy && new Tunnels(proxy, timeoutMilliseconds);
    const options: Agent.Options = {
      allowH2: false,
      connect: this.tunnels?.connect ?? { timeout: timeoutMilliseconds },
      // The time-out of the whole exchange covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.pooled = new Agent({ ...options, connections: 32 });
    this.unpooled = new Agent({ ...options, pipelining: 0 });
  }

  /** Calls `sending` before the first byte of the request can leave. */
  request(
    request: Dispatcher.RequestOptions,
    ownConnection: boolean,
    sending: () => void,
  ): Promise<Dispatcher.ResponseData> {
    const agent = ownConnection ? this.unpooled : this.pooled;
    return agent
      .compose((dispatch) => (options, handler) => dispatch(options, new SendWatch(handler, sending)))
      .request(request);
  }

  /** Waits for running requests. */
  async close(): Promise<void> {
    await Promise.all([this.pooled.close(), this.unpooled.close()]);
    await this.tunnels?.close();
  }
}

type ResponseStart = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>;

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
    // undici's types do not declare the methods of its base class.
    (DecoratorHandler.prototype as Dispatcher.DispatchHandler).onRequestStart?.call(this, controller, context);
    // A request that timed out while it waited for a connection ends here, before it is written.
    if (!controller.aborted) this.sending();
  }

  /** Drops interim responses, such as 103 Early Hints: the base class allows for one response. */
  onResponseStart(...response: ResponseStart): void {
    const [, status] = response;
    if (status >= 200)
      (DecoratorHandler.prototype as Dispatcher.DispatchHandler).onResponseStart?.apply(this, response);
  }
}
