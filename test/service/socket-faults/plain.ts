import { httpAnswer } from "../support/raw-server";
import {
  afterHead,
  afterRequest,
  answerBody,
  answering,
  answeringOnce,
  atOnce,
  dripping,
  finish,
  goodAnswer,
  reset,
  type SocketFault,
  soon,
  write,
  writeThenFinish,
  writeThenReset,
} from "./fault";

/* Faults on a plain connection. */

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
const named =
  (name: string) =>
  (port: number): string =>
    `http://${name}.test:${String(port)}`;
const mebibyte = "x".repeat(1024 * 1024);

/** No connection is made. */
const unconnected: SocketFault[] = [
  { name: "to a port on which nothing listens", isClosed: true, mustBe: "not-sent", arrives: false },
  { name: "to an unknown host name", url: named("unknown"), addresses: "none", mustBe: "not-sent", arrives: false },
  {
    name: "to a host name whose DNS look-up never ends",
    url: named("endless"),
    addresses: "never",
    timeoutSeconds: atOnce,
    mustBe: "not-sent",
    arrives: false,
  },
  {
    name: "to a host name whose addresses all refuse",
    url: named("refusing"),
    addresses: ["127.0.0.1", "127.0.0.2"],
    isClosed: true,
    mustBe: "not-sent",
    arrives: false,
  },
  {
    name: "to a host name with one address that refuses",
    url: named("halfway"),
    addresses: ["127.0.0.2", "127.0.0.1"],
    server: answering(goodAnswer),
    mustBe: "answered",
  },
];

/** The connection breaks while the request is on the way. */
const underway: SocketFault[] = [
  { name: "whose connection is reset at accept", server: () => ({ onConnection: reset }), arrives: false },
  { name: "whose connection is closed at accept", server: () => ({ onConnection: finish }), arrives: false },
  { name: "reset after its first bytes", server: () => ({ onData: reset }) },
  { name: "closed after its first bytes", server: () => ({ onData: finish }) },
  { name: "reset after its head", server: afterHead(reset) },
  { name: "closed after its head", server: afterHead(finish) },
  { name: "with a response after its head, then reset", server: afterHead(writeThenReset(goodAnswer)) },
  { name: "refused after its head, then closed", server: afterHead(writeThenFinish(httpAnswer(413, "{}"))) },
  {
    name: "that the server does not read",
    server: () => ({ onConnection: ({ socket }) => void socket.pause() }),
    timeoutSeconds: soon,
    arrives: false,
  },
  {
    name: "that the server reads late",
    server: () => ({
      onConnection: ({ socket }) => {
        socket.pause();
        setTimeout(() => socket.resume(), 1000 * soon + 200);
      },
    }),
    timeoutSeconds: soon,
  },
  {
    name: "with a response before it was sent",
    server: () => ({
      onConnection: (one) => {
        write(one, goodAnswer);
      },
    }),
    arrives: false,
  },
  {
    name: "to a server of another protocol",
    server: () => ({
      onConnection: (one) => {
        write(one, "SSH-2.0-OpenSSH_9.6\r\n");
      },
    }),
    arrives: false,
  },
];

/** The request arrived, but the response does not. */
const unanswered: SocketFault[] = [
  { name: "reset after it arrived", server: afterRequest(reset) },
  { name: "closed after it arrived", server: afterRequest(finish) },
  { name: "without a response", timeoutSeconds: soon },
  { name: "with half a status line in response, then reset", server: afterRequest(writeThenReset("HTTP/1.1 20")) },
  { name: "with half a response head, then closed", server: afterRequest(writeThenFinish(head)) },
  {
    name: "with a response head that never ends",
    server: afterRequest(dripping(head, "x-drop: 1\r\n")),
    timeoutSeconds: soon,
  },
  {
    name: "with a response body that never ends",
    server: afterRequest(dripping(chunked, "1\r\nx\r\n")),
    timeoutSeconds: soon,
  },
  {
    name: "with half a response body, then nothing",
    server: answering(`${head}content-length: 99\r\n\r\n{"campaign"`),
    timeoutSeconds: soon,
  },
  {
    name: "with half a response body, then closed",
    server: afterRequest(writeThenFinish(`${head}content-length: 99\r\n\r\n{"campaign"`)),
  },
  {
    name: "with half a response body, then reset",
    server: afterRequest(writeThenReset(`${head}content-length: 99\r\n\r\n{"campaign"`)),
  },
  {
    name: "with a response head and no body, then reset",
    server: afterRequest(writeThenReset(`${head}content-length: 9\r\n\r\n`)),
  },
  { name: "with 100 Continue, then reset", server: afterRequest(writeThenReset("HTTP/1.1 100 Continue\r\n\r\n")) },
  { name: "with 100 Continue, then nothing", server: answering("HTTP/1.1 100 Continue\r\n\r\n"), timeoutSeconds: soon },
  {
    name: "with 103 Early Hints, then closed",
    server: afterRequest(writeThenFinish("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")),
  },
];

