import type tls from "node:tls";
import { httpAnswer, type RawBehaviour, type RawConnection } from "../support/raw-server";

/** Something that goes wrong between the client and the service. */
export interface SocketFault {
  /** "A request … [name]" */
  readonly name: string;
  /** What the server does, made anew for every exchange. @default it reads and never answers */
  readonly server?: () => RawBehaviour;
  /** The server speaks TLS; else an `https` address meets a server that does not. */
  readonly secure?: (keys: Keys) => tls.TLSSocketOptions;
  /** The address, where it is not plain http to the server. */
  readonly url?: (port: number) => string;
  /** What a name's look-up gives. @default the system's own */
  readonly addresses?: readonly string[] | "none" | "never";
  /** Nothing listens at the address. */
  readonly isClosed?: boolean;
  /** Short where the time-out is what ends the exchange. @default 20 */
  readonly timeoutSeconds?: number;
  /** A first request is answered before, so that its pooled connection is used again. */
  readonly isWarm?: boolean;
  /** What the server does with that connection in the turn in which the client uses it again. */
  readonly meanwhile?: (connection: RawConnection) => void;
  /** So many requests at once. @default 1 */
  readonly crowd?: number;
  /** What must be said; without it anything but what the server's bytes belie. */
  readonly mustBe?: "not-sent" | "answered";
  /** Nothing of a request can arrive; else at least one exchange must, or the fault is none. */
  readonly arrives?: false;
}

/** Keys and certificates for `localhost`. */
export interface Keys {
  /** Vouched for by the environment in which the faults are run. */
  readonly trusted: KeyPair;
  readonly untrusted: KeyPair;
  /** Vouched for, and out of date. */
  readonly expired: KeyPair;
}

interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** A body that every operation of the exchanges takes for an answer. */
export const answerBody = JSON.stringify({ campaign: { id: "c" }, campaigns: [], id: "r" });
export const goodAnswer = httpAnswer(200, answerBody);

/** As long as a loaded machine may take for an exchange that works. */
export const soon = 1;
/** Where nothing can come, however long it takes. */
export const atOnce = 0.2;

/** Writes to a connection that the client may have left meanwhile. */
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

/** Answers every request so, and leaves the connection open. */
export function answering(text: string): () => RawBehaviour {
  return () => ({
    onRequest: (connection) => {
      write(connection, text);
    },
  });
}

/** Does this after every whole request. */
export function afterRequest(then: (connection: RawConnection) => void): () => RawBehaviour {
  return () => ({ onRequest: then });
}

/** Does this as soon as the head of a request has come, whatever of its body is still on the way. */
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

/** Writes a text over and over, byte by byte, until the client has gone. */
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

/** Answers the first request of each connection, and no second one. */
export const answeringOnce = afterRequest((connection) => {
  if (connection.requests === 1) write(connection, goodAnswer);
});
