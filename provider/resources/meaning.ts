/* Whether two values of the users' own data mean the same, however the service writes them. */

/**
 * Equal in meaning: keys in any order, a missing one like a null, and times as moments, because the service stores them
 * without their `Z`.
 */
export function sameMeaning(one: unknown, other: unknown): boolean {
  if (one === other || (isNothing(one) && isNothing(other))) return true;
  if (typeof one === "string" && typeof other === "string") return sameMoment(one, other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameMeaning(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => sameMeaning(valueOf(one, key), valueOf(other, key)));
}

/** The names of the declared fields that do not have the declared meaning. */
export function fieldsThatDiffer(declared: Fields, held: Fields): string[] {
  return Object.keys(declared).filter((name) => !sameMeaning(declared[name], valueOf(held, name)));
}

/** The declared fields as they are held: what means the same stays as declared, what is not held is left out. */
export function asHeld(declared: Fields, held: Fields): Fields {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, value]) => {
      if (sameMeaning(value, valueOf(held, name))) return [[name, value]];
      return Object.hasOwn(held, name) ? [[name, held[name]]] : [];
    }),
  );
}

/** Only these fields of an object. */
export function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]));
}

export type Fields = Record<string, unknown>;

/** A date with a time of day, with or without fractions and zone. */
const momentForm = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/i;

function sameMoment(one: string, other: string): boolean {
  const moment = momentOf(one);
  return moment !== undefined && moment === momentOf(other);
}

/** Comparable to any fraction of a second; a time without a zone is in UTC. Undefined: no time. */
function momentOf(text: string): string | undefined {
  const [, date, time, fraction = "", zone = "Z"] = momentForm.exec(text) ?? [];
  const milliseconds = Date.parse(`${String(date)}T${String(time)}${zone}`);
  return Number.isNaN(milliseconds) ? undefined : `${String(milliseconds)}.${fraction.replace(/0+$/, "")}`;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
