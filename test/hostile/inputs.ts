import fc from "fast-check";
import { unknownValue } from "../../provider/serializable";

/* Arguments that no program should pass. */

type Fields = Record<string, unknown>;

/** An object with its own property of any name, including `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): Fields {
  const result: Fields = {};
  for (const [key, value] of entries)
    Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
  return result;
}

const nestedIn = (levels: number, inner: unknown): unknown =>
  Array.from({ length: levels }).reduce<unknown>(
    (value, _, index) => (index % 2 === 0 ? [value] : { a: value }),
    inner,
  );

const name = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "a.b", "a[0]", "", " ", "id", "fields", "\ud800"),
  fc.string({ maxLength: 6 }),
);
const leaf: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(unknownValue) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      0,
      -0,
      -1,
      0.5,
      NaN,
      Infinity,
      -Infinity,
      2 ** 60,
      "",
      " ",
      "..",
      "\ud800",
      "\u0000",
      "https://",
      "http://127.0.0.1/",
      "https://user:pw@h.example/",
      "x".repeat(5_000),
      "delete",
      "message.created",
      "2026-01-01",
    ),
  },
  { weight: 2, arbitrary: fc.anything({ maxDepth: 2, withNullPrototype: false }).filter(isPassedOn) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 50, max: 200 })
      .chain((levels) => fc.constantFrom(nestedIn(levels, 1), nestedIn(levels, unknownValue))),
  },
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
}));

/** GRPC carries JSON, and numbers that are not finite. */
function isPassedOn(one: unknown): boolean {
  if (Array.isArray(one)) return one.every(isPassedOn);
  if (typeof one === "object" && one !== null) return Object.values(one).every(isPassedOn);
  return ["string", "number", "boolean"].includes(typeof one) || one === null;
}

interface Change {
  readonly place: number;
  readonly change: "put" | "leave out" | "add";
  readonly name: string;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  change: fc.constantFrom("put", "put", "put", "leave out", "add"),
  name,
  value,
});

/** Valid arguments with a few changes, or only invalid values. */
export function hostileInputs(good: Fields): fc.Arbitrary<Fields> {
  const changed = fc.array(change, { maxLength: 3 }).map((changes) => changes.reduce(changedBy, good));
  const nonsense = fc.array(fc.tuple(fc.oneof(name, fc.constantFrom(...Object.keys(good))), value), { maxLength: 6 });
  return fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: nonsense.map(objectOf) });
}

function changedBy(of: Fields, { place, change, name, value }: Change): Fields {
  const copy = structuredClone(of);
  const holders = holdersIn(copy);
  const holder = holders[place % holders.length] ?? copy;
  const keys = Object.keys(holder);
  const key = change === "add" ? name : keys[place % Math.max(1, keys.length)];
  if (key === undefined) return copy;
  if (change === "leave out" && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
  else if (Array.isArray(holder)) holder[place % (holder.length + 1)] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** The object itself, and all objects and lists in it. Deep ones are chosen rarely. */
function holdersIn(of: object, levels = 3): object[] {
  const inner = levels === 0 ? [] : Object.values(of).filter((one) => typeof one === "object" && one !== null);
  return [of, ...inner.flatMap((one: object) => holdersIn(one, levels - 1))];
}

/** Every path in a value, in the spelling of failures. */
export function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => {
    const text = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return pathsIn(one, text);
  });
  return [path, ...inner];
}
