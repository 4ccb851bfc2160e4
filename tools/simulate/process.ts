import type { Clock } from "../../provider/service/clock";
import type { Chance } from "./chance";
import type { Living, VirtualTime } from "./time";

/** A process that can be killed. A killed process waits forever. */
export class Process implements Living {
  isAlive = true;
  /** Killed as soon as it waits again. */
  isEnding = false;
  readonly clock: Clock;
  /** Rejects when it is killed. */
  readonly death: Promise<never>;
  private die: (reason: Error) => void = () => undefined;

  constructor(
    private readonly time: VirtualTime,
    private readonly chance: Chance,
    /** How far its clock is ahead. */
    ahead = 0,
  ) {
    this.death = new Promise((_, reject) => {
      this.die = reject;
    });
    this.death.catch(() => undefined);
    this.clock = {
      now: () => this.time.now() + ahead,
      sleep: (milliseconds) => this.sleep(milliseconds),
      random: () => this.chance.next(),
    };
  }

  sleep(milliseconds: number): Promise<void> {
    if (this.isEnding) this.kill();
    return this.time.sleep(milliseconds, this);
  }

  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.die(new Error("error reading from server: EOF"));
  }
}

/** A promise that a killed process waits for. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
