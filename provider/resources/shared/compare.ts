import { isDeepStrictEqual } from "node:util";
import { LongNumber, withLongNumbersAsText } from "../../service/long-numbers";
import { momentOf } from "../../service/timestamps";
import { parseUrl } from "../../service/urls";

/* Whether two values mean the same, however the service writes them. */

export type Fields = Record<string, unknown>;

/** Whether two lists hold the same values; order and repeats do not matter. */
export function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return isDeepStrictEqual(new Set(one), new Set(other));
}

/** Whether two URLs are the same: `https://example.com` and `https://example.com/`. */
export function sameUrl(one: string, other: string): boolean {
  const href = parseUrl(one)?.href;
  return one === other || (href !== undefined && href === parseUrl(other)?.href);
}

/** Whether two names are of the same time zone: `UTC` and `Etc/UTC`. */
export function sameTimeZone(one: string, other: string): boolean {
  return canonicalTimeZone(one) === canonicalTimeZone(other);
}

/** A name that this version of Node does not know stays unchanged. */
function canonicalTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return name;
  }
}

/**
 * Whether two values of the users' own data mean the same. Keys may come in any order, and a missing one counts as null. Times
 * are compared as moments, because the service stores them without their `Z`. A number that JavaScript cannot keep is the same
 * as its text, because a program can declare it in no other way.
 */
export function sameMeaning(one: unknown, other: unknown): boolean {
  if (one === other || (isNothing(one) && isNothing(other))) return true;
  if (one instanceof LongNumber || other instanceof LongNumber)
    return withLongNumbersAsText(one) === withLongNumbersAsText(other);
  if (typeof one === "string" && typeof other === "string") return sameMoment(one, other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameMeaning(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => sameMeaning(valueOf(one, key), valueOf(other, key)));
}

/** The names of the declared fields that do not have the declared meaning. */
export function differingFields(declared: Fields, stored: Fields): string[] {
  return Object.keys(declared).filter((name) => !sameMeaning(declared[name], valueOf(stored, name)));
}

/**
 * The declared fields as they are stored. A value of the same meaning stays as declared; a field that is not stored is left
 * out. Numbers that JavaScript cannot keep are text.
 */
export function asStored(declared: Fields, stored: Fields): Fields {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, value]) => {
      if (sameMeaning(value, valueOf(stored, name))) return [[name, value]];
      return Object.hasOwn(stored, name) ? [[name, withLongNumbersAsText(stored[name])]] : [];
    }),
  );
}

/** Whether an object has all these fields. A list may leave out what an object shows when it is read by itself. */
export function showsAll(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(fields, name));
}

/** Only these fields of an object. */
export function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]));
}

/** An object without these fields. */
export function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** JSON that is the same for equal values, whatever the order of their keys. */
export function canonicalJson(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

function sameMoment(one: string, other: string): boolean {
  const moment = momentOf(one);
  return moment !== undefined && moment === momentOf(other);
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
