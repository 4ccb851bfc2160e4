import type { Chance } from "./chance";
import type { Crash, Fault, FaultyOperation } from "./faults";
import { Process } from "./process";
import type { Command } from "./schedule";
import type { VirtualTime } from "./time";

/** Every third command runs on a machine whose clock is hours behind, and for which a quarantine lasts longer by that. */
const everyNth = 3;
export const behindMilliseconds = 2 * 3_600_000;

/** How far the clock of the machine is behind that runs the command with this number. */
export function behindOf(number: number): number {
  return number % everyNth === 0 ? behindMilliseconds : 0;
}

/** One running command: its two processes, the faults scripted for them, and how it ended. */
export class Run {
  /** The process of the provider. */
  readonly host: Process;
  /** The process of the engine, which saves. */
  readonly cli: Process;
  readonly errors: string[] = [];
  /** Whether a crash interrupted it. */
  isInterrupted = false;
  /** The ids of the launch intents that it dealt with; see `exclusions.ts`. */
  readonly dealtWith = new Set<string>();
  private readonly counts = new Map<FaultyOperation, number>();

  constructor(
    readonly number: number,
    readonly command: Command,
    time: VirtualTime,
    readonly chance: Chance,
  ) {
    this.host = new Process(time, chance, behindOf(number));
    this.cli = new Process(time, chance);
  }

  get name(): string {
    return `${String(this.number)} (${this.command.kind})`;
  }

  /** Counts a request, and returns what is scripted for it. */
  meet(operation: FaultyOperation): { fault: Fault | undefined; crash: Crash | undefined } {
    const number = (this.counts.get(operation) ?? 0) + 1;
    this.counts.set(operation, number);
    const { faults, crash } = this.command;
    return {
      fault: faults.find(
        (fault) => fault.operation === operation && number >= fault.nth && number < fault.nth + fault.times,
      ),
      crash: crash?.operation === operation && crash.nth === number && !this.isInterrupted ? crash : undefined,
    };
  }

  /** Kills what the crash kills. True while the host lives. */
  crash({ what }: Crash): boolean {
    this.isInterrupted = true;
    if (what !== "command but its host") this.host.kill();
    if (what !== "host") this.cli.kill();
    return this.host.isAlive;
  }

  /** A crash right after a response: the host receives the response, and dies at its next wait. */
  crashAfterAnswer({ what }: Crash): void {
    this.isInterrupted = true;
    if (what !== "command but its host") this.host.isEnding = true;
    if (what !== "host") this.cli.kill();
  }
}
