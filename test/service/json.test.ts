import assert from "node:assert/strict";
import fc from "fast-check";
import { readJson } from "../../provider/service/json";

const nested = (levels: number, open = "[", close = "]"): string => open.repeat(levels) + close.repeat(levels);

describe("A body", () => {
  it("is what JSON.parse makes of it, whatever it is", () => {
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

  it("of 200 levels is read, a deeper one is not, before anything deep is made", () => {
    assert.ok("json" in readJson(nested(200)));
    for (const text of [nested(201), nested(500_000), `${'{"a":'.repeat(201)}1${"}".repeat(201)}`, "[".repeat(300)])
      assert.deepEqual(readJson(text), { text, problem: "nested deeper than 200 levels" });
  });

  it("is not deep by the brackets in its texts, however they are quoted", () => {
    for (const inner of ["[".repeat(300), `\\"${"[".repeat(300)}`, `${"[".repeat(300)}\\\\`, '"{"[\\'.repeat(300)]) {
      const text = JSON.stringify({ [inner]: [inner, inner] });
      assert.deepEqual(readJson(text), { text, json: { [inner]: [inner, inner] } });
    }
  });

  it("with a number that becomes infinite is not read, a large one is", () => {
    for (const number of ["1e999", "-1e999", `1${"0".repeat(400)}`, `1${"0".repeat(250)}e99`]) {
      const body = readJson(`{"a":[1,{"b":${number}}]}`);
      assert.ok("problem" in body && body.problem === "a number beyond all bounds", number);
    }
    for (const json of [1e300, "1e999", Number.MAX_SAFE_INTEGER + 2, 1e-300])
      assert.deepEqual(readJson(JSON.stringify([json])), { text: JSON.stringify([json]), json: [json] });
  });
});
