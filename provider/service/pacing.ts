import type { Clock } from "./clock";

const minute = 60_000;
/** Requests that left a minute apart can arrive a little closer together. */
const margin = 500;

/**
 * Keeps the requests of one limit apart: never more than so many in any minute, in the order in which they came, and
 * none before the service allows it again after a 429.
 *
 * A burst within the limit goes out at once: most deployments are smaller than a minute's worth.
 */
export class Pace {
  /** When each of the last `perMinute` requests was let go. */
  private readonly departures: number[] = [];
  private pausedUntil = 0;
  private queue: Promise<void> = Promise.resolve();

  /** @param perMinute a whole number, or Infinity where no limit is known: then only a 429 makes it wait. */
  constructor(
    private readonly perMinute: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the next request may leave. `waiting` is told first if that is not now. */
  turn(waiting: (milliseconds: number) => void): Promise<void> {
    const turn = this.queue.then(() => this.depart(waiting));
    this.queue = turn;
    return turn;
  }

  /** The service said to wait. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
  }

  private async depart(waiting: (milliseconds: number) => void): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const wait = Math.max(this.pausedUntil, this.freeAt()) - now;
      if (wait <= 0) {
        this.remember(now);
        return;
      }
      waiting(wait);
      await this.clock.sleep(wait);
    }
  }

  private remember(departure: number): void {
    if (this.perMinute === Infinity) return;
    this.departures.push(departure);
    if (this.departures.length > this.perMinute) this.departures.shift();
  }

  private freeAt(): number {
    const oldest = this.departures[0];
    if (oldest === undefined || this.departures.length < this.perMinute) return 0;
    return oldest + minute + margin;
  }
}
