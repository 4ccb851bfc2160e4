import type { Clock } from "./clock";

const minute = 60_000;
/** Requests that are sent a minute apart may arrive a little closer together. */
const margin = 500;

/**
 * Keeps one rate limit: at most `perMinute` requests in any minute, first come first served, and none during the pause
 * after a 429. A burst within the limit is sent at once.
 */
export class RateLimiter {
  /** When each of the last `perMinute` requests was sent. */
  private readonly sent: number[] = [];
  private pausedUntil = 0;
  private queue: Promise<void> = Promise.resolve();

  /** @param perMinute a whole number, or Infinity when no limit is known. Then only a 429 causes a wait. */
  constructor(
    private readonly perMinute: number,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the next request may be sent. Calls `onWait` first if that is not now. A request that `isWanted` no longer
   * wants takes no place.
   */
  acquire(onWait: (milliseconds: number) => void, isWanted: () => boolean = () => true): Promise<void> {
    const acquired = this.queue.then(() => this.waitForSlot(onWait, isWanted));
    this.queue = acquired;
    return acquired;
  }

  /** The service asked to wait. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
  }

  private async waitForSlot(onWait: (milliseconds: number) => void, isWanted: () => boolean): Promise<void> {
    while (isWanted()) {
      const now = this.clock.now();
      const wait = Math.max(this.pausedUntil, this.freeAt()) - now;
      if (wait <= 0) {
        this.record(now);
        return;
      }
      onWait(wait);
      await this.clock.sleep(wait);
    }
  }

  private record(time: number): void {
    if (this.perMinute === Infinity) return;
    this.sent.push(time);
    if (this.sent.length > this.perMinute) this.sent.shift();
  }

  private freeAt(): number {
    const oldest = this.sent[0];
    if (oldest === undefined || this.sent.length < this.perMinute) return 0;
    return oldest + minute + margin;
  }
}
