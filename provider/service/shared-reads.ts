import type { Clock } from "./clock";

/** How long one read serves a refresh: the engine asks for many resources within seconds. */
const recentFor = 30_000;

interface Read {
  began: number;
  answer: Promise<unknown>;
}

/** One read for all resources that want the same. A read that fails fails for all of them. */
export class SharedReads {
  private readonly latest = new Map<string, Read>();
  /** Reads that have been asked for and have not begun. */
  private readonly coming = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** As of a moment ago, for looking at what exists: not older than the last change that this deployment made. */
  recent<T>(key: string, read: () => Promise<T>): Promise<T> {
    const latest = this.latest.get(key);
    const isRecent = latest !== undefined && this.clock.now() - latest.began < recentFor;
    return isRecent ? (latest.answer as Promise<T>) : this.fresh(key, read);
  }

  /** A read that begins after this call, for deciding whether to act. Shared by all that ask before it begins. */
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

  /** To be called before and after a change of what the read shows. */
  changed(key: string): void {
    this.latest.delete(key);
  }
}
