import type { Clock } from "./clock";

/** How long one read is reused. A refresh reads many resources within seconds. */
const recentFor = 30_000;

interface Read {
  began: number;
  answer: Promise<unknown>;
}

/** One read for all resources that need the same data. A read that fails, fails for all of them. */
export class SharedReads {
  private readonly latest = new Map<string, Read>();
  /** Reads that were requested and have not started. */
  private readonly coming = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** A read of the last 30 seconds, to see what exists. Never older than the last change by this deployment. */
  recent<T>(key: string, read: () => Promise<T>): Promise<T> {
    const latest = this.latest.get(key);
    const isRecent = latest !== undefined && this.clock.now() - latest.began < recentFor;
    return isRecent ? (latest.answer as Promise<T>) : this.fresh(key, read);
  }

  /** A read that starts after this call, to decide whether to act. Shared by all callers before it starts. */
  fresh<T>(key: string, read: () => Promise<T>): Promise<T> {
    const coming = this.coming.get(key);
    if (coming !== undefined) return coming as Promise<T>;
    const begin = (): Promise<T> => {
      this.coming.delete(key);
      this.latest.set(key, { began: this.clock.now(), answer });
      return read();
    };
    const before = this.latest.get(key)?.answer ?? Promise.resolve();
    const answer = before.then(begin, begin);
    this.coming.set(key, answer);
    return answer;
  }

  /** Call it before and after changing what the read shows. */
  changed(key: string): void {
    this.latest.delete(key);
  }
}
