import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { operations } from "../../provider/service/operations";
import { citedFiles, faultsOf, type Row, rowsIn, type Titles, titlesIn } from "../support/specification-coverage";

const page = path.join(__dirname, "../../docs/contributing/specification-coverage.md");

describe("The specification's coverage", () => {
  let rows: Row[];
  let titles: Titles;
  before(async () => {
    rows = rowsIn(await readFile(page, "utf8"));
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
    const file = "test/tools/specification-coverage.test.ts";
    const title = "The specification's coverage has rows for every section and every documented endpoint";
    const test = `\`${file}\`: ${title}`;
    const place = "`provider/index.ts`";
    const known: Titles = new Map([[file, new Set([title])]]);
    const faultsWith = (...lines: string[]): string[] =>
      faultsOf(
        rowsIn(["## Section", "", "| Rule | Where | Shown by |", "| --- | --- | --- |", ...lines].join("\n")),
        known,
      );

    it("for no row that has a place and a test, or is marked", () => {
      assert.deepEqual(
        faultsWith(
          `| One rule | ${place} | ${test} |`,
          `| Another | ${place}<br>\`simulator/index.ts\` | ${test}<br>${test} |`,
          "| A third | not applicable | only the service could |",
        ),
        [],
      );
    });

    for (const [what, line, fault] of [
      ["without a test", `| A rule | ${place} | |`, "needs a rule, a place and what shows it"],
      ["without a place", `| A rule | | ${test} |`, "needs a rule, a place and what shows it"],
      ["with an extra column", `| A rule | ${place} | ${test} | more |`, "needs a rule, a place and what shows it"],
      ["whose place is not a path", `| A rule | the client | ${test} |`, "names no place: the client"],
      ["whose place does not exist", `| A rule | \`provider/gone.ts\` | ${test} |`, "there is no provider/gone.ts"],
      ["whose test is not a citation", `| A rule | ${place} | by hand |`, "names no test: by hand"],
      [
        "whose test file does not exist",
        `| A rule | ${place} | \`test/gone.test.ts\`: x |`,
        "there is no test/gone.test.ts",
      ],
      ["whose test has another title", `| A rule | ${place} | \`${file}\`: x |`, `${file} has no test "x"`],
      [
        "whose second test has another title",
        `| A rule | ${place} | ${test}<br>\`${file}\`: x |`,
        `${file} has no test "x"`,
      ],
      [
        "that is not applicable without a reason",
        "| A rule | not applicable | - |",
        "does not say why it is not applicable",
      ],
      ["that is postponed", `| A rule | not yet: look-ups | ${test} |`, "names no place: not yet: look-ups"],
    ] as const)
      it(`for a row ${what}`, () => {
        assert.deepEqual(faultsWith(line), [`Section: A rule: ${fault}`]);
      });

    it("for a row that occurs twice, and not for the same rule in another section", () => {
      const line = `| A rule | ${place} | ${test} |`;
      assert.deepEqual(faultsWith(line, line), ["Section: A rule: is there twice"]);
      assert.deepEqual(faultsWith(line, "## Another", line), []);
    });
  });
});
