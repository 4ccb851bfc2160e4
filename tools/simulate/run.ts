import type { Campaign } from "../../simulator/types";
import type { Chance } from "./chance";
import type { Crash, Fault, FaultyOperation } from "./faults";
import type { Command } from "./schedule";
import { Process, type VirtualTime } from "./time";

/** A running command: its two processes, what is scripted for them, and what it has seen and done. */
export class Run {
  /** The process of the provider. */
  readonly host: Process;
  /** The process of the engine, which saves. */
  readonly cli: Process;
  readonly startedAt: number;
  readonly errors: string[] = [];
  isInterrupted = false;
  /** By app, the last complete list that it received, and when its request was sent. */
  readonly lists = new Map<string, { began: number; rows: readonly Campaign[] }>();
  /** The campaigns that it sent a deletion or a pause for. */
  readonly stopped = new Set<string>();
  private readonly counts = new Map<Crash["at"], number>();

  constructor(
    readonly number: number,
    readonly command: Command,
    time: VirtualTime,
    readonly chance: Chance,
  ) {
    this.host = new Process(time, chance, command.aheadMilliseconds);
    this.cli = new Process(time, chance);
    this.startedAt = time.now();
  }

  get name(): string {
    return `${String(this.number)} (${this.command.kind})`;
  }

  get hasSucceeded(): boolean {
    return this.errors.length === 0 && !this.isInterrupted;
  }

  /** Counts a request, or a result that is about to be saved, and returns what is scripted for it. */
  meet(what: Crash["at"]): { fault: Fault | undefined; crash: Crash | undefined } {
    const number = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, number);
    const { faults, crash } = this.command;
    const isFaulty = ({ operation, nth, times }: Fault): boolean =>
      operation === (what as FaultyOperation) && number >= nth && number < nth + times;
    const isNow = crash?.at === what && crash.nth === number && !this.isInterrupted;
    return { fault: faults.find(isFaulty), crash: isNow ? crash : undefined };
  }

  /** Kills what the crash kills. Right after a response, the host still receives it, and dies at its next wait. */
  crash({ what, point }: Crash): void {
    this.isInterrupted = true;
    if (what !== "host") this.cli.kill();
    if (what === "command but its host") return;
    if (point === "answered") this.host.isEnding = true;
    else this.host.kill();
  }
}
