import assert from "node:assert/strict";
import { linesOf } from "../../tools/captures/page-text";

describe("tools/captures", () => {
  it("compares the text of a page without times, durations and ports", () => {
    assert.deepEqual(linesOf("http://127.0.0.1:40715\n\n 2026-11-17 23:59:22.099 UTC\n12 ms\nUSD 5.00"), [
      ...["http://127.0.0.1:4010", "DATE TIME UTC", "DURATION", "USD 5.00"],
    ]);
  });
});