/** The response is invalid, or differs from what it seems to be. */
const malformed: SocketFault[] = [
  { name: "with a response in another protocol", server: answering("SSH-2.0-OpenSSH_9.6\r\n") },
  { name: "with a response in HTTP/2", server: answering("\0\0\u0012\u0004\0\0\0\0\0"), timeoutSeconds: soon },
  { name: "with a response without a head", server: afterRequest(writeThenFinish(answerBody)) },
  { name: "with a chunk of invalid size", server: answering(`${chunked}zz\r\n{}\r\n0\r\n\r\n`) },
  { name: "with a chunk shorter than its size", server: afterRequest(writeThenFinish(`${chunked}ff\r\n{}`)) },
  { name: "with a response without the last chunk", server: afterRequest(writeThenFinish(`${chunked}2\r\n{}\r\n`)) },
  { name: "with a content length that is not a number", server: answering(`${head}content-length: many\r\n\r\n{}`) },
  { name: "with two content lengths", server: answering(`${head}content-length: 2\r\ncontent-length: 9\r\n\r\n{}`) },
  {
    name: "with a content length and chunks",
    server: answering(`${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  },
  { name: "with more bytes than the content length", server: answering(`${goodAnswer}HTTP/1.1 200 OK\r\n\r\n`) },
  { name: "with two responses", server: answering(goodAnswer + goodAnswer) },
  { name: "with a response head that is too large", server: answering(`${head}x-large: ${mebibyte}\r\n\r\n{}`) },
  { name: "with a control character in the response head", server: answering(`${head}x-odd: a\u0000b\r\n\r\n{}`) },
  {
    name: "with a response body that is too large",
    server: afterRequest((connection) => {
      write(connection, `${head}content-length: 1099511627776\r\n\r\n`);
      const pour = (): void => {
        while (connection.socket.writable && connection.socket.write(mebibyte));
      };
      connection.socket.on("drain", pour);
      pour();
    }),
  },
  {
    name: "with an unrequested protocol upgrade",
    server: answering("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  },
  {
    name: "with an unknown status",
    server: answering(`HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}`),
  },
  {
    name: "with an announced compressed body that is missing",
    server: answering(httpAnswer(200, "", { "content-encoding": "gzip" })),
  },
  { name: "redirected with 307", server: answering(httpAnswer(307, "", { location: "/elsewhere" })) },
  {
    name: "redirected with 308 to another server",
    server: answering(httpAnswer(308, "", { location: "http://127.0.0.1:1/" })),
  },
  { name: "with a 421 response", server: answering(httpAnswer(421, "{}")) },
  {
    name: "with a 408 response, then closed",
    server: afterRequest(writeThenFinish(httpAnswer(408, "", { connection: "close" }))),
  },
];

/** A reused connection ends. */
const reused: SocketFault[] = [
  {
    name: "on a reused connection that the server closes at the same time",
    isWarm: true,
    server: answering(goodAnswer),
    meanwhile: finish,
  },
  {
    name: "on a reused connection that the server resets at the same time",
    isWarm: true,
    server: answering(goodAnswer),
    meanwhile: reset,
  },
  {
    name: "on a reused connection that is closed when it arrives",
    isWarm: true,
    server: () => ({
      onData: (one) => {
        if (one.requests > 0) finish(one);
      },
      onRequest: (one) => {
        write(one, goodAnswer);
      },
    }),
  },
  {
    name: "on a reused connection that is reset when it arrives",
    isWarm: true,
    server: () => ({
      onData: (one) => {
        if (one.requests > 0) reset(one);
      },
      onRequest: (one) => {
        write(one, goodAnswer);
      },
    }),
  },
  {
    name: "on a reused connection without a second response",
    isWarm: true,
    server: answeringOnce,
    timeoutSeconds: soon,
  },
  {
    name: "on a connection with Connection: close",
    isWarm: true,
    server: answering(httpAnswer(200, answerBody, { connection: "close" })),
    mustBe: "answered",
  },
  {
    name: "on a connection with a keep-alive timeout of 0",
    isWarm: true,
    server: answering(httpAnswer(200, answerBody, { "keep-alive": "timeout=0" })),
    mustBe: "answered",
  },
  { name: "that waits for a connection behind others", crowd: 60, timeoutSeconds: soon },
];

export const plainFaults: readonly SocketFault[] = [
  ...unconnected,
  ...underway,
  ...unanswered,
  ...malformed,
  ...reused,
];
