import assert from "node:assert/strict";
import { readJson } from "../../provider/service/json";
import { wordsOf as wordsOfBody } from "../../provider/service/error-text";

const wordsOf = (body: string): string => wordsOfBody(readJson(body));

describe("The service's message", () => {
  it("contains no terminal control characters", () => {
    assert.equal(wordsOf(JSON.stringify({ message: "\u001b[31mred\u0007" })), "[31mred");
  });

  it("shows the details of a 422 as `field: message`", () => {
    const detail = [
      { loc: ["body", "events", 0], msg: "Input should be 'message.created'", type: "enum", input: "x" },
      { loc: ["query", "page_size"], msg: "Too large", type: "less_than" },
      { loc: ["body"], msg: "Field required", type: "missing" },
      { loc: [], msg: "Wrong", type: "value_error" },
    ];
    assert.equal(
      wordsOf(JSON.stringify({ detail })),
      "events.0: Input should be 'message.created'; query.page_size: Too large; Field required; Wrong",
    );
  });

  for (const body of [
    { detail: "It is so." },
    { message: "It is so." },
    { error: "It is so." },
    { detail: { message: "It is so." } },
    { error: { message: "It is so.", code: 7 } },
    { code: "x", message: "It \n is\tso. " },
  ])
    it(`is found in ${JSON.stringify(body)}`, () => {
      assert.equal(wordsOf(JSON.stringify(body)), "It is so.");
    });

  it("is otherwise the beginning of the body on one line", () => {
    assert.equal(wordsOf("<h1>Bad\n  Gateway</h1>\n"), "<h1>Bad Gateway</h1>");
    assert.equal(wordsOf(JSON.stringify({ reason: "unknown" })), '{"reason":"unknown"}');
    assert.equal(wordsOf(""), "");
    const long = wordsOf("word ".repeat(10_000));
    assert.ok(long.length <= 301 && long.endsWith("…"));
  });

  it("with thousands of fields is cut", () => {
    const detail = Array.from({ length: 2_000 }, (_, index) => ({ loc: ["body", index], msg: "a wrong value" }));
    const words = wordsOf(JSON.stringify({ detail }));
    assert.ok(words.startsWith("0: a wrong value; 1: a wrong value; ") && words.length <= 2_001, words);
  });

  it("is not shown from a body of unknown shape that may hold records", () => {
    for (const body of [JSON.stringify({ existing: { name: "Ada Lovelace" } }), "<pre>Ada Lovelace</pre>"])
      assert.equal(wordsOfBody(readJson(body), [], true), "");
  });
});
