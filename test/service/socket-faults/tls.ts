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

/* What goes wrong under TLS, before and after its handshake. The byte log is what came through it. */

const secureName = (port: number): string => `https://localhost:${String(port)}`;
const secureAddress = (port: number): string => `https://127.0.0.1:${String(port)}`;

/** The handshake fails, so nothing can have been sent. */
const handshakes: SocketFault[] = (
  [
    {
      name: "in TLS to a server without it",
      server: () => ({ onData: ({ socket }) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") }),
    },
    { name: "in TLS reset at accept", server: () => ({ onConnection: reset }) },
    { name: "in TLS closed at accept", server: () => ({ onConnection: finish }) },
    { name: "in TLS reset in the handshake", server: () => ({ onData: reset }) },
    { name: "in TLS closed in the handshake", server: () => ({ onData: finish }) },
    { name: "in TLS whose handshake is never answered", timeoutSeconds: atOnce },
    {
      name: "in TLS answered with noise",
      server: () => ({ onData: ({ socket }) => void socket.end("\u0016\u0003\u0003\0\u0002zz") }),
    },
    { name: "to a certificate that nobody vouches for", secure: ({ untrusted }) => untrusted },
    { name: "to a certificate that is out of date", secure: ({ expired }) => expired },
    { name: "to a certificate for another name", secure: ({ trusted }) => trusted, url: secureAddress },
    {
      name: "to a server that speaks only HTTP/2",
      secure: ({ trusted }) => ({ ...trusted, ALPNProtocols: ["h2"] }),
    },
    {
      name: "to a server that shares no cipher",
      secure: ({ trusted }) => ({ ...trusted, maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256" }),
    },
  ] satisfies SocketFault[]
).map((fault) => ({ url: secureName, ...fault, mustBe: "not-sent", arrives: false }));

/** The handshake is done. */
const behind: SocketFault[] = (
  [
    { name: "in TLS answered", server: answering(goodAnswer), mustBe: "answered" },
    { name: "in TLS reset after the handshake", server: () => ({ onConnection: reset }), arrives: false },
    { name: "in TLS closed after the handshake", server: () => ({ onConnection: finish }), arrives: false },
    {
      name: "in TLS without the certificate that the server asks for",
      secure: ({ trusted }) => ({ ...trusted, requestCert: true, rejectUnauthorized: true }),
      timeoutSeconds: soon,
      arrives: false,
    },
    { name: "in TLS reset after its head", server: afterHead(reset) },
    { name: "in TLS reset when it has come", server: afterRequest(reset) },
    { name: "in TLS closed when it has come", server: afterRequest(finish) },
    { name: "in TLS never answered", timeoutSeconds: soon },
    {
      name: "in TLS answered by half, then reset",
      server: afterRequest(writeThenReset(httpAnswer(200, "{", { "content-length": "9" }))),
    },
    {
      name: "in TLS answered by half, then cut without a word",
      server: afterRequest((connection) => {
        connection.socket.write(httpAnswer(200, "{", { "content-length": "9" }), () => void connection.tcp.end());
      }),
    },
    {
      name: "on a used TLS connection that the server closes meanwhile",
      isWarm: true,
      server: answering(goodAnswer),
      meanwhile: finish,
    },
    {
      name: "on a used TLS connection that the server resets meanwhile",
      isWarm: true,
      server: answering(goodAnswer),
      meanwhile: reset,
    },
    {
      name: "on a used TLS connection that is not answered again",
      isWarm: true,
      server: answeringOnce,
      timeoutSeconds: soon,
    },
  ] satisfies SocketFault[]
).map((fault) => ({ url: secureName, secure: ({ trusted }) => trusted, ...fault }));

export const tlsFaults: readonly SocketFault[] = [...handshakes, ...behind];
