/** What is needed to name an object. */
export interface Named {
  /** What people call it: a description, a name, a host. */
  readonly title: string | undefined;
  /** Where there is no title, or where another object has the same one. */
  readonly id: string;
  /** When it was created. Of two objects with the same title, the older one keeps it. */
  readonly createdDate: string | undefined;
}

const longest = 50;

/**
 * A name for each object, which is the same in every run: one that is added later changes no earlier name. `fallback` begins
 * the names of objects without a title.
 */
export function namesFor<Item>(
  items: readonly Item[],
  fallback: string,
  named: (item: Item) => Named,
): Map<Item, string> {
  const names = new Map<Item, string>();
  const taken = new Set<string>();
  const oldestFirst = items
    .map((item) => ({ item, ...named(item) }))
    .sort((one, other) => compare(one.createdDate ?? "~", other.createdDate ?? "~") || compare(one.id, other.id));
  for (const { item, title, id } of oldestFirst) {
    const short = slug(title ?? "");
    const own = slug(id) || "object";
    const candidates = [...(short === "" ? [] : [short, `${short}-${own}`]), `${fallback}-${own}`];
    const free = candidates.find((name) => !taken.has(name)) ?? numbered(`${fallback}-${own}`, taken);
    taken.add(free);
    names.set(item, free);
  }
  return names;
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) if (!taken.has(`${name}-${String(number)}`)) return `${name}-${String(number)}`;
}

/** Lower case, with hyphens between words: `Spring sale` is `spring-sale`, and `TaxRate` is `tax-rate`. */
function slug(text: string): string {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  let name = "";
  for (const word of words) {
    if (name !== "" && name.length + 1 + word.length > longest) break;
    name += name === "" ? word.slice(0, longest) : `-${word}`;
  }
  return name;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
