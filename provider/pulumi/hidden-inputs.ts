/* Inputs that carry what the host is not told. `check` removes them, so they never reach the state. */

/** The resource's place, `project/stack/name`. Given only where something depends on it. */
export const placeKey = "__declaredAs";

/** The resource's name in a place. */
export function nameIn(place: string): string {
  return place.replace(/^[^/]*\/[^/]*\//, "");
}
