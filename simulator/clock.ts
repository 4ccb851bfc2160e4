import type { Events } from "./events";
import type { ClockControls } from "./types";

/** The service's clock: a given clock, and how far it was moved ahead. */
export class Clock implements ClockControls {
  private ahead = 0;

  constructor(
    private readonly given: () => number,
    private readonly events: Events,
  ) {}

  /** A property, because everything that dates something is given this function. */
  readonly now = (): number => this.given() + this.ahead;

  get aheadMilliseconds(): number {
    return this.ahead;
  }

  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError("The clock only goes forward.");
    this.ahead += milliseconds;
    this.events.changed("clock");
  }

  reset(): void {
    this.ahead = 0;
    this.events.changed("clock");
  }
}
