import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { operations } from "../../provider/service/operations";
import { citedFiles, faultsOf, type Row, rowsIn, type Titles, titlesIn } from "../support/specification-coverage";

const file = path.join(__dirname, "../fixtures/specification-coverage.jsonl");

describe("The specification's coverage", () => {
  let rows: Row[];
  let titles: Titles;
  before(async () => {
    rows = rowsIn(await readFile(file, "utf8"));
    titles = await titlesIn(citedFiles(rows));
  });

  it("lists for every rule where it is implemented and an existing test, or why not", () => {
    assert.deepEqual(faultsOf(rows, titles), []);
  });

  it("has rows for every section and every documented endpoint", () => {
    const sections = new Set(rows.map(({ section }) => section));
    const chapters = new Set([...sections].map((section) => section.split(": ")[0]));
    assert.deepEqual(
      [...chapters],
      [
        "Introduction",
        "What the service does",
        "Resources and their fields",
        "States and transitions",
        "Endpoints",
        "Authentication",
        "Events",
        "Errors",
        "Limits",
        "Versioning",
      ],
    );
    for (const { documented, endpoint } of Object.values(operations))
      if (documented) assert.ok(sections.has(`Endpoints: ${endpoint}`), endpoint);
  });

  it("gets titles from mocha itself, including titles that are generated from a table", () => {
    const found = titles.get("test/service/limits.test.ts");
    for (const [limit, isTitle] of [
      ["300", true],
      ["301", false],
    ] as const) {
      const title = `The documented limit of test.delete, ${limit} a minute, is kept before the service has to refuse`;
      assert.equal(found?.has(title), isTitle);
    }
  });

  describe("is reported as wrong", () => {
    const cited = "test/tools/specification-coverage.test.ts";
    const title = "The specification's coverage has rows for every section and every documented endpoint";
    const known: Titles = new Map([[cited, new Set([title])]]);
    const good: Row = {
      section: "Section",
      rule: "A rule",
      where: ["provider/index.ts"],
      tests: [`${cited}: ${title}`],
    };
    const reason = "only the service could";

    it("for no row that has a place and a test, or a reason", () => {
      const more: Row = { ...good, rule: "Another", where: ["provider/index.ts", "simulator/index.ts"] };
      const other: Row = { section: "Section", rule: "A third", notApplicable: reason };
      assert.deepEqual(faultsOf([good, more, other], known), []);
    });

    for (const [name, row, fault] of [
      ["without a test", { ...good, tests: [] }, "needs a rule, a place and a test"],
      ["without a place", { ...good, where: [] }, "needs a rule, a place and a test"],
      ["with another key", { ...good, status: "postponed" } as Row, "has an unknown key: status"],
      ["whose place is not a path", { ...good, where: ["the client"] }, "names no place: the client"],
      ["whose place does not exist", { ...good, where: ["provider/gone.ts"] }, "there is no provider/gone.ts"],
      ["whose test is not a citation", { ...good, tests: ["by hand"] }, "names no test: by hand"],
      ["whose test file does not exist", { ...good, tests: ["test/gone.test.ts: x"] }, "there is no test/gone.test.ts"],
      ["whose test has another title", { ...good, tests: [`${cited}: x`] }, `${cited} has no test "x"`],
      [
        "whose second test has another title",
        { ...good, tests: [`${cited}: ${title}`, `${cited}: x`] },
        `${cited} has no test "x"`,
      ],
      [
        "that is not applicable without a reason",
        { section: "Section", rule: "A rule", notApplicable: "-" },
        "does not say why it is not applicable",
      ],
      [
        "that is not applicable, and has a test",
        { ...good, notApplicable: reason },
        "is not applicable, and yet has a place or a test",
      ],
    ] as const satisfies readonly (readonly [string, Row, string])[])
      it(`for a row ${name}`, () => {
        assert.deepEqual(faultsOf([row], known), [`Section: A rule: ${fault}`]);
      });

    it("for a row that occurs twice, and not for the same rule in another section", () => {
      assert.deepEqual(faultsOf([good, good], known), ["Section: A rule: is there twice"]);
      assert.deepEqual(faultsOf([good, { ...good, section: "Another" }], known), []);
    });
  });
});
