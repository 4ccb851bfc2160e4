import assert from "node:assert/strict";
import fc from "fast-check";
import { readJson } from "../../provider/service/json";

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

  it("that ends within a string, or has too many closing brackets, is not JSON", () => {
    for (const text of ['"', '"a\\', '"a\\"', '["a', "]]]]", "[1]]", '{"a":1}}', '[1,"a\\"]', "[".repeat(5_000_000)])
      assert.deepEqual(readJson(text), { text, problem: "not JSON" });
  });

  it("of 200 levels is read, and a deeper one is rejected", () => {
    const lists = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    const objects = (levels: number): string => `${'{"a":'.repeat(levels)}9007199254740993${"}".repeat(levels)}`;
    for (const nested of [lists, objects]) {
      assert.ok("json" in readJson(nested(200)));
      for (const levels of [300, 20_000, 500_000])
        assert.deepEqual(readJson(nested(levels)), { text: nested(levels), problem: "nested too deeply" });
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
