import type { Socket } from "node:net";
import { Agent, buildConnector, DecoratorHandler, type Dispatcher, errors } from "undici";

/** Connections over HTTP/1.1, by undici. */
export class Connections {
  private readonly pooled: Agent;
  private readonly unpooled: Agent;

  constructor(timeoutMilliseconds: number) {
    const connect = buildConnector({ allowH2: false, timeout: timeoutMilliseconds });
    const options: Agent.Options = {
      allowH2: false,
      // The time-out of the exchange covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, connected) => {
        connect(options, (...[error, socket]) => {
          if (error === null) connected(null, endingQuietly(socket));
          else connected(error, null);
        });
      },
    };
    this.pooled = new Agent({ ...options, connections: 32 });
    this.unpooled = new Agent({ ...options, pipelining: 0 });
  }

  /** Calls `sending` before the first byte of the request can leave. */
  request(options: Dispatcher.RequestOptions, isOwn: boolean, sending: () => void): Promise<Dispatcher.ResponseData> {
    const agent = isOwn ? this.unpooled : this.pooled;
    return agent
      .compose((dispatch) => (options, handler) => dispatch(options, new SendWatch(handler, sending)))
      .request(options);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.pooled.close(), this.unpooled.close()]);
  }
}

/**
 * undici ends a connection that has done its work with an error that nobody reads. Node asks it for its stack trace all
 * the same, and in Pulumi's host every frame is looked up in source maps: a twentieth of its time, and 8 MB for undici's
 * own files.
 */
function endingQuietly<Connection extends Socket>(socket: Connection): Connection {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (...given) => {
    const [error] = given;
    if (error instanceof errors.InformationalError) error.stack = error.message;
    return destroy(...given);
  };
  return socket;
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
