import assert from "node:assert/strict";
import fc from "fast-check";
import { wordsOf } from "../../provider/service/error-text";
import { readJson } from "../../provider/service/json";
import { hiddenText, hiding } from "../../provider/service/redaction";

/** How a service may write a value that it received. */
const spelled: Record<string, (text: string) => string> = {
  unchanged: (text) => text,
  "as JSON": (text) => JSON.stringify(text),
  "as JSON with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "as JSON in ASCII": asciiJson,
  "as JSON in ASCII with escaped slashes": (text) => asciiJson(text).replaceAll("/", "\\/"),
  "as JSON within JSON": (text) => JSON.stringify(JSON.stringify(text)),
  "URL-encoded": encodeURIComponent,
  "URL-encoded in lower case": (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  "form-encoded": (text) => new URLSearchParams({ "": text }).toString().slice(1),
  "on one line": (text) => text.replace(/\s+/g, " "),
};

function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Every form of an error body that can carry a text. */
const bodies: Record<string, (text: string) => string> = {
  "plain text": (text) => text,
  "a JSON text": (text) => JSON.stringify(text),
  "a message": (text) => JSON.stringify({ detail: text }),
  "a nested message": (text) => JSON.stringify({ error: { message: text } }),
  "a field of unknown JSON": (text) => JSON.stringify({ headers: { authorization: text } }),
  "a problem of a 422": (text) => JSON.stringify({ detail: [{ loc: ["body", "a"], msg: text, type: "x" }] }),
  "a field's name of a 422": (text) => JSON.stringify({ detail: [{ loc: ["body", text], msg: "wrong", type: "x" }] }),
};

const shown = (body: string, hidden: unknown): string => wordsOf(readJson(body), hidden);
/** Everything but the names of fields and the structure around them. */
const isHidden = /^((a|wrong|\(message hidden: it may repeat submitted data\))(: |$))+$/;

const url = "https://hooks.example.com/services/T0%2F1/B%20secret?key=Zm9v%2FYmFyLWJheg%3D%3D&v=2&bare-key-12345";

describe("A message that repeats a hidden value", () => {
  const key = '-----BEGIN KEY-----\nMIIE/vQ+ü  "x"\r\n-----END KEY-----\n';
  const values = { "a key of several lines": key, "a token": 'token-3f9a/+="\\x', "a name": "Grace Hopper" };

  for (const [what, value] of Object.entries(values))
    for (const [where, body] of Object.entries(bodies))
      it(`(${what}) is hidden as a whole in ${where}, in every spelling`, () => {
        for (const [how, spell] of Object.entries(spelled))
          assert.match(shown(body(`wrong: ${spell(value)}!`), [{ fields: { value } }]), isHidden, how);
      });

  it("is hidden whatever the value is", () => {
    const part = fc.string({ unit: "binary", maxLength: 20 });
    const [spelling, body] = [fc.constantFrom(...Object.values(spelled)), fc.constantFrom(...Object.values(bodies))];
    fc.assert(
      fc.property(part, part, spelling, body, fc.lorem(), (before, after, spell, bodyOf, around) => {
        const value = `${before}Canary1${after}Canary2${before}`.toWellFormed();
        assert.doesNotMatch(shown(bodyOf(`${around} ${spell(value)} ${around}`), [value]), /Canary/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is hidden wherever the excerpt ends", () => {
    for (let before = 250; before <= 310; before++)
      assert.equal(shown(`${"x".repeat(before)} token-1234567890`, ["token-1234567890"]), hiddenText);
  });

  const parts: [part: string, repeated: string, of?: string][] = [
    ["its path", "/services/T0%2F1/B%20secret"],
    ["its path without escapes", "/services/T0/1/B secret"],
    ["its path without the first slash", "services/T0%2F1/B%20secret"],
    ["its path as JSON with escaped slashes", "\\/services\\/T0%2F1\\/B%20secret"],
    ["its path and query", "/services/T0%2F1/B%20secret?key=Zm9v%2FYmFyLWJheg%3D%3D"],
    ["a query value", "Zm9v%2FYmFyLWJheg%3D%3D"],
    ["a query value without escapes", "Zm9v/YmFyLWJheg=="],
    ["a query value with lower-case escapes", "Zm9v%2fYmFyLWJheg%3d%3d"],
    ["a query without a name", "bare-key-12345"],
    ["a long segment of its path", "K123456789012345678901", "https://hooks.example.com/in/K123456789012345678901"],
    [
      "its path without the last slash",
      "/services/T01/key-123456",
      "https://hooks.example.com/services/T01/key-123456/?a=b",
    ],
    ["its fragment", "fragment-1", "https://hooks.example.com/#fragment-1"],
    ["its short path", "/a1B2c3", "https://hooks.example.com/a1B2c3"],
    [
      "its short path behind a host in lower case",
      "https://hooks.example.com/a1B2c3",
      "https://Hooks.Example.com/a1B2c3",
    ],
  ];
  for (const [part, repeated, of = url] of parts)
    it(`is hidden if that is a URL and it repeats ${part}`, () => {
      assert.equal(shown(JSON.stringify({ detail: `It refuses "${repeated}".` }), [of]), hiddenText);
    });

  it("is hidden for a short value only if that is a word of its own", () => {
    const hide = hiding({ age: 85, grade: "a", none: "" });
    for (const text of ["85 is above 80", "'a' is not an allowed grade"]) assert.equal(hide(text), hiddenText);
    for (const text of ["850 is above 80", "No grade", ""]) assert.equal(hide(text), text);
  });

  it("is hidden if there are too many values to search for, and if a field of unknown JSON may hold a secret", () => {
    const many = Array.from({ length: 501 }, (_, index) => `value-${String(index)}`);
    assert.equal(shown("Bad Gateway", many), hiddenText);
    assert.equal(shown("Bad Gateway", many.slice(1)), "Bad Gateway");
    for (const field of ["secret", "accessToken", "apiKey", "api_key", "connection_config"])
      assert.equal(shown(JSON.stringify({ webhook: { [field]: "unknown" } }), []), hiddenText);
  });
});

describe("A message that repeats no hidden value is shown", () => {
  const message = "GET /api/agents?a=b answers / for hooks.example.com, see v=2";
  for (const hidden of [
    [],
    ["", undefined, null, true],
    ["token"],
    ["https://hooks.example.com/"],
    ["https://hooks.example.com/?a=b"],
    [url],
  ])
    it(JSON.stringify(hidden), () => {
      assert.equal(shown(JSON.stringify({ message }), hidden), message);
    });

  it("beside a problem of another field that does", () => {
    const detail = [
      { loc: ["body", "name"], msg: "'Grace Hopper' is taken", type: "unique" },
      { loc: ["body", "age"], msg: "Field required", type: "missing" },
    ];
    assert.equal(shown(JSON.stringify({ detail }), ["Grace Hopper"]), `name: ${hiddenText}; age: Field required`);
  });
});
