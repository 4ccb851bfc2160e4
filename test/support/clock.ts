import type { Clock } from "../../provider/service/clock";

/** A clock whose sleeps end at once and advance the time. */
export class VirtualClock implements Clock {
  readonly sleeps: number[] = [];
  constructor(private time = Date.parse("2026-01-01T00:00:00Z")) {}
  now(): number {
    return this.time;
  }
  sleep(milliseconds: number): Promise<void> {
    this.sleeps.push(milliseconds);
    this.time += milliseconds;
    return Promise.resolve();
  }
  random(): number {
    return 0.5;
  }
}
