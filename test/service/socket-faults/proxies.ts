import { tunnelOpened as opened, tunnelTo } from "../support/proxy";
import { httpAnswer, type RawBehaviour } from "../support/raw-server";
import {
  afterHead,
  afterRequest,
  answering,
  answeringOnce,
  atOnce,
  finish,
  goodAnswer,
  reset,
  type SocketFault,
  soon,
  write,
  writeThenFinish,
  writeThenReset,
} from "./fault";

/* Faults between the client and a proxy, and behind one. The byte log is the service's: decrypted, without the CONNECT. */

const behindProxy = (port: number): string => `https://service.test:${String(port)}`;

/** Answers CONNECT so. */
function answeringConnect(text: string): () => RawBehaviour {
  return () => ({
    onRequest: (connection) => {
      write(connection, text);
    },
  });
}

/** How many encrypted TLS records begin in these bytes. How long a handshake is differs between versions of Node. */
function encryptedRecords(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length; at += 5 + bytes.readUInt16BE(at + 3)) if (bytes[at] === 23) count++;
  return count;
}

/** No tunnel is open, so nothing can have been sent. */
const unopened: SocketFault[] = (
  [
    { name: "through a proxy where nothing listens", isProxyClosed: true, proxy: () => ({}) },
    { name: "through a proxy that resets at accept", proxy: () => ({ onConnection: reset }) },
    { name: "through a proxy that closes at accept", proxy: () => ({ onConnection: finish }) },
    { name: "through a proxy that resets after CONNECT", proxy: () => ({ onRequest: reset }) },
    { name: "through a proxy that closes after CONNECT", proxy: () => ({ onRequest: finish }) },
    { name: "through a proxy that never answers CONNECT", proxy: () => ({}), timeoutSeconds: atOnce },
    ...[103, 301, 400, 403, 407, 500, 502, 503, 504].map((status) => ({
      name: `through a proxy that answers CONNECT with ${String(status)}`,
      proxy: answeringConnect(httpAnswer(status, "no", { "proxy-authenticate": "Basic" })),
    })),
    {
      name: "through a proxy that answers CONNECT with invalid bytes",
      proxy: answeringConnect("\0\0\0 no HTTP\r\n\r\n"),
    },
    {
      name: "through a proxy that closes within its answer to CONNECT",
      proxy: () => ({ onRequest: writeThenFinish("HTTP/1.1 200 Conn") }),
    },
    {
      name: "through a proxy that opens the tunnel and closes it",
      proxy: () => ({ onRequest: writeThenFinish(opened) }),
    },
    {
      name: "through a proxy that opens the tunnel and resets it",
      proxy: () => ({ onRequest: writeThenReset(opened) }),
    },
    {
      name: "through a proxy that opens the tunnel and stays silent",
      proxy: answeringConnect(opened),
      timeoutSeconds: atOnce,
    },
    {
      name: "through a proxy that answers in place of the service",
      proxy: answeringConnect(`${opened}${httpAnswer(403, "<html>blocked</html>")}`),
    },
    { name: "through a proxy to a service without TLS", server: answering(goodAnswer), timeoutSeconds: soon },
    { name: "through a proxy to an untrusted certificate", secure: ({ untrusted }) => untrusted },
    { name: "through a proxy to a certificate for another name", secure: ({ trusted }) => trusted },
  ] satisfies Partial<SocketFault>[]
).map((fault: Partial<SocketFault> & { name: string }) => ({
  url: behindProxy,
  proxy: (port) => tunnelTo(port),
  ...fault,
  mustBe: "not-sent",
  arrives: false,
}));

/** The tunnel is open. */
const open: SocketFault[] = (
  [
    { name: "through a proxy with a response", server: answering(goodAnswer), mustBe: "answered" },
    { name: "through a proxy, reset by the service after its head", server: afterHead(reset) },
    { name: "through a proxy, reset by the service after it arrived", server: afterRequest(reset) },
    { name: "through a proxy, closed by the service after it arrived", server: afterRequest(finish) },
    { name: "through a proxy without a response", timeoutSeconds: soon },
    {
      name: "through a proxy that resets the tunnel while the request is on its way",
      proxy: (port) =>
        tunnelTo(port, (connection, service) => {
          let bytes = Buffer.alloc(0);
          connection.socket.on("data", (chunk: Buffer) => {
            bytes = Buffer.concat([bytes, chunk]);
            // The first encrypted record ends the client's part of the handshake.
            if (encryptedRecords(bytes) > 1) service.end(() => void setTimeout(reset, 20, connection));
          });
        }),
    },
    {
      name: "on a reused tunnel that the service closes at the same time",
      isWarm: true,
      server: answering(goodAnswer),
      meanwhile: finish,
    },
    {
      name: "on a reused tunnel without a second response",
      isWarm: true,
      server: answeringOnce,
      timeoutSeconds: soon,
    },
  ] satisfies Partial<SocketFault>[]
).map((fault: Partial<SocketFault> & { name: string }) => ({
  url: behindProxy,
  secure: ({ behindProxy }) => behindProxy,
  proxy: (port) => tunnelTo(port),
  ...fault,
}));

export const proxyFaults: readonly SocketFault[] = [...unopened, ...open];
