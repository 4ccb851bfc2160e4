import type { z } from "zod";

/* Fields have snake_case names in requests and responses, and camelCase names in programs. */

/** `inactive_7d` → `inactive7d`. */
type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** `countryCode` → `country_code`. */
type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : "";

/** The names of the fields that may be null or missing. */
type OptionalName<Fields> = {
  [Name in keyof Fields]: null extends Fields[Name] ? Name : undefined extends Fields[Name] ? Name : never;
}[keyof Fields];

/** Without null: a field that may be null or missing is optional. */
type WithoutAbsent<Fields> = { [Name in Exclude<keyof Fields, OptionalName<Fields>>]: Fields[Name] } & {
  [Name in OptionalName<Fields>]?: NonNullable<Fields[Name]>;
};

type FromWire<Fields> = { [Name in keyof Fields & string as CamelCase<Name>]: Fields[Name] };
type ToWire<Fields> = { [Name in keyof Fields & string as SnakeCase<Name>]: Fields[Name] };

/** The fields of a shape in camelCase, from a response of that shape. Those that are null or missing are absent. */
export function fromWire<Shape extends z.ZodRawShape>(
  { shape }: { readonly shape: Shape },
  response: Readonly<Record<string, unknown>>,
): WithoutAbsent<FromWire<{ [Name in keyof Shape]: z.output<Shape[Name]> }>> {
  const fields = Object.keys(shape).map((name) => [camelCase(name), response[name]] as const);
  return withoutAbsent(Object.fromEntries(fields)) as never;
}

/** Arguments in snake_case, for the path, the query or the body of a request. Those that are not set are absent. */
export function toWire<Args extends object>(args: Args): WithoutAbsent<ToWire<Args>> {
  const fields = Object.entries(args).map(([name, value]: [string, unknown]) => [snakeCase(name), value] as const);
  return withoutAbsent(Object.fromEntries(fields)) as never;
}

/** Without the fields that are null or undefined. */
export function withoutAbsent<Fields extends object>(fields: Fields): WithoutAbsent<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present) as WithoutAbsent<Fields>;
}

/** The notes that apply. */
export function notesOf(...notes: readonly (string | false)[]): string[] {
  return notes.filter((note) => note !== false);
}

function camelCase(name: string): string {
  return name.replaceAll(/_./g, ([, letter = ""]) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
