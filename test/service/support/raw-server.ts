import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";

/** One connection as the server saw it. */
export interface RawConnection {
  /** The server writes to it. */
  socket: net.Socket;
  /** The same socket, or the one below its TLS: only this one can be reset. */
  tcp: net.Socket;
  /** Every received byte, as Latin-1 text. */
  received: string;
  /** The number of complete requests. */
  requests: number;
}

export interface RawBehaviour {
  onConnection?: (connection: RawConnection) => void;
  /** After any bytes. */
  onData?: (connection: RawConnection) => void;
  /** After a complete request, head and body. */
  onRequest?: (connection: RawConnection) => void;
}

/** A TCP server that does what the test says and records every byte that it received. */
export class RawServer {
  readonly connections: RawConnection[] = [];
  private readonly closings: Promise<unknown>[] = [];
  private readonly server: net.Server;

  private constructor(behaviour: RawBehaviour, secure?: tls.TLSSocketOptions) {
    this.server = net.createServer((tcp) => {
      const socket: net.Socket = secure === undefined ? tcp : new tls.TLSSocket(tcp, { ...secure, isServer: true });
      const connection: RawConnection = { socket, tcp, received: "", requests: 0 };
      this.connections.push(connection);
      this.closings.push(new Promise((resolve) => tcp.once("close", resolve)));
      // A fault resets connections from either side.
      for (const one of [socket, tcp]) one.on("error", () => undefined);
      socket.on("data", (bytes: Buffer) => {
        connection.received += bytes.toString("latin1");
        behaviour.onData?.(connection);
        for (const whole = countRequests(connection.received); connection.requests < whole;) {
          connection.requests++;
          behaviour.onRequest?.(connection);
        }
      });
      if (secure === undefined) behaviour.onConnection?.(connection);
      else socket.once("secure", () => behaviour.onConnection?.(connection));
    });
  }

  /** With `secure`, the received bytes are the decrypted ones, without the handshake. */
  static async listen(
    behaviour: RawBehaviour = {},
    secure?: tls.TLSSocketOptions,
    host = "127.0.0.1",
  ): Promise<RawServer> {
    const raw = new RawServer(behaviour, secure);
    raw.server.listen(0, host);
    await once(raw.server, "listening");
    return raw;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** The received bytes of all connections. */
  get received(): string {
    return this.connections.map(({ received }) => received).join("\n");
  }

  /** `"POST /path"` of every request whose first line arrived. */
  get requestLines(): string[] {
    return [...this.received.matchAll(/^([A-Z]+ \S+) HTTP\/1\.1\r$/gm)].map((match) => match[1] ?? "");
  }

  /** Resolves when every connection has ended, and nothing more can arrive. */
  async drained(): Promise<void> {
    await Promise.all(this.closings);
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    for (const { tcp } of this.connections) tcp.destroy();
    await closed;
  }
}

/** The text of an HTTP/1.1 response. */
export function httpAnswer(status: number, body = "", headers: Record<string, string> = {}): string {
  const all = { "content-length": String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} Answer\r\n${lines.join("")}\r\n${body}`;
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await RawServer.listen();
  const { port } = server;
  await server.close();
  return port;
}

function countRequests(received: string): number {
  let count = 0;
  for (let rest = received; ; count++) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return count;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    if (rest.length < end + 4 + length) return count;
    rest = rest.slice(end + 4 + length);
  }
}
