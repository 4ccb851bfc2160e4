import type { Problem } from "./checking";
import type { Lifecycle } from "./lifecycle";
import { hasUnknown } from "./unknown";

/**
 * The hidden input that carries the resource's name, which the host is not told; `check` takes it out. Not `__name`, which
 * is a property of every resource of the SDK.
 */
export const nameKey = "__declaredBy";

/** Which resource of the program declares which object of the service. */
export class Declarations {
  /** For each kind of resource, the name of the one that declares an object. */
  private readonly kinds = new Map<object, Map<string, string>>();

  /** Whether a resource that was checked so far declares the object. */
  has(kind: object, object: string): boolean {
    return this.kinds.get(kind)?.has(object) ?? false;
  }

  /** Notes what a resource declares; a problem for every object that another one declares too. */
  declare<Inputs extends object, State extends object>(
    kind: Lifecycle<Inputs, State>,
    name: string,
    inputs: Inputs,
  ): Problem[] {
    const declaredBy = this.kinds.get(kind) ?? new Map<string, string>();
    this.kinds.set(kind, declaredBy);
    // The same resource is checked again when the preview is carried out, perhaps with other values.
    for (const [object, by] of declaredBy) if (by === name) declaredBy.delete(object);
    return (kind.declares ?? []).flatMap(({ properties, object }): Problem[] => {
      if (properties.some((key) => inputs[key] === undefined || hasUnknown(inputs[key]))) return [];
      const named = object(inputs);
      const other = declaredBy.get(named);
      if (other === undefined) {
        declaredBy.set(named, name);
        return [];
      }
      const reason = `is declared twice: "${other}" and "${name}" both stand for the ${named}; declare it once`;
      return [{ property: properties[0], reason }];
    });
  }
}
