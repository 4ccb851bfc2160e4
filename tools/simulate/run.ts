import type { Chance } from "./chance";
import type { Crash, Fault, FaultyOperation } from "./faults";
import { Process } from "./process";
import type { Command } from "./schedule";
import type { VirtualTime } from "./time";

/** A running command: its two processes, what is scripted for them, and how it ended. */
export class Run {
  /** The process of the provider. */
  readonly host: Process;
  /** The process of the engine, which saves. */
  readonly cli: Process;
  readonly errors: string[] = [];
  /** Whether a crash interrupted it. */
  isInterrupted = false;
  private readonly counts = new Map<Crash["at"], number>();

  constructor(
    readonly number: number,
    readonly command: Command,
    readonly startedAt: number,
    time: VirtualTime,
    readonly chance: Chance,
  ) {
    this.host = new Process(time, chance, command.aheadMilliseconds);
    this.cli = new Process(time, chance);
  }

  get name(): string {
    return `${String(this.number)} (${this.command.kind})`;
  }

  get hasSucceeded(): boolean {
    return this.errors.length === 0 && !this.isInterrupted;
  }

  /** Counts a request, and returns what is scripted for it. */
  meet(operation: FaultyOperation): { fault: Fault | undefined; crash: Crash | undefined } {
    const number = this.count(operation);
    const fault = this.command.faults.find(
      (one) => one.operation === operation && number >= one.nth && number < one.nth + one.times,
    );
    return { fault, crash: this.crashAt(operation, number) };
  }

  /** Counts a result that the engine is about to save. The crash may come first. */
  meetSave(): void {
    const crash = this.crashAt("save", this.count("save"));
    if (crash !== undefined) this.crash(crash);
  }

  /** Kills what the crash kills. */
  crash({ what }: Crash): void {
    this.isInterrupted = true;
    if (what !== "command but its host") this.host.kill();
    if (what !== "host") this.cli.kill();
  }

  /** A crash right after a response: the host receives the response, and dies at its next wait. */
  crashAfterAnswer({ what }: Crash): void {
    this.isInterrupted = true;
    if (what !== "command but its host") this.host.isEnding = true;
    if (what !== "host") this.cli.kill();
  }

  private count(what: Crash["at"]): number {
    const number = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, number);
    return number;
  }

  private crashAt(what: Crash["at"], number: number): Crash | undefined {
    const { crash } = this.command;
    return crash?.at === what && crash.nth === number && !this.isInterrupted ? crash : undefined;
  }
}
