/** A test named an object that the service does not hold. */
export class MissingObjectError extends Error {}

/** Objects by owner (an app, an agent or a folder) and by id, in the order in which they were added. */
export class Collection<Stored> {
  private readonly owners = new Map<string, Map<string, Stored>>();

  get(owner: string, id: string): Stored | undefined {
    return this.owners.get(owner)?.get(id);
  }

  set(owner: string, id: string, object: Stored): void {
    this.owners.set(owner, (this.owners.get(owner) ?? new Map<string, Stored>()).set(id, object));
  }

  /** Returns whether it existed. */
  delete(owner: string, id: string): boolean {
    return this.owners.get(owner)?.delete(id) ?? false;
  }

  /** The objects of one owner, or of all. */
  list(owner?: string): Stored[] {
    if (owner === undefined) return [...this.owners.keys()].flatMap((each) => this.list(each));
    return [...(this.owners.get(owner)?.values() ?? [])];
  }

  clear(): void {
    this.owners.clear();
  }

  /** Replaces all objects by these, by owner. */
  replaceAll(byOwner: Readonly<Record<string, Stored[]>>, idOf: (object: Stored) => string): void {
    this.clear();
    for (const [owner, objects] of Object.entries(byOwner))
      this.owners.set(owner, new Map(objects.map((object) => [idOf(object), object])));
  }

  /** The objects of every owner, each as `show` returns it. */
  byOwner<Shown>(show: (object: Stored) => Shown): Record<string, Shown[]> {
    return Object.fromEntries([...this.owners.keys()].map((owner) => [owner, this.list(owner).map(show)]));
  }
}
