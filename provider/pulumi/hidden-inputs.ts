/* Inputs that carry what the host is not told. `check` removes them, so they never reach the state. */

/** The resource's place, `project/stack/name`. Given only where something depends on it. */
export const placeKey = "__declaredAs";

/** What the resource gets of its companion, such as a campaign of its launch intent. */
export const companionKey = "__companion";

/** The resource's name in a place. */
export function nameIn(place: string): string {
  return place.replace(/^[^/]*\/[^/]*\//, "");
}
