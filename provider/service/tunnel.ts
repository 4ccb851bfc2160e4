import type { Socket } from "node:net";
import { buildConnector, errors, Pool } from "undici";
import { nameOf, type Proxy } from "./proxy";

/** Opens connections through a proxy, with CONNECT and then TLS to the service. The proxy sees only its host and port. */
export class Tunnels {
  private readonly proxy: Pool;
  private readonly secure: buildConnector.connector;

  constructor(
    private readonly settings: Proxy,
    timeoutMilliseconds: number,
  ) {
    const connect = { timeout: timeoutMilliseconds, allowH2: false };
    const headersTimeout = Math.ceil(timeoutMilliseconds);
    this.proxy = new Pool(settings.address, { connect, allowH2: false, headersTimeout });
    this.secure = buildConnector(connect);
  }

  /** For undici's agents. They write no byte of a request before this has given them a socket. */
  readonly connect: buildConnector.connector = (options, done) => {
    this.open(options).then(
      (httpSocket) => {
        this.secure({ ...options, httpSocket }, (...result) => {
          const [error] = result;
          if (error === null) done(...result);
          else done(this.brokenTunnel(error), null);
        });
      },
      (error: unknown) => {
        done(error instanceof Error ? error : new Error(String(error)), null);
      },
    );
  };

  private async open({ host = "", port }: buildConnector.Options): Promise<Socket> {
    const { authorization } = this.settings;
    const name = nameOf(this.settings);
    const target = port === "" ? `${host}:443` : host;
    const headers = { host: target, ...(authorization === undefined ? {} : { "proxy-authorization": authorization }) };
    const answer = await this.proxy.connect({ path: target, headers }).catch((error: unknown) => {
      // A plain Error: undici would connect again and again after a SocketError of its own.
      throw new Error(`the proxy ${name} cannot be used: ${causeOf(error)}`);
    });
    const { statusCode: status, socket } = answer;
    // undici declares only what all its sockets have in common.
    if (status >= 200 && status <= 299) return socket as Socket;
    socket.on("error", () => undefined).destroy();
    const why = status === 407 ? " (it requires valid credentials)" : "";
    throw new Error(`the proxy ${name} answered ${String(status)} to CONNECT ${target}${why}`);
  }

  /** undici and the doctor tell errors of TLS by their code. */
  private brokenTunnel(error: NodeJS.ErrnoException): Error {
    const { code } = error;
    const told = new Error(`${error.message}, through the proxy ${nameOf(this.settings)}`);
    return code === undefined ? told : Object.assign(told, { code });
  }

  /** Ends also a CONNECT that nobody waits for any more. */
  async close(): Promise<void> {
    await this.proxy.destroy();
  }
}

function causeOf(error: unknown): string {
  if (error instanceof errors.HeadersTimeoutError) return "it did not answer in time";
  if (error instanceof AggregateError) return error.errors.map(causeOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const { code = "" } = error as NodeJS.ErrnoException;
  // Its message would be a line of OpenSSL.
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return `it does not speak TLS (${code}); write http:// instead`;
  return error.message;
}
