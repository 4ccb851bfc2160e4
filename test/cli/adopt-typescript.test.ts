import assert from "node:assert/strict";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import { format, util } from "prettier";
import ts from "typescript";
import { columns, comment, statement, unreadable, type Value } from "../../cli/adopt/typescript";

const text = fc.oneof(
  fc.string({ maxLength: 90, size: "max" }),
  fc.string({ unit: "grapheme", maxLength: 60, size: "max" }),
  fc.string({ unit: fc.constantFrom(...Array.from("aß é日本語ㇰ한국🎉e\u0301")), maxLength: 60, size: "max" }),
  fc.constantFrom("", '"', "'", "\\", "\u2028", "*/", "${x}", "`", "\u0000", "\ud800", "日本語", "e\u0301"),
);
const names = text.filter((name) => name !== "__proto__");
const values = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.integer(), { maxLength: 40 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** The arguments that the statement passes, by running it. */
function argumentsOf(source: string): [string, unknown] {
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  let passed: [string, unknown] | undefined;
  const Recorder = function (name: string, args: unknown): void {
    passed = [name, args];
  };
  const program = runInThisContext(`(apps) => {${outputText}}`) as (apps: object) => void;
  program({ Resource: Recorder });
  return passed ?? assert.fail("nothing was declared");
}

describe("The source that workspace-apps adopt writes", () => {
  it("is what the formatter writes, and means the values", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.dictionary(names, values, { maxKeys: 4 }), async (name, properties) => {
        const source = `${statement("apps.Resource", name, properties)}\n`;
        assert.deepEqual(argumentsOf(source), [name, { ...properties }]);
        assert.equal(source, await format(source, { parser: "typescript" }));
      }),
      { numRuns: 500 },
    );
  });

  it("takes every character to be as wide as the formatter does, or escapes it", () => {
    const all = Array.from({ length: 0x110000 - 0x20 }, (_, index) => String.fromCodePoint(index + 0x20));
    const shown = all.filter((character) => character.replace(unreadable, "") !== "" && !/\p{Cs}/u.test(character));
    assert.ok(shown.length > 100_000);
    assert.deepEqual(
      shown.filter((character) => columns(character) !== util.getStringWidth(character)),
      [],
    );
    for (const several of ["👍🏽", "🇩🇪", "☎️", "1️⃣", "e\u0301", "ก็"])
      assert.equal(columns(several), util.getStringWidth(several), several);
  });

  it("stays within its comments, whatever they say", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (said) => {
        const lines = comment(said).join("\n");
        assert.ok(lines.split(/[\n\r\u2028\u2029]/).every((line) => line.startsWith("//")));
      }),
    );
  });
});
