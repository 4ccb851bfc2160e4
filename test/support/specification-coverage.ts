import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");

/** In the column of places: nothing here could implement the rule, and the next column says why. */
const notApplicable = "not applicable";

/** One row of a table: a rule of the specification, where it is implemented, and the tests that show it. */
export interface Row {
  section: string;
  /** Three, if the row is valid. */
  cells: string[];
}

export function rowsIn(markdown: string): Row[] {
  const rows: Row[] = [];
  let section = "";
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## ")) section = line.slice(3).trim();
    if (!line.startsWith("|") || /^\|[\s|:-]*$/.test(line)) continue;
    const cells = line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (cells[0] !== "Rule") rows.push({ section, cells });
  }
  return rows;
}

/** The full titles of the tests of each file. */
export type Titles = ReadonlyMap<string, ReadonlySet<string>>;

/** The problems of the rows, one line each. */
export function faultsOf(rows: readonly Row[], titles: Titles): string[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const name = `${row.section}: ${row.cells[0] ?? ""}`;
    const faults = seen.has(name) ? ["is there twice"] : [];
    seen.add(name);
    return [...faults, ...faultsIn(row, titles)].map((fault) => `${name}: ${fault}`);
  });
}

function faultsIn({ cells }: Row, titles: Titles): string[] {
  const [rule, places, shownBy] = cells;
  if (cells.length !== 3 || !rule || !places || !shownBy) return ["needs a rule, a place and what shows it"];
  if (places === notApplicable) return shownBy.split(" ").length > 2 ? [] : ["does not say why it is not applicable"];
  return [...listed(places).flatMap(placeFaults), ...listed(shownBy).flatMap((one) => citationFaults(one, titles))];
}

function listed(cell: string): string[] {
  return cell.split("<br>").map((item) => item.trim());
}

function placeFaults(place: string): string[] {
  const file = /^`((?:provider|simulator)\/[^`]+\.ts)`$/.exec(place)?.[1];
  if (file === undefined) return [`names no place: ${place}`];
  return existsSync(path.join(checkout, file)) ? [] : [`there is no ${file}`];
}

function citationFaults(citation: string, titles: Titles): string[] {
  const { file, title } = testIn(citation) ?? {};
  if (file === undefined || title === undefined) return [`names no test: ${citation}`];
  if (!titles.has(file)) return [`there is no ${file}`];
  return titles.get(file)?.has(title) === true ? [] : [`${file} has no test "${title}"`];
}

function testIn(citation: string): { file: string; title: string } | undefined {
  const [, file, title] = /^`(test\/[^`]+\.test\.ts)`: (.+)$/.exec(citation) ?? [];
  return file === undefined || title === undefined ? undefined : { file, title };
}

/** The existing test files that the rows cite. */
export function citedFiles(rows: readonly Row[]): string[] {
  const files = rows.flatMap(({ cells }) => listed(cells[2] ?? "").map((citation) => testIn(citation)?.file ?? ""));
  return [...new Set(files)].filter((file) => file !== "" && existsSync(path.join(checkout, file)));
}

interface DryRun {
  tests: { file: string; fullTitle: string }[];
}

/**
 * Gets the titles from mocha, because only mocha knows the titles that are generated from tables. No test runs. Without
 * the configuration, mocha does not set up the engine either.
 */
export async function titlesIn(files: readonly string[]): Promise<Titles> {
  const folder = await mkdtemp(path.join(tmpdir(), "titles-"));
  try {
    const output = path.join(folder, "titles.json");
    const mocha = require.resolve("mocha/bin/mocha.js");
    const options = ["--no-config", "--require", "ts-node/register", "--dry-run", "--reporter", "json"];
    await run(process.execPath, [mocha, ...options, "--reporter-option", `output=${output}`, ...files], {
      cwd: checkout,
      maxBuffer: 64 * 2 ** 20,
    });
    const { tests } = JSON.parse(await readFile(output, "utf8")) as DryRun;
    return new Map(files.map((file) => [file, new Set(tests.filter(isIn(file)).map(({ fullTitle }) => fullTitle))]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isIn(file: string): (test: { file: string }) => boolean {
  return (test) => test.file === path.join(checkout, file);
}
