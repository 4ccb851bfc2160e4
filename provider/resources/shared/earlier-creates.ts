import type { ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";

/** A create whose request may have been carried out. */
export interface UncertainCreate {
  /** When it started, by this machine's clock. */
  readonly started: number;
  readonly cause: ServiceError;
}

/**
 * The creates of this process that failed although their object exists, or may exist: an `onError` hook makes the engine
 * call `create` again. And what earlier commands left.
 */
export class EarlierCreates {
  readonly uncertain = new Map<string, UncertainCreate>();
  /** By agent, its webhooks before this command created any. */
  readonly webhooks = new Map<string, Promise<readonly Answer<"webhook.update">[]>>();
  private readonly created = new Map<string, unknown>();

  /** The object exists, but a later step failed. */
  addCreated(key: string, created: unknown): void {
    this.created.set(key, created);
  }

  takeCreated(key: string): unknown {
    const created = this.created.get(key);
    this.created.delete(key);
    return created;
  }
}
