import type tls from "node:tls";
import type { KeyPair } from "../../cli/support/self-signed";
import { httpAnswer, type RawBehaviour, type RawConnection } from "../support/raw-server";

/** Something that goes wrong between the client and the service. */
export interface SocketFault {
  /** "A request … [name]" */
  readonly name: string;
  /** The server's behaviour, created for each exchange. @default it reads and never responds */
  readonly server?: () => RawBehaviour;
  /** The server uses TLS. If absent, an `https` address reaches a server without TLS. */
  readonly secure?: (keys: Keys) => tls.TLSSocketOptions;
  /** The address, if it is not plain http to the server. */
  readonly url?: (port: number) => string;
  /** The request goes through a proxy that does this; `port` is the server's. */
  readonly proxy?: (port: number) => RawBehaviour;
  /** Nothing listens at the proxy's address. */
  readonly isProxyClosed?: boolean;
  /** The result of the DNS look-up. @default the system's own */
  readonly addresses?: readonly string[] | "none" | "never";
  /** Nothing listens at the address. */
  readonly isClosed?: boolean;
  /** Short if the timeout is what ends the exchange. @default 20 */
  readonly timeoutSeconds?: number;
  /** A first request succeeds before, so that its pooled connection is reused. */
  readonly isWarm?: boolean;
  /** The server's use of that connection in the same tick in which the client reuses it. */
  readonly meanwhile?: (connection: RawConnection) => void;
  /** The number of concurrent requests. @default 1 */
  readonly crowd?: number;
  /** The required result. If absent, any result that does not contradict the server's bytes. */
  readonly mustBe?: "not-sent" | "answered";
  /** No part of a request can arrive. Otherwise at least one exchange must arrive, or the fault has no effect. */
  readonly arrives?: false;
}

/** Keys and certificates for `localhost`, and one for the host behind a proxy. */
export interface Keys {
  /** Trusted by the environment in which the faults run. */
  readonly trusted: KeyPair;
  readonly untrusted: KeyPair;
  /** Trusted, for `service.test`. */
  readonly behindProxy: KeyPair;
  /** Trusted, but expired. */
  readonly expired: KeyPair;
}

/** A body that every operation of the exchanges accepts as a response. */
export const answerBody = JSON.stringify({ campaign: { id: "c" }, campaigns: [], id: "r" });
export const goodAnswer = httpAnswer(200, answerBody);

/** As long as a loaded machine may need for a successful exchange. */
export const soon = 1;
/** For cases in which nothing can arrive, however long it takes. */
export const atOnce = 0.2;

/** Writes to a connection that the client may have closed. */
export function write({ socket }: RawConnection, text: string): void {
  if (socket.writable) socket.write(text);
}

export function reset({ tcp }: RawConnection): void {
  tcp.resetAndDestroy();
}

export function finish({ socket }: RawConnection): void {
  socket.end();
}

export function writeThenReset(text: string) {
  return (connection: RawConnection): void => {
    if (connection.socket.writable)
      connection.socket.write(text, () => {
        reset(connection);
      });
  };
}

export function writeThenFinish(text: string) {
  return ({ socket }: RawConnection): void => {
    if (socket.writable) socket.end(text);
  };
}

/** Sends this response to every request, and leaves the connection open. */
export function answering(text: string): () => RawBehaviour {
  return () => ({
    onRequest: (connection) => {
      write(connection, text);
    },
  });
}

/** Does this after every complete request. */
export function afterRequest(then: (connection: RawConnection) => void): () => RawBehaviour {
  return () => ({ onRequest: then });
}

/** Does this as soon as the head of a request has arrived, even if part of its body has not. */
export function afterHead(then: (connection: RawConnection) => void): () => RawBehaviour {
  return () => {
    const met = new Set<RawConnection>();
    return {
      onData: (connection) => {
        if (met.has(connection) || !connection.received.includes("\r\n\r\n")) return;
        met.add(connection);
        then(connection);
      },
    };
  };
}

/** Writes a text repeatedly until the client disconnects. */
export function dripping(start: string, drop: string) {
  return (connection: RawConnection): void => {
    write(connection, start);
    const drops = setInterval(() => {
      write(connection, drop);
    }, 10);
    connection.tcp.once("close", () => {
      clearInterval(drops);
    });
  };
}

/** Responds to the first request of each connection, and not to a second one. */
export const answeringOnce = afterRequest((connection) => {
  if (connection.requests === 1) write(connection, goodAnswer);
});
