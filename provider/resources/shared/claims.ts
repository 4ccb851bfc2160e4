import { randomBytes } from "node:crypto";

/**
 * Which objects of the service the resources of this deployment manage, so that no two manage the same one.
 *
 * The host does not say which resource it is called for. So a resource gets a lease with its object, kept in its state:
 * two states with the same object and different leases are two resources, or one resource under an old and a new name.
 * A resource that created its object needs no lease; only one can have created it.
 */
export class Claims {
  private readonly leases = new Map<string, string | undefined>();
  /** Created or adopted by this deployment. */
  private readonly taken = new Set<string>();
  /** About to be replaced, or replaced by a command that died before it created the replacement. */
  private readonly replaced = new Set<string>();

  markReplaced(object: string): void {
    this.replaced.add(object);
  }

  isReplaced(object: string): boolean {
    return this.replaced.has(object);
  }

  has(object: string): boolean {
    return this.leases.has(object);
  }

  /**
   * Claims an object for a resource that is being created. False when another resource was created with it. An object
   * that a resource of an earlier deployment manages may be claimed: that may be this one, whose replacement failed halfway.
   */
  take(object: string, isNew = false): boolean {
    if (this.taken.has(object)) return false;
    this.taken.add(object);
    this.leases.set(object, isNew ? undefined : newLease());
    return true;
  }

  leaseOf(object: string): string | undefined {
    return this.leases.get(object);
  }

  /** Records an object that a resource has managed since an earlier deployment. False when another one manages it too. */
  restore(object: string, lease: string | undefined): boolean {
    if (!this.leases.has(object)) this.leases.set(object, lease);
    // A resource that adopts the object in this deployment declares it by its id, which is refused by itself.
    return this.taken.has(object) || this.leases.get(object) === lease;
  }

  /** Whether another resource of this deployment manages the object, so that it must outlive the one with this lease. */
  isOthers(object: string, lease: string | undefined): boolean {
    return this.leases.has(object) && this.leases.get(object) !== lease;
  }

  /** After a failed create that is saved: the engine may call it again. For other resources, the object stays managed. */
  mayBeTakenAgain(object: string): void {
    this.taken.delete(object);
  }

  /** As it was before it was taken: its lease then, or none. */
  giveBack(object: string, lease: string | undefined, wasManaged: boolean): void {
    this.release(object);
    if (wasManaged) this.leases.set(object, lease);
  }

  release(object: string): void {
    this.leases.delete(object);
    this.taken.delete(object);
  }
}

export function newLease(): string {
  return randomBytes(3).toString("hex");
}
