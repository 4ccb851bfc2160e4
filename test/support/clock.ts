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
  /** The clock of a machine on which it is later, or earlier if negative. Time passes on both. */
  aheadBy(milliseconds: number): VirtualClock {
    return new WrongClock(this, milliseconds);
  }
}

class WrongClock extends VirtualClock {
  constructor(
    private readonly right: VirtualClock,
    private readonly lead: number,
  ) {
    super();
  }
  override now(): number {
    return this.right.now() + this.lead;
  }
  override sleep(milliseconds: number): Promise<void> {
    this.sleeps.push(milliseconds);
    return this.right.sleep(milliseconds);
  }
}
