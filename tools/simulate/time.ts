/** Something that can die. A dead one gets no more events. */
export interface Living {
  readonly isAlive: boolean;
}

interface Event {
  at: number;
  of: Living;
  happens: () => void;
}

/** Discrete time for one world. It moves on to the next event when everything waits. */
export class VirtualTime {
  private time = Date.parse("2026-01-01T00:00:00Z");
  /** The next event is the last element. */
  private readonly events: Event[] = [];

  now(): number {
    return this.time;
  }

  after(milliseconds: number, of: Living, happens: () => void): void {
    const at = this.time + Math.max(0, milliseconds);
    let place = this.events.length;
    while (place > 0 && (this.events[place - 1]?.at ?? Infinity) <= at) place--;
    this.events.splice(place, 0, { at, of, happens });
  }

  sleep(milliseconds: number, of: Living): Promise<void> {
    return new Promise((resolve) => {
      this.after(milliseconds, of, resolve);
    });
  }

  /** Lets time pass until the work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    const progress = { isDone: false };
    const noted = work.finally(() => {
      progress.isDone = true;
    });
    // Awaited below. Until then its failure must not count as unhandled.
    noted.catch(() => undefined);
    for (;;) {
      await everythingWaits();
      if (progress.isDone) return noted;
      if (!this.next()) throw new Error("Hangs: everything waits, and nothing is under way.");
    }
  }

  /** Lets time pass until nothing is under way. */
  async untilQuiet(): Promise<void> {
    do await everythingWaits();
    while (this.next());
  }

  /** False when nothing is to come. */
  private next(): boolean {
    for (;;) {
      const event = this.events.pop();
      if (event === undefined) return false;
      if (!event.of.isAlive) continue;
      this.time = event.at;
      event.happens();
      return true;
    }
  }
}

/** Everything here is promises: what needs no time is done before the next iteration of the event loop. */
function everythingWaits(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
