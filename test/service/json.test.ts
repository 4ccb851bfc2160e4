import assert from "node:assert/strict";
import fc from "fast-check";
import { readJson } from "../../provider/service/json";

const nested = (levels: number, open = "[", close = "]"): string => open.repeat(levels) + close.repeat(levels);

/** The number of values at any depth, including the value itself. An empty list or object counts as two. */
function valuesIn(json: unknown): number {
  if (typeof json !== "object" || json === null) return 1;
  const inner = Object.values(json);
  return (
    1 +
    Math.max(
      1,
      inner.map(valuesIn).reduce((sum, count) => sum + count, 0),
    )
  );
}

describe("A body", () => {
  it("is parsed like JSON.parse, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json({ maxDepth: 8 }),
          fc.string(),
          fc.json().map((json) => json.slice(1)),
        ),
        (text) => {
          const body = readJson(text);
          let expected: unknown;
          try {
            expected = { text, json: text === "" ? undefined : (JSON.parse(text) as unknown) };
          } catch {
            expected = { text, problem: "not JSON" };
          }
          assert.deepEqual(body, expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("with the maximum number of values is parsed like JSON.parse, and with one more is not parsed", () => {
    // JSON.parse keeps the last of two equal keys, and -0. The counted text is generated from the value.
    const anyJson = fc.jsonValue({ maxDepth: 6 }).map((json) => JSON.parse(JSON.stringify(json)) as unknown);
    fc.assert(
      fc.property(anyJson, fc.boolean(), (json, isSpaced) => {
        const text = JSON.stringify(json, undefined, isSpaced ? 2 : 0);
        const count = valuesIn(json);
        assert.deepEqual(readJson(text, count), { text, json });
        const problem = `more than ${String(count - 1)} values`;
        if (count > 1) assert.deepEqual(readJson(text, count - 1), { text, problem, isTooMuch: true });
      }),
      { numRuns: 2_000 },
    );
  });

  it("counts values in lists, in objects and in both, and ignores commas and brackets in strings", () => {
    for (const [text, count] of [
      ["7", 1],
      ['"a,b,[c],{d}"', 1],
      ["[]", 2],
      ["[1,2,3]", 4],
      ['{"a":1,"b":[2,3]}', 5],
      ['[[],{},"\\\\",",\\",",[]]', 9],
      ['{"a,[b":",{"}', 2],
    ] as const) {
      assert.ok("json" in readJson(text, count), text);
      assert.deepEqual(
        readJson(text, count - 1),
        { text, problem: `more than ${String(count - 1)} values`, isTooMuch: true },
        text,
      );
    }
  });

  it("that ends within a string, or has too many closing brackets, is not JSON", () => {
    for (const text of ['"', '"a\\', '"a\\"', '["a', "]]]]", "[1]]", '{"a":1}}', '[1,"a\\"]'])
      assert.deepEqual(readJson(text, 100), { text, problem: "not JSON" });
  });

  it("of 200 levels is read, and a deeper one is rejected before anything deep is created", () => {
    assert.ok("json" in readJson(nested(200)));
    for (const text of [nested(201), nested(500_000), `${'{"a":'.repeat(201)}1${"}".repeat(201)}`, "[".repeat(300)])
      assert.deepEqual(readJson(text), { text, problem: "nested deeper than 200 levels" });
  });

  it("does not count brackets in strings as depth, however they are quoted", () => {
    for (const inner of ["[".repeat(300), `\\"${"[".repeat(300)}`, `${"[".repeat(300)}\\\\`, '"{"[\\'.repeat(300)]) {
      const text = JSON.stringify({ [inner]: [inner, inner] });
      assert.deepEqual(readJson(text), { text, json: { [inner]: [inner, inner] } });
    }
  });

  it("with a number that becomes infinite is rejected, and a large number is read", () => {
    for (const number of ["1e999", "-1e999", `1${"0".repeat(400)}`, `1${"0".repeat(250)}e99`]) {
      const body = readJson(`{"a":[1,{"b":${number}}]}`);
      assert.ok("problem" in body && body.problem === "a number that is too large", number);
    }
    for (const json of [1e300, "1e999", Number.MAX_SAFE_INTEGER + 2, 1e-300])
      assert.deepEqual(readJson(JSON.stringify([json])), { text: JSON.stringify([json]), json: [json] });
  });
});
