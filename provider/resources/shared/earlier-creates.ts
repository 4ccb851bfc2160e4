import type { ServiceError } from "../../service/errors";

/** A create whose request may have been carried out. */
interface UncertainCreate {
  /** When it started, by this machine's clock. */
  readonly started: number;
  readonly cause: ServiceError;
}

/**
 * The creates that failed in this process although their object exists, or may exist. After a failure, an `onError` hook
 * makes the engine call `create` again. The keys contain the values that were sent.
 */
export class EarlierCreates {
  readonly uncertain = new Map<string, UncertainCreate>();
  private readonly unfinished = new Map<string, unknown[]>();

  /** The object exists, but a later step failed. */
  addUnfinished(key: string, created: unknown): void {
    this.unfinished.set(key, [...(this.unfinished.get(key) ?? []), created]);
  }

  /** Returns each object once: two resources may send equal values. */
  takeUnfinished(key: string): unknown {
    return this.unfinished.get(key)?.shift();
  }
}
