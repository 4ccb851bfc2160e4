/** The facts that name an object. */
export interface Named {
  /** The words of people for it: a description, a name, a host. */
  readonly title: string | undefined;
  readonly id: string;
  /** When it was created. The oldest object with a title keeps it. */
  readonly createdDate: string | undefined;
}

/** How long a title may be in a name. An id is never cut: it tells objects apart. */
const maxTitleLength = 50;

/** In the code that `pulumi import` prints, each name is a constant, beside the two modules that it imports. */
const modules = ["pulumi", "workspace-apps"];

/**
 * A name for each object that is not `taken`. The oldest object of a title has the title as its name. The others have
 * their id added, so that a new object changes no name. `prefix` begins the names that consist of an id.
 */
export function namesFor<Item extends Named>(
  items: readonly Item[],
  prefix: string,
  taken: readonly string[],
): Map<Item, string> {
  const names = new Map<Item, string>();
  const used = new Set([...modules, ...taken]);
  const oldestFirst = [...items].sort(
    (one, other) => compare(one.createdDate ?? "~", other.createdDate ?? "~") || compare(one.id, other.id),
  );
  for (const item of oldestFirst) {
    const candidates = candidatesFor(item, prefix);
    const name = candidates.find((candidate) => !used.has(candidate)) ?? numbered(candidates.at(-1) ?? prefix, used);
    used.add(name);
    names.set(item, name);
  }
  return names;
}

function candidatesFor({ title = "", id, createdDate }: Named, prefix: string): string[] {
  const idSlug = slug(id, Infinity) || "object";
  const short = title === id ? idSlug : slug(title, maxTitleLength);
  const byId = `${prefix}-${idSlug}`;
  if (short === "") return [byId];
  // Which of two is older is not known without a date, so each has its id.
  const mayUseTitle = createdDate !== undefined || title === id;
  return [...(mayUseTitle ? [short] : []), `${short}-${idSlug}`, byId];
}

function numbered(name: string, used: ReadonlySet<string>): string {
  for (let number = 2; ; number++) if (!used.has(`${name}-${String(number)}`)) return `${name}-${String(number)}`;
}

/** Lower case, with hyphens between words and without accents: `Spring sale` is `spring-sale`, `TaxRate` is `tax-rate`. */
function slug(text: string, maxLength: number): string {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "");
  let name = "";
  for (const word of words) {
    if (name !== "" && name.length + 1 + word.length > maxLength) break;
    name += name === "" ? Array.from(word).slice(0, maxLength).join("") : `-${word}`;
  }
  return name;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
