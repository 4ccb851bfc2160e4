import assert from "node:assert/strict";
import fc from "fast-check";
import { readJson } from "../../provider/service/json";
import { wordsOf } from "../../provider/service/error-text";

/** How a service may write a value that it received. */
const spelled: Record<string, (text: string) => string> = {
  unchanged: (text) => text,
  "as JSON": (text) => JSON.stringify(text),
  "as JSON with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "as JSON in ASCII": asciiJson,
  "as JSON in ASCII with escaped slashes": (text) => asciiJson(text).replaceAll("/", "\\/"),
  "URL-encoded": encodeURIComponent,
  "URL-encoded in lower case": (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  "form-encoded": (text) => new URLSearchParams({ "": text }).toString().slice(1),
};

function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The error text when the service repeats a text. */
function repeating(text: string, hidden: { secrets?: string[]; values?: unknown }): string {
  const body = JSON.stringify({ detail: [{ loc: ["body", "key"], msg: `wrong: ${text}!`, type: "x" }] });
  return wordsOf(readJson(body), hidden.secrets ?? [], { values: hidden.values });
}

describe("A value that the service repeats", () => {
  const key = '-----BEGIN KEY-----\nMIIE/vQ+ü  "x"\r\n-----END KEY-----\n';

  for (const [how, spell] of Object.entries(spelled))
    it(`is not shown ${how}, whether it was sent or is a secret, over several lines`, () => {
      for (const hidden of [{ values: { fields: { key } } }, { secrets: [key] }])
        assert.match(repeating(spell(key), hidden), /^key: wrong: "?\[(value|secret)\](\\n)?"?\s?!$/);
    });

  it("is not shown in any spelling, whatever it is", () => {
    const part = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(part, part, fc.constantFrom(...Object.values(spelled)), (before, after, spell) => {
        const value = `${before}Canary1${after}Canary2${before}`.toWellFormed();
        assert.doesNotMatch(repeating(spell(value), { values: [value] }), /Canary/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is not shown around a secret that is a substring of it", () => {
    const words = repeating("my diary token-123 is private", {
      secrets: ["token-123"],
      values: ["my diary token-123 is private"],
    });
    assert.equal(words, "key: wrong: [value]!");
  });

  it("is not searched for when it is very large: then the whole message is hidden", () => {
    const many = Array.from({ length: 201 }, (_, index) => `Canary${String(index)}`);
    for (const values of [many, ["Canary".repeat(20_000)]])
      assert.match(repeating("Canary7", { values }), /^\(message hidden: it may repeat submitted data\)$/);
    assert.equal(repeating("Canary7", { values: many.slice(1) }), "key: wrong: [value]!");
  });
});
