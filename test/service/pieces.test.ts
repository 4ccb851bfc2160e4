import assert from "node:assert/strict";
import fc from "fast-check";
import { type Body, readJson } from "../../provider/service/json";
import { pieceSize, piecesOf, readPieces } from "../../provider/service/pieces";

/** A body read in pieces, and how often others had their turn meanwhile. */
function read(text: string, bounds: { pieceSize?: number; mostValues?: number } = {}): { body: Body; turns: number } {
  const reading = readPieces(text, { mostValues: 1_000_000, ...bounds });
  for (let turns = 0; ; turns++) {
    const { done, value } = reading.next();
    if (done === true) return { body: value, turns };
  }
}

const problemOf = (text: string, bounds?: { mostValues?: number }): string | undefined => {
  const { body } = read(text, bounds);
  return "problem" in body ? body.problem : undefined;
};

/** JSON with what JSON.parse treats in a way of its own: odd names, names that come twice, spaces, odd numbers. */
const name = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "a", "b", "7", "", '"', "\\", "[", "},{"),
  fc.string({ maxLength: 4 }),
);
const space = fc.constantFrom("", "", " ", "\n\t", "    ");
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(
      fc.json({ maxDepth: 0 }),
      fc.constantFrom("1e999", "-1e5", "0.5", "9".repeat(400), '"\\u005b\\"]"', '"\\\\"'),
    ),
    fc
      .tuple(fc.array(tie("value"), { maxLength: 6 }), space)
      .map(([items, space]) => `[${items.join(`${space},`)}${space}]`),
    fc
      .tuple(fc.array(fc.tuple(name, tie("value")), { maxLength: 6 }), space)
      .map(
        ([fields, space]) =>
          `{${fields.map(([key, value]) => `${space}${JSON.stringify(key)}${space}:${value}`).join()}${space}}`,
      ),
  ),
})).value;

/** The same with one character more, less or other: mostly no JSON any more. */
const spoilt = fc
  .tuple(
    json,
    fc.nat(),
    fc.constantFrom("[", "]", "{", "}", ",", ":", '"', " ", "\\", "1", "e", "\u00a0"),
    fc.constantFrom("insert", "drop", "change"),
  )
  .map(([text, place, character, how]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + (how === "drop" ? "" : character) + text.slice(how === "insert" ? at : at + 1);
  });

describe("A body that is read in pieces", () => {
  it("is what it is in one go, whatever it is and wherever it is cut, and is refused where that is", () => {
    fc.assert(
      fc.property(fc.oneof(json, spoilt), fc.integer({ min: 1, max: 40 }), (text, pieceSize) => {
        fc.pre(text !== "");
        const { body } = read(text, { pieceSize });
        assert.deepEqual(body, readJson(text));
        // deepEqual says nothing of the order of fields.
        if ("json" in body) assert.equal(JSON.stringify(body.json), JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("has a field named __proto__ as any other, and of a name that comes twice the last value in the first place", () => {
    const filler = Array.from({ length: 20 }, (_, index) => `"k${String(index)}":[${"0,".repeat(20)}0]`).join();
    const text = `{"a":1,"__proto__":{"polluted":true},${filler},"a":2,"__proto__":[${"1,".repeat(50)}1]}`;
    const { body } = read(text, { pieceSize: 16 });
    assert.ok("json" in body);
    const made = body.json as object;
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
    assert.deepEqual(Object.keys(made).slice(0, 3), ["a", "__proto__", "k0"]);
    assert.equal(JSON.stringify(made), JSON.stringify(JSON.parse(text)));
  });

  it("lets others have their turn after each piece, at every depth", () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => `{"id":"row-${String(index)}","n":[${String(index)}]}`);
    const pieces = (text: string): number => Math.floor(text.length / pieceSize);
    for (const text of [
      `[${rows.join()}]`,
      `{"a":{"b":[[${rows.join()}]]}}`,
      `{${rows
        .slice(0, 10_000)
        .map((row, index) => `"k${String(index)}":${row}`)
        .join()}}`,
    ]) {
      const { body, turns } = read(text);
      assert.ok("json" in body);
      // Once to look through it, once to parse it.
      assert.ok(turns >= 2 * pieces(text) - 2, `${String(turns)} turns`);
    }
    assert.ok(read(`["${'\\"'.repeat(1_000_000)}"]`).turns >= 2_000_000 / pieceSize - 1, "in a long text too");
  });

  it("tells in which pieces its large lists came, and of which values nothing is large", () => {
    const row = `{"id":"${"x".repeat(1_000)}"}`;
    const { body } = read(`{"rows":[${`${row},`.repeat(999)}${row}],"small":[1,2]}`);
    assert.ok("json" in body);
    const { rows, small } = body.json as { rows: object[]; small: object };
    const ends = piecesOf(rows) ?? [];
    assert.equal(ends.at(-1), 1_000);
    const most = Math.ceil(pieceSize / row.length) + 1;
    for (const [index, end] of ends.entries()) assert.ok(end - (ends[index - 1] ?? 0) <= most, String(end));
    assert.deepEqual(
      [piecesOf(body.json as object), piecesOf(small), piecesOf(rows[0] ?? {})],
      [[], undefined, undefined],
    );
  });

  it("that goes on behind its end is no JSON", () => {
    const large = `[${"0,".repeat(pieceSize)}0]`;
    for (const text of [
      `${large},`,
      `${large},${large}`,
      `${large}${large}`,
      `${large}]`,
      `[${large}`,
      `{"a":1${large}}`,
    ])
      assert.equal(problemOf(text), "not JSON");
  });

  it("of more values than are allowed is not read, before any of them is made", () => {
    const text = `[${"{},".repeat(49_998)}{}]`;
    assert.equal(problemOf(text, { mostValues: 99_999 }), undefined);
    assert.equal(problemOf(text, { mostValues: 99_998 }), "more than 99998 values");
  });

  it("with an object of more fields than are handled in one go is not read", () => {
    const fields = (count: number): string =>
      `{${Array.from({ length: count }, (_, index) => `"field${String(index)}":0`).join()}}`;
    assert.equal(problemOf(fields(12_000)), undefined);
    assert.equal(problemOf(fields(12_001)), "an object of more than 12000 fields");
    assert.equal(problemOf(`{${'"again":0,'.repeat(50_000)}"again":0}`), undefined, "one field");
  });

  it("with a text or a gap of more than 4 MiB is not read", () => {
    const most = 4 * 1024 * 1024;
    assert.equal(problemOf(`["${"x".repeat(most - 1)}"]`), undefined);
    const gap = " ".repeat(most + 2 * pieceSize);
    const large = `[${"0,".repeat(pieceSize)}0]`;
    for (const text of [
      `["${"x".repeat(most)}"]`,
      `[${gap}]`,
      `${gap}${large}`,
      `[${gap}${large}]`,
      `{"a":${large}${gap}}`,
    ])
      assert.equal(problemOf(text), "a text of more than 4 MiB");
  });
});
