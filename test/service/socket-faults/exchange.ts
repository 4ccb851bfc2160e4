import dns from "node:dns";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ServiceClient } from "../../../provider/service/client";
import { ServiceError } from "../../../provider/service/errors";
import { Transport } from "../../../provider/service/transport";
import { VirtualClock } from "../../support/clock";
import { connectionTo } from "../support/client";
import { closedPort, RawServer } from "../support/raw-server";
import type { Keys, SocketFault } from "./fault";

/** The requests that meet a fault: one that must not be repeated, one over the pool, and one that is slow to send. */
export const exchanges = ["a launch", "a pooled read", "a large upload"] as const;
export type Exchange = (typeof exchanges)[number];

/** The client's result for one request, and what the server received of it. */
export interface Verdict {
  readonly fault: string;
  readonly exchange: Exchange;
  /** "answered", or the certainty that the client reports. */
  readonly said: "answered" | ServiceError["certainty"];
  readonly message: string;
  /** How many bytes of it the server received. */
  readonly bytes: number;
  /** How many connections received a byte of it: more than one means a repeat. */
  readonly arrivals: number;
  /** How often the client connected to the proxy. */
  readonly proxyConnections: number;
}

/** Runs a request of the client into a fault. With `crowd`, there is one verdict for each request. */
export async function meet(fault: SocketFault, exchange: Exchange, keys: Keys): Promise<Verdict[]> {
  const server = await RawServer.listen(fault.server?.(), fault.secure?.(keys));
  const port = fault.isClosed === true ? await closedPort() : server.port;
  const url = fault.url?.(port) ?? `http://127.0.0.1:${String(port)}`;
  const timeout = fault.timeoutSeconds ?? 20;
  const proxy = fault.proxy && (await RawServer.listen(fault.proxy(server.port)));
  const proxyPort = fault.isProxyClosed === true ? await closedPort() : proxy?.port;
  const environment =
    proxyPort === undefined ? {} : { HTTPS_PROXY: `http://user:secret@127.0.0.1:${String(proxyPort)}` };
  const transport = new Transport(url, timeout * 1000, environment);
  const clientWith = (requestTimeoutSeconds: number): ServiceClient =>
    new ServiceClient(connectionTo(url, { requestTimeoutSeconds }), new VirtualClock(), () => undefined, transport);
  const service = clientWith(timeout);
  try {
    if (fault.isWarm === true) {
      // Not with the time-out of the fault, which a busy machine may need for the first connection.
      await call(clientWith(20), "a pooled read", "warm");
      // The client returns the connection to the pool in a later tick.
      await nextTurn();
    }
    const before = server.connections.map(({ received }) => received.length);
    for (const connection of server.connections) fault.meanwhile?.(connection);
    const names = Array.from({ length: fault.crowd ?? 1 }, (_, index) => `app-${String(index)}-`);
    const outcomes = await Promise.all(names.map((name) => outcomeOf(call(service, exchange, name))));
    await transport.close();
    // Bytes that the server has not read have still arrived.
    for (const { socket } of server.connections) socket.resume();
    await server.drained();
    return outcomes.map((outcome, index) => {
      const isHandshake = url.startsWith("https:") && fault.secure === undefined;
      const news = server.connections.map(({ received }, at) => {
        const later = received.slice(before[at] ?? 0);
        return isHandshake ? beyondHandshake(later) : later;
      });
      const own = names.length === 1 ? news : news.filter((text) => text.includes(String(names[index])));
      const bytes = own.reduce((sum, { length }) => sum + length, 0);
      return {
        fault: fault.name,
        exchange,
        ...outcome,
        bytes,
        arrivals: own.filter((text) => text !== "").length,
        proxyConnections: proxy?.connections.length ?? 0,
      };
    });
  } finally {
    await proxy?.close();
    await server.close();
  }
}

function call(service: ServiceClient, exchange: Exchange, app: string): Promise<unknown> {
  switch (exchange) {
    case "a launch":
      return service.call("campaign.launch", { parameters: { app_id: app }, body: { campaign: {} } });
    case "a pooled read":
      return service.call("campaign.list", { parameters: { app_id: app }, once: true });
    case "a large upload":
      return service.call("record.create", {
        parameters: { app_id: app, entity_name: "Note" },
        body: { text: "x".repeat(1_000_000) },
      });
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<Pick<Verdict, "said" | "message">> {
  try {
    await work;
    return { said: "answered", message: "" };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { said: error.certainty, message: error.reason };
  }
}

/** The bytes of a TLS client after its handshake: application data, or bytes that are not TLS records. */
function beyondHandshake(received: string): string {
  const bytes = Buffer.from(received, "latin1");
  let at = 0;
  // ChangeCipherSpec, alert, handshake.
  while (at < bytes.length && [0x14, 0x15, 0x16].includes(bytes.readUInt8(at)))
    at += 5 + (bytes.length >= at + 5 ? bytes.readUInt16BE(at + 3) : 0);
  return received.slice(at);
}

type Lookup = (name: string, ...rest: unknown[]) => void;
type Found = (error: Error | null, found?: unknown) => void;

/** From now on, DNS look-ups of the host names in faults return what the faults say. Others use the system. */
export function answerLookups(faults: readonly SocketFault[]): void {
  const known = new Map(faults.map(({ url, addresses }) => [new URL(url?.(1) ?? "http://none").hostname, addresses]));
  const bySystem = dns.lookup as unknown as Lookup;
  const lookup: Lookup = (name, ...rest) => {
    const addresses = known.get(name);
    const done = rest.at(-1) as Found;
    if (addresses === undefined) bySystem(name, ...rest);
    else if (addresses === "none")
      done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }));
    else if (addresses !== "never")
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
  };
  Object.assign(dns, { lookup });
}
