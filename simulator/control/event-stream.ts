import type { ServerResponse } from "node:http";
import type { Change } from "../types";
import type { Controls } from "./route";

/** A reader that is this many bytes behind gets no more `request` events until it has caught up. */
const maxBytesWaiting = 1024 * 1024;

/** A connection on which nothing is sent for long may be closed on the way. */
const keepAliveMilliseconds = 15_000;

/**
 * Sends the simulator's events as `text/event-stream`, until the connection is closed. Sends only the headers for a HEAD.
 *
 * - `request`, with the entry of the log, when a request arrives and when more is known about it.
 * - `changed`, with `{ what: [...] }`. `"requests"` means that the log must be read again: it was cleared, or this reader
 *   was too slow and missed some events.
 */
export function sendEvents({ listen }: Pick<Controls, "listen">, outgoing: ServerResponse): void {
  /** The changes that are still to be told. It has one entry for each kind of change, however slow the reader is. */
  const untold = new Set<Change>();
  const isBehind = (): boolean => outgoing.writableLength > maxBytesWaiting;
  const write = (text: string): void => {
    // A change may still be told after the reader has gone.
    if (!outgoing.destroyed) outgoing.write(text);
  };

  function tell(): void {
    if (untold.size === 0 || isBehind()) return;
    write(eventOf("changed", { what: [...untold] }));
    untold.clear();
  }

  function changed(what: Change): void {
    // Together with what else changes now, such as all at a reset.
    if (untold.size === 0) setImmediate(tell);
    untold.add(what);
  }

  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  if (outgoing.req.method === "HEAD") {
    outgoing.end();
    return;
  }
  write(": the simulator's events\n\n");
  const stopListening = listen({
    request: (entry) => {
      if (isBehind()) changed("requests");
      else write(eventOf("request", entry));
    },
    changed,
  });
  const keepAlive = setInterval(() => {
    if (!isBehind()) write(": still here\n\n");
  }, keepAliveMilliseconds);
  outgoing.on("drain", tell);
  outgoing.once("close", () => {
    clearInterval(keepAlive);
    stopListening();
  });
}

function eventOf(event: "request" | "changed", data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
