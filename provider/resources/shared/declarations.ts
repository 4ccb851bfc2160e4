/** Which resource of the program declares which object of the service. */
export class Declarations {
  /** For each kind of resource, the name of the resource that declares an object. */
  private readonly kinds = new Map<string, Map<string, string>>();

  /** Whether a resource that was checked so far declares the object. */
  has(kind: string, object: string): boolean {
    return this.declaredBy(kind, object) !== undefined;
  }

  /** The name of the resource that declares the object. */
  declaredBy(kind: string, object: string): string | undefined {
    return this.kinds.get(kind)?.get(object);
  }

  /** Records what a resource declares. Returns, for each object, the name of another resource that declares it. */
  declare(kind: string, name: string, objects: readonly string[]): (string | undefined)[] {
    const declaredBy = this.kinds.get(kind) ?? new Map<string, string>();
    this.kinds.set(kind, declaredBy);
    // The engine checks a resource again after the preview, perhaps with other values.
    for (const [object, by] of declaredBy) if (by === name) declaredBy.delete(object);
    return objects.map((object) => {
      const other = declaredBy.get(object);
      if (other === undefined) declaredBy.set(object, name);
      return other;
    });
  }
}
