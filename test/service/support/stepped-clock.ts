import { setImmediate as settled } from "node:timers/promises";
import type { Clock } from "../../../provider/service/clock";

/** A clock that moves only when the test advances it. Sleepers then wake in order. */
export class SteppedClock implements Clock {
  private time = Date.parse("2026-01-01T00:00:00Z");
  private sleepers: { until: number; wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ until: this.time + milliseconds, wake }));
  }

  random(): number {
    return 0.5;
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settled();
    for (let next = this.nextUntil(end); next !== undefined; next = this.nextUntil(end)) {
      this.time = next.until;
      this.sleepers = this.sleepers.filter((sleeper) => sleeper !== next);
      next.wake();
      await settled();
    }
    this.time = end;
  }

  private nextUntil(end: number) {
    const due = this.sleepers.filter(({ until }) => until <= end).sort((one, other) => one.until - other.until);
    return due[0];
  }
}
