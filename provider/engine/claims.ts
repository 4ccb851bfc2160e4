import { randomBytes } from "node:crypto";

/**
 * Which objects of the service the resources of this deployment manage, so that none is managed twice.
 *
 * The host does not tell which resource it is called for. So a resource gets a lease with its object, kept in its state:
 * two states with the same object and different leases are two resources, or one resource under an old and a new name.
 * One that made its object anew needs none: of all that may ever have the object, only one made it.
 */
export class Claims {
  private readonly leases = new Map<string, string | undefined>();
  /** Made or adopted by this deployment. */
  private readonly taken = new Set<string>();
  /** Deleted or stopped by this deployment; a list may be slow to show it. */
  private readonly givenUp = new Set<string>();
  private readonly turns = new Map<string, Promise<unknown>>();

  has(object: string): boolean {
    return this.leases.has(object);
  }

  /**
   * Takes an object for a resource that is being created. False when another one was created with it. One that is known
   * from an earlier deployment is no obstacle: it may be this resource itself, whose replacement failed halfway.
   */
  take(object: string, isNew = false): boolean {
    if (this.taken.has(object)) return false;
    this.taken.add(object);
    this.leases.set(object, isNew ? undefined : randomBytes(3).toString("hex"));
    return true;
  }

  leaseOf(object: string): string | undefined {
    return this.leases.get(object);
  }

  /** Notes what a resource manages since an earlier deployment. */
  know(object: string, lease: string | undefined): void {
    if (!this.leases.has(object)) this.leases.set(object, lease);
  }

  /** Whether another resource of this deployment manages the object: then it must outlive the one with this lease. */
  isOthers(object: string, lease: string | undefined): boolean {
    return this.leases.has(object) && this.leases.get(object) !== lease;
  }

  release(object: string): void {
    this.leases.delete(object);
    this.taken.delete(object);
  }

  giveUp(object: string): void {
    this.givenUp.add(object);
  }

  isGivenUp(object: string): boolean {
    return this.givenUp.has(object);
  }

  /**
   * Runs the work after all earlier work under the same key. Of two equal creations under way at once, neither could
   * tell whose object a list shows.
   */
  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(work, work);
    this.turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.turns.get(key) === turn) this.turns.delete(key);
    }
  }
}
