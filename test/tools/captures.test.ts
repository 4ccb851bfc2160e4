import assert from "node:assert/strict";
import { linesOf } from "../../tools/captures/page-text";
import { fixed, uncaptured } from "../../tools/captures/pages";

describe("tools/captures", () => {
  it("compares the text of a page without times, durations and ports", () => {
    assert.deepEqual(linesOf("http://127.0.0.1:40715\n\n 2026-11-17 23:59:22.099 UTC\n12 ms\nUSD 5.00"), [
      ...["http://127.0.0.1:4010", "DATE TIME UTC", "DURATION", "USD 5.00"],
    ]);
  });

  it("replaces in a sample what differs in every run, and nothing else", () => {
    const printed =
      "http://127.0.0.1:40715 in 350 ms: Spring sale-0123456789ab, wh_2eaad8f7504d332e8, wh_1, cmp_12, 4010";
    const sample = "http://127.0.0.1:4010 in 12 ms: Spring sale-b59d45457776, wh_12a832fd8586a17ab, wh_1, cmp_12, 4010";
    assert.equal(fixed(printed), sample);
  });

  it("finds typed output in a page: blocks of no source language outside the markers", () => {
    const block = (language: string, line: string): string => `\`\`\`${language}\n${line}\nmore\n\`\`\``;
    const page = [
      block("sh", "pulumi up"),
      block("text", "typed"),
      `<!-- begin captured: it -->\n\n${block("text", "captured")}\n\n<!-- end captured: it -->`,
      block("ts", "const it = 1;"),
      `   ${block("", "listed").replaceAll("\n", "\n   ")}`,
    ].join("\n\n");
    assert.deepEqual(uncaptured(page), ["typed", "   listed"]);
  });
});
