import type { Change } from "../types";
import type { Controls } from "./route";

/** A reader that is this many bytes behind gets no more `request` events until it has caught up. */
const mostBytesWaiting = 1024 * 1024;

/** A connection on which nothing is sent for long may be closed on the way. */
const keepAliveMilliseconds = 15_000;

/**
 * The simulator's events as `text/event-stream`:
 * - `request`, with the entry of the log, when a request arrives and when more is known about it.
 * - `changed`, with `{ what: [...] }`. `"requests"` means that the log must be read again: it was cleared, or this reader
 *   was too slow and missed some.
 */
export function eventStream({ listen }: Pick<Controls, "listen">): Response {
  let stop = (): void => undefined;
  /** What is still to be told. It has one entry for each kind of change, however slow the reader is. */
  const untold = new Set<Change>();

  function tell(controller: ReadableByteStreamController): void {
    if (untold.size === 0 || (controller.desiredSize ?? 0) <= 0) return;
    controller.enqueue(eventOf("changed", { what: [...untold] }));
    untold.clear();
  }

  const body = new ReadableStream(
    {
      start(controller: ReadableByteStreamController) {
        const changed = (what: Change): void => {
          // Together with what else changes now, such as all at a reset.
          if (untold.size === 0) setImmediate(tell, controller);
          untold.add(what);
        };
        const request = (entry: unknown): void => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(eventOf("request", entry));
          else changed("requests");
        };
        const keepAlive = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": still here\n\n"));
        }, keepAliveMilliseconds).unref();
        const stopListening = listen({ request, changed });
        stop = () => {
          clearInterval(keepAlive);
          stopListening();
          untold.clear();
        };
        controller.enqueue(encoder.encode(": the simulator's events\n\n"));
      },
      // The reader has caught up.
      pull: tell,
      cancel: () => {
        stop();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostBytesWaiting }),
  );
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

type ReadableByteStreamController = ReadableStreamDefaultController<Uint8Array>;

const encoder = new TextEncoder();

function eventOf(event: "request" | "changed", data: unknown): Uint8Array {
  return encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
