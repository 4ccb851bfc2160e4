import { httpAnswer } from "../support/raw-server";
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
  writeThenReset,
} from "./fault";

/* Faults with TLS, before and after its handshake. The byte log contains the decrypted bytes. */

const secureName = (port: number): string => `https://localhost:${String(port)}`;
const secureAddress = (port: number): string => `https://127.0.0.1:${String(port)}`;

/** The handshake fails, so nothing can have been sent. */
const handshakes: SocketFault[] = (
  [
    {
      name: "over TLS to a server without TLS",
      server: () => ({ onData: ({ socket }) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") }),
    },
    { name: "over TLS, reset at accept", server: () => ({ onConnection: reset }) },
    { name: "over TLS, closed at accept", server: () => ({ onConnection: finish }) },
    { name: "over TLS, reset during the handshake", server: () => ({ onData: reset }) },
    { name: "over TLS, closed during the handshake", server: () => ({ onData: finish }) },
    { name: "over TLS without a handshake response", timeoutSeconds: atOnce },
    {
      name: "over TLS with invalid bytes in response",
      server: () => ({ onData: ({ socket }) => void socket.end("\u0016\u0003\u0003\0\u0002zz") }),
    },
    { name: "to a server with an untrusted certificate", secure: ({ untrusted }) => untrusted },
    { name: "to a server with an expired certificate", secure: ({ expired }) => expired },
    { name: "to a server with a certificate for another name", secure: ({ trusted }) => trusted, url: secureAddress },
    {
      name: "to a server that speaks only HTTP/2",
      secure: ({ trusted }) => ({ ...trusted, ALPNProtocols: ["h2"] }),
    },
    {
      name: "to a server without a common cipher",
      secure: ({ trusted }) => ({ ...trusted, maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256" }),
    },
  ] satisfies SocketFault[]
).map((fault) => ({ url: secureName, ...fault, mustBe: "not-sent", arrives: false }));

/** The handshake is complete. */
const behind: SocketFault[] = (
  [
    { name: "over TLS with a response", server: answering(goodAnswer), mustBe: "answered" },
    { name: "over TLS, reset after the handshake", server: () => ({ onConnection: reset }), arrives: false },
    { name: "over TLS, closed after the handshake", server: () => ({ onConnection: finish }), arrives: false },
    {
      name: "over TLS without the required client certificate",
      secure: ({ trusted }) => ({ ...trusted, requestCert: true, rejectUnauthorized: true }),
      timeoutSeconds: soon,
      arrives: false,
    },
    { name: "over TLS, reset after its head", server: afterHead(reset) },
    { name: "over TLS, reset after it arrived", server: afterRequest(reset) },
    { name: "over TLS, closed after it arrived", server: afterRequest(finish) },
    { name: "over TLS without a response", timeoutSeconds: soon },
    {
      name: "over TLS with half a response, then reset",
      server: afterRequest(writeThenReset(httpAnswer(200, "{", { "content-length": "9" }))),
    },
    {
      name: "over TLS with half a response, then cut without a TLS alert",
      server: afterRequest((connection) => {
        connection.socket.write(httpAnswer(200, "{", { "content-length": "9" }), () => void connection.tcp.end());
      }),
    },
    {
      name: "on a reused TLS connection that the server closes at the same time",
      isWarm: true,
      server: answering(goodAnswer),
      meanwhile: finish,
    },
    {
      name: "on a reused TLS connection that the server resets at the same time",
      isWarm: true,
      server: answering(goodAnswer),
      meanwhile: reset,
    },
    {
      name: "on a reused TLS connection without a second response",
      isWarm: true,
      server: answeringOnce,
      timeoutSeconds: soon,
    },
  ] satisfies SocketFault[]
).map((fault) => ({ url: secureName, secure: ({ trusted }) => trusted, ...fault }));

export const tlsFaults: readonly SocketFault[] = [...handshakes, ...behind];
