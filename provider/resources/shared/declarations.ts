interface Declared {
  readonly object: string;
  /** Whether several resources may declare it, if all of them say this. */
  readonly isShared: boolean;
}

/** Which resources of the program declare which object of the service. */
export class Declarations {
  /** For each kind of resource and each object, the names of the resources that declare it, and whether they share it. */
  private readonly kinds = new Map<string, Map<string, Map<string, boolean>>>();

  /** Whether a resource that was checked so far declares the object. */
  has(kind: string, object: string): boolean {
    return this.declaredBy(kind, object) !== undefined;
  }

  /** The name of the resource that declares the object, the first of several. */
  declaredBy(kind: string, object: string): string | undefined {
    return this.kinds.get(kind)?.get(object)?.keys().next().value;
  }

  /** Records what a resource declares. Returns, for each object, the name of another resource that declares it. */
  declare(kind: string, name: string, declared: readonly Declared[]): (string | undefined)[] {
    const objects = this.kinds.get(kind) ?? new Map<string, Map<string, boolean>>();
    this.kinds.set(kind, objects);
    // The engine checks a resource again after the preview, perhaps with other values.
    for (const resources of objects.values()) resources.delete(name);
    return declared.map(({ object, isShared }) => {
      const resources = objects.get(object) ?? new Map<string, boolean>();
      objects.set(object, resources);
      const other = [...resources].find(([, isSharedToo]) => !isShared || !isSharedToo)?.[0];
      if (other === undefined) resources.set(name, isShared);
      return other;
    });
  }
}
