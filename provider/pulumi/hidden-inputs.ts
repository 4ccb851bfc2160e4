/* Inputs that carry what the host is not told. `check` removes them, so they never reach the state. */

/** The resource's place, `project/stack/name`. Given only where something depends on it. */
export const placeKey = "__declaredAs";

/** What the resource gets of its companion, such as a campaign of its launch intent. */
export const companionKey = "__companion";

/** The same in other languages, where a program declares the companion itself: the companion's id. */
export const companionIdKey = "launchIntent";

/** The version of the class that declares a resource of the packaged form. */
export const classVersionKey = "__classVersion";

/** The text by which the dynamic host finds the package. The host keeps it in the state. */
export const storedProviderKey = "__provider";

/** Of a look-up by invoke: its arguments are secret, so no message may show them. */
export const secretArgumentsKey = "__hasSecretArguments";

/** Of a look-up by invoke: the resources that it waited for. A program in another language does not tell. */
export const awaitedKey = "__awaited";

export const hiddenInputs: readonly string[] = [
  placeKey,
  companionKey,
  companionIdKey,
  classVersionKey,
  storedProviderKey,
];

/** The resource's name in a place. */
export function nameIn(place: string): string {
  return place.replace(/^[^/]*\/[^/]*\//, "");
}
