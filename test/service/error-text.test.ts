import assert from "node:assert/strict";
import fc from "fast-check";
import { readJson } from "../../provider/service/json";
import { wordsOf as wordsOfBody } from "../../provider/service/error-text";

const wordsOf = (body: string, ...rest: Tail<typeof wordsOfBody>): string => wordsOfBody(readJson(body), ...rest);
type Tail<F extends (...args: never) => unknown> = Parameters<F> extends [unknown, ...infer Rest] ? Rest : never;

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

  it("with thousands of fields is truncated to the allowed length, and the rest is not searched for values", () => {
    const detail = Array.from({ length: 2_000 }, (_, index) => ({ loc: ["body", index], msg: "wrong: kept-1" }));
    const values = Array.from({ length: 200 }, (_, index) => `kept-${String(index)}`);
    const words = wordsOf(JSON.stringify({ detail }), [], { values });
    assert.ok(words.startsWith("0: wrong: [value]; 1: wrong: [value]; ") && words.length === 2_001, words);
  });
});

describe("A secret", () => {
  it("is not shown in part when only the beginning of a body is searched, wherever that ends", () => {
    const long = Array.from({ length: 100 }, (_, index) => `s3cr${String(index)}`).join("-");
    // The second one starts again at every other position of the text.
    for (const secret of [long, "s3".repeat(200)])
      for (let shift = 0; shift < 100; shift++) {
        // Almost everything is replaced by short marks, so that the end of the searched text is shown.
        const text = "x".repeat(shift) + secret.repeat(60);
        assert.match(wordsOf(JSON.stringify({ detail: text }), [secret]), /^(x*(\[secret\])*)?…?$/);
      }
  });

  const token = fc
    .string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 9,
      maxLength: 400,
    })
    .filter((text) => !"[secret]…".includes(text));
  const around = fc.string({ maxLength: 320 });
  const bodies = (text: string): string[] => [
    text,
    JSON.stringify(text),
    JSON.stringify({ detail: text }),
    JSON.stringify({ error: { message: text } }),
    JSON.stringify({ headers: { authorization: text } }),
    JSON.stringify({ detail: [{ loc: ["header", "authorization"], msg: text, type: "value_error" }] }),
  ];

  it("is never shown, wherever the service repeats it", () => {
    fc.assert(
      fc.property(token, token, around, around, (one, other, before, after) => {
        for (const body of bodies(`${before} ${one} ${after} ${other}`)) {
          const words = wordsOf(body, [one, other]);
          for (const secret of [one, other]) {
            assert.ok(!words.includes(secret), body);
            assert.ok(!words.includes(JSON.stringify(secret).slice(1, -1)), body);
          }
        }
      }),
    );
  });

  it("is not shown in another JSON spelling", () => {
    for (const body of ['{"token": "abc/def-ghi"}', '{"token":"abc\\/def-ghi"}', '{"token":"\\u0061bc/def\\u002dghi"}'])
      assert.equal(wordsOf(body, ["abc/def-ghi"]), '{"token":"[secret]"}');
  });

  it("is not shown in part when the text is truncated", () => {
    for (let before = 250; before <= 310; before++)
      assert.doesNotMatch(wordsOf(`${"x".repeat(before)} token-1234567890`, ["token-1234567890"]), /tok|123/);
  });

  it("is not shown in part when another secret is a substring of it", () => {
    for (const secrets of [
      ["abcdef", "abcdef-ghijkl"],
      ["abcdef-ghijkl", "abcdef"],
    ])
      assert.equal(wordsOf("key abcdef-ghijkl, token abcdef", secrets), "key [secret], token [secret]");
  });

  it("that is not set redacts nothing", () => {
    assert.equal(wordsOf("plain words", ["token", ""]), "plain words");
  });
});

describe("A record's value", () => {
  const sent = { name: "Grace Hopper", age: 85, tags: ["navy", { rank: "Rear\nAdmiral" }], ok: true, x: "" };
  const values = /Grace|Hopper|85|navy|Rear|Admiral/;

  it("is not shown from a 422, which still names the fields", () => {
    const detail = [
      { loc: ["body", "name"], msg: "'Grace Hopper' is taken", type: "unique" },
      { loc: ["body", "age"], msg: "85 is above 80", type: "less_than" },
      { loc: ["body", "tags", 1, "rank"], msg: "Rear\nAdmiral is no rank of navy", type: "enum" },
    ];
    const words = wordsOf(JSON.stringify({ detail }), [], { values: sent, onlyKnownForms: true });
    assert.equal(
      words,
      "name: '[value]' is taken; age: [value] is above 80; tags.1.rank: [value] is no rank of [value]",
    );
  });

  it("is not shown from a message", () => {
    const words = wordsOf(JSON.stringify({ message: 'A record {"name": "Grace Hopper", "age": 85} exists' }), [], {
      values: sent,
    });
    assert.doesNotMatch(words, values);
    assert.match(words, /^A record .* exists$/);
  });

  it("is not shown from a body of unknown shape, which is hidden", () => {
    assert.equal(
      wordsOf(JSON.stringify({ existing: { name: "Ada Lovelace" } }), [], { values: sent, onlyKnownForms: true }),
      "",
    );
    assert.equal(wordsOf("<pre>Grace Hopper</pre>", [], { values: undefined, onlyKnownForms: true }), "");
  });

  it("that is short leaves the words around it readable", () => {
    const words = wordsOf(JSON.stringify({ message: "a is not an allowed grade" }), [], { values: { grade: "a" } });
    assert.equal(words, "[value] is not an allowed grade");
  });

  it("is never shown from a message, whatever it is", () => {
    const value = fc.string({ minLength: 4, maxLength: 60 }).filter((text) => text.trim().length >= 4);
    fc.assert(
      fc.property(value, fc.lorem(), (text, message) => {
        fc.pre(!message.includes(text.trim()) && !"[value]".includes(text.trim()));
        const body = { detail: [{ loc: ["body", "field"], msg: `${message}: ${text}!`, type: "x" }] };
        const words = wordsOf(JSON.stringify(body), [], { values: { nested: [{ text }] } });
        assert.ok(!words.includes(text.replace(/\s+/g, " ").trim()), words);
      }),
    );
  });
});
