import assert from "node:assert/strict";
import { readJson } from "../../provider/service/json";
import { wordsOf } from "../../provider/service/error-text";

describe("A record's value, when only the beginning of a body is searched,", () => {
  const long = Array.from({ length: 100 }, (_, index) => `v4lue${String(index)}`).join("-");
  // The second one starts again at every other position of the text.
  for (const [what, value] of [
    ["long", long],
    ["repetitive", "v4".repeat(200)],
  ] as const)
    it(`is not shown in part, wherever that ends, when it is ${what}`, () => {
      for (let shift = 0; shift < 100; shift++) {
        // Almost everything is replaced by short marks, so that the end of the searched text is shown.
        const text = "x".repeat(shift) + value.repeat(60);
        for (const body of [{ detail: text }, { detail: [{ loc: ["body"], msg: text }] }]) {
          const words = wordsOf(readJson(JSON.stringify(body)), [], { values: { nested: [value] } });
          assert.match(words, /^(x*(\[value\])*)?…?$/);
        }
      }
    });
});
