import type { Events } from "./events";
import type { ClockControls } from "./types";

/** A later date has another form in ISO 8601, which no client expects. */
const end = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

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
    if (!(this.now() + milliseconds <= end)) throw new RangeError("The clock ends with the year 9999.");
    this.ahead += milliseconds;
    this.events.changed("clock");
  }

  reset(): void {
    this.ahead = 0;
    this.events.changed("clock");
  }
}
