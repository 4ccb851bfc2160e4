import fc from "fast-check";
import type { OperationId } from "../../provider/service/operations";
import type { HttpAnswer } from "../../provider/service/transport";
import { validResponses } from "./valid-responses";

/* Responses that no service should send. They are generated once for all operations, because generating is slow. */

/** One invalid value as JSON text, and a number that chooses its place. */
interface Wrong {
  readonly text: string;
  readonly place: number;
  readonly status: number;
  readonly headers: HttpAnswer["headers"];
  readonly form: "value" | "field" | "whole" | "cut" | "twice";
}

/** Deeper than the call stack of a recursive function allows. */
const deep = 20_000;
const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON", "id", ""];

const odd = fc.constantFrom(
  "null",
  "true",
  "0",
  "-0",
  "1e999",
  "-1e999",
  "1e-999",
  "12345678901234567890123",
  "0.1e1",
  '""',
  '" "',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u001b[2J"',
  '"\u202e"',
  '"\u{fffd}"',
  '"/../.."',
  '"2026-99-99T99:99:99Z"',
  '"9".length',
  "[]",
  "{}",
  "[[]]",
  "[null]",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":null,"a":1}',
  '{"toString":1,"valueOf":1,"length":-1}',
  '{"then":1}',
  '{"toJSON":1}',
  "NaN",
  "undefined",
  "'a'",
  "{",
  "]",
);
const large = fc.constantFrom(
  JSON.stringify("x".repeat(70_000)),
  JSON.stringify('\\"['.repeat(10_000)),
  `[${"0,".repeat(5_000)}0]`,
  `[${"{},".repeat(5_000)}{}]`,
  `{${Array.from({ length: 3_000 }, (_, index) => `"k${String(index)}":${String(index)}`).join()}}`,
  "9".repeat(1_000),
);
const nested = fc.constantFrom(
  "[".repeat(deep) + "]".repeat(deep),
  `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`,
  "[".repeat(150) + "]".repeat(150),
  `${'{"error":'.repeat(199)}1${"}".repeat(199)}`,
);
const whole = fc.constantFrom(
  "",
  " ",
  "\ufeff{}",
  "<!doctype html><h1>Sign in</h1>",
  "HTTP/1.1 200 OK\r\n\r\n{}",
  "\u001f\ufffd\b\u0000\u0000",
  "null",
  "[]",
  "{}",
  '"text"',
  '{"detail":[{"loc":["body"],"msg":1}]}',
  '{"detail":[{"loc":["body","a"],"msg":"m"}]}',
  '{"error":{"message":{"message":"m"}}}',
  '{"message":"folder_not_found read_only_credential_route_not_allowed"}',
  '{"id":"a","id":5}',
  '{"has_more":true,"next_cursor":"a"}',
);

const json = fc.json({ maxDepth: 4, depthSize: "small" });
const value = fc.oneof(
  { weight: 100, arbitrary: json },
  { weight: 100, arbitrary: odd },
  { weight: 1, arbitrary: large },
  { weight: 1, arbitrary: nested },
);
const field = fc
  .tuple(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })), value)
  .map(([name, inner]) => `${JSON.stringify(name)}:${inner}`);

const status = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(200, 200, 200, 201, 204, 206) },
  { weight: 3, arbitrary: fc.constantFrom(400, 401, 402, 403, 404, 405, 409, 410, 422, 429, 500, 502, 503) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 999 }) },
);
const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        date: fc.constantFrom("yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", ""),
        "retry-after": fc.constantFrom("0", "-1", "1e9", "99999999999999999999", "NaN", "Mon", "\u0000", ""),
        "content-type": fc.constantFrom("text/html", "application/json; charset=utf-16", "", "a\u0000b"),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constant<HttpAnswer["headers"]>({ "retry-after": ["1", "2"], date: ["a", "b"] }) },
);

const wrong: fc.Arbitrary<Wrong> = fc
  .oneof(
    { weight: 10, arbitrary: value.map((text) => ({ text, form: "value" as const })) },
    { weight: 3, arbitrary: field.map((text) => ({ text, form: "field" as const })) },
    { weight: 2, arbitrary: fc.oneof(value, whole, fc.string()).map((text) => ({ text, form: "whole" as const })) },
    { weight: 1, arbitrary: fc.constantFrom("cut" as const, "twice" as const).map((form) => ({ text: "1", form })) },
  )
  .chain((what) => fc.record({ place: fc.nat(), status, headers }).map((how): Wrong => ({ ...what, ...how })));

/** Generates this many; the same for the same seed. */
export function wrongs(count: number, seed: number): Wrong[] {
  return fc.sample(wrong, { numRuns: count, seed });
}

const mark = "@here@";

/** The response of an operation with this invalid value in it. */
export function answerWith(id: OperationId, { text, form, place, status, headers }: Wrong): HttpAnswer {
  const templates = templatesOf(id);
  const template = templates[place % templates.length] ?? "";
  switch (form) {
    case "value":
      return { status, headers, text: template.replace(`"${mark}"`, () => text) };
    case "field":
      return { status, headers, text: JSON.stringify(validResponses[id]).replace("{", () => `{${text},`) };
    case "whole":
      return { status, headers, text };
    case "cut":
      return { status, headers, text: template.slice(0, place % (template.length + 1)) };
    case "twice":
      return { status, headers, text: template + template };
  }
}

const known = new Map<OperationId, string[]>();

/** A valid response as text, once for each of its values, with a marker in its place. */
function templatesOf(id: OperationId): string[] {
  const present = known.get(id);
  if (present !== undefined) return present;
  const texts = marked(validResponses[id]).map((one) => JSON.stringify(one));
  known.set(id, texts);
  return texts;
}

function marked(of: unknown): unknown[] {
  if (typeof of !== "object" || of === null) return [mark];
  const inside = Object.entries(of).flatMap(([key, inner]) =>
    marked(inner).map((one) => {
      const copy = (Array.isArray(of) ? [...(of as unknown[])] : { ...of }) as Record<string, unknown>;
      copy[key] = one;
      return copy;
    }),
  );
  return [mark, ...inside];
}
