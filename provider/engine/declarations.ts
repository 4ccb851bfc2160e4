/**
 * The hidden input that carries the resource's place, `project/stack/name`, which the host is not told; `check` takes it
 * out. Given only where something depends on it: the engine keeps the name of every input of every resource.
 */
export const placeKey = "__declaredAs";

/** The resource's name in a place. */
export function nameIn(place: string): string {
  return place.replace(/^[^/]*\/[^/]*\//, "");
}

/** Which resource of the program declares which object of the service. */
export class Declarations {
  /** For each kind of resource, the name of the one that declares an object. */
  private readonly kinds = new Map<object, Map<string, string>>();

  /** Whether a resource that was checked so far declares the object. */
  has(kind: object, object: string): boolean {
    return this.kinds.get(kind)?.has(object) ?? false;
  }

  /** Notes what a resource declares. Gives the names of those that declare the same objects, in their order. */
  declare(kind: object, name: string, objects: readonly string[]): (string | undefined)[] {
    const declaredBy = this.kinds.get(kind) ?? new Map<string, string>();
    this.kinds.set(kind, declaredBy);
    // The same resource is checked again when the preview is carried out, perhaps with other values.
    for (const [object, by] of declaredBy) if (by === name) declaredBy.delete(object);
    return objects.map((object) => {
      const other = declaredBy.get(object);
      if (other === undefined) declaredBy.set(object, name);
      return other;
    });
  }
}
