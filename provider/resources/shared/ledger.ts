import { randomBytes } from "node:crypto";

/** An object that a resource of the program declares. */
interface Declared {
  readonly object: string;
  /** Whether several resources may declare it, if all of them say this. */
  readonly isShared: boolean;
}

/**
 * The fate of a campaign in this command. The other kinds need none of it.
 * - `kept`: it is in the state.
 * - `paused`: it is in the state, and the service confirmed a pause of this package.
 * - `replaced`: it is in the state, and its resource is about to be replaced.
 * - `ended`: this command deleted or paused it, and it is removed from the state.
 */
export type Fate = "kept" | "paused" | "replaced" | "ended";

interface Declaration {
  /** The name of the resource. */
  readonly name: string;
  readonly isShared: boolean;
}

/** One object of the service. */
interface Entry {
  /** The resource that manages it. `isClaimed`: this command created or adopted it. */
  manager?: { readonly lease: string | undefined; readonly isClaimed: boolean } | undefined;
  /** The resources that declare it. */
  readonly declaredBy: Map<string, Declaration>;
  /** The URNs of the resources that read it with `get`, or import it. */
  readonly readers: Set<string>;
  fate?: Fate | undefined;
}

/**
 * One command's record of the objects of the service, by their names: which resource manages each of them, which ones declare
 * it, and its fate. One object has one manager. If another resource declares or manages an object, the object outlives a
 * resource that is removed from the stack.
 *
 * The host does not say which resource it is called for. So a resource gets a lease with its object, kept in its state.
 * Two states with the same object and different leases are two resources, or one resource under an old and a new name.
 * A resource needs none where the response to its create proves that the object is new (`isNew`): only one can have created it.
 */
export class Ledger {
  private readonly entries = new Map<string, Entry>();
  /** The objects that each resource declares. */
  private readonly declared = new Map<string, readonly string[]>();

  /** Whether a resource that this command has seen manages the object. */
  isManaged(object: string): boolean {
    return this.entries.get(object)?.manager !== undefined;
  }

  leaseOf(object: string): string | undefined {
    return this.entries.get(object)?.manager?.lease;
  }

  /** Whether a resource with another lease manages the object, so that it must outlive the one with this lease. */
  isOthers(object: string, lease: string | undefined): boolean {
    return this.isManaged(object) && this.leaseOf(object) !== lease;
  }

  /**
   * Gives an object to a resource that is being created. False if this command has created another one with it. An object
   * that a resource of an earlier command manages may be claimed: that may be this one, whose replacement failed halfway.
   */
  claim(object: string, isNew = false): boolean {
    const entry = this.entry(object);
    if (entry.manager?.isClaimed === true) return false;
    entry.manager = { lease: isNew ? undefined : newLease(), isClaimed: true };
    return true;
  }

  /** Claims an object while it is being adopted. Returns what gives it back, or undefined where it is claimed already. */
  claimForNow(object: string): (() => void) | undefined {
    const entry = this.entry(object);
    const { manager } = entry;
    if (!this.claim(object)) return undefined;
    return () => {
      entry.manager = manager;
    };
  }

  /** Records who manages the object since an earlier command. False where another resource manages it too. */
  reclaim(object: string, lease: string | undefined): boolean {
    const { lease: known, isClaimed } = (this.entry(object).manager ??= { lease, isClaimed: false });
    // A resource that adopts the object in this command declares it by its id, which is refused by itself.
    return isClaimed || known === lease;
  }

  release(object: string): void {
    this.entry(object).manager = undefined;
  }

  /** Records what a resource declares. Returns, for each object, the name of another resource that declares it. */
  declare(kind: string, name: string, declared: readonly Declared[]): (string | undefined)[] {
    const resource = `${kind} ${name}`;
    // The engine checks a resource again after the preview, perhaps with other values.
    for (const object of this.declared.get(resource) ?? []) this.entry(object).declaredBy.delete(resource);
    const objects = declared.map(({ object }) => object);
    this.declared.set(resource, objects);
    return declared.map(({ object, isShared }) => {
      const { declaredBy } = this.entry(object);
      const other = [...declaredBy.values()].find((one) => !isShared || !one.isShared);
      if (other === undefined) declaredBy.set(resource, { name, isShared });
      return other?.name;
    });
  }

  /** The name of a resource that declares the object, as far as resources were checked. */
  declaredBy(object: string): string | undefined {
    return this.entries.get(object)?.declaredBy.values().next().value?.name;
  }

  /** A resource reads the object with `get`, or imports it. */
  addReader(object: string, urn: string): void {
    this.entry(object).readers.add(urn);
  }

  readersOf(object: string): ReadonlySet<string> {
    return this.entry(object).readers;
  }

  /** Undefined for a campaign that this command has not seen in the state. */
  fateOf(object: string): Fate | undefined {
    return this.entries.get(object)?.fate;
  }

  /** The state has the campaign. */
  seeInState(object: string): void {
    this.entry(object).fate ??= "kept";
  }

  /** Nothing changes a campaign that this command has deleted or paused for good. */
  setFate(object: string, fate: Fate): void {
    const entry = this.entry(object);
    if (entry.fate !== "ended") entry.fate = fate;
  }

  /** A refresh says that it is gone. If it is live after all, it is found again. */
  forgetFate(object: string): void {
    const entry = this.entry(object);
    if (entry.fate !== "ended") entry.fate = undefined;
  }

  private entry(object: string): Entry {
    const known = this.entries.get(object) ?? {
      declaredBy: new Map<string, Declaration>(),
      readers: new Set<string>(),
    };
    this.entries.set(object, known);
    return known;
  }
}

export function newLease(): string {
  return randomBytes(3).toString("hex");
}
