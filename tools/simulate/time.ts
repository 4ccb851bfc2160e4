import type { Clock } from "../../provider/service/clock";
import type { Chance } from "./chance";

interface Event {
  at: number;
  /** The process that it happens to. Nothing happens to a killed one. */
  of: Process | undefined;
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

  after(milliseconds: number, happens: () => void, of?: Process): void {
    const at = this.time + Math.max(0, milliseconds);
    let place = this.events.length;
    while (place > 0 && (this.events[place - 1]?.at ?? Infinity) <= at) place--;
    this.events.splice(place, 0, { at, of, happens });
  }

  sleep(milliseconds: number, of?: Process): Promise<void> {
    return new Promise((resolve) => {
      this.after(milliseconds, resolve, of);
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
      // Everything here is promises: what needs no time is done before the next iteration of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (progress.isDone) return noted;
      const event = this.events.pop();
      if (event === undefined) throw new Error("Hangs: everything waits, and nothing is under way.");
      if (event.of?.isAlive === false) continue;
      this.time = event.at;
      event.happens();
    }
  }
}

/** A process that can be killed. A killed process waits forever. */
export class Process {
  isAlive = true;
  /** Killed as soon as it waits again. */
  isEnding = false;
  readonly clock: Clock;
  /** Rejects when it is killed. */
  readonly death: Promise<never>;
  private die: (reason: Error) => void = () => undefined;

  constructor(
    private readonly time: VirtualTime,
    chance: Chance,
    /** How far its clock is ahead. */
    ahead = 0,
  ) {
    this.death = new Promise((_, reject) => {
      this.die = reject;
    });
    this.death.catch(() => undefined);
    this.clock = {
      now: () => time.now() + ahead,
      sleep: (milliseconds) => this.sleep(milliseconds),
      random: () => chance.next(),
    };
  }

  sleep(milliseconds: number): Promise<void> {
    if (this.isEnding) this.kill();
    return this.time.sleep(milliseconds, this);
  }

  kill(): void {
    this.isAlive = false;
    this.die(new Error("error reading from server: EOF"));
  }
}

/** A promise that a killed process waits for. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
