import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");

/** A rule of the specification, where it is implemented, and the tests that show it. */
export interface Row {
  section: string;
  rule: string;
  /** Files of the package, or of the simulator for rules that only the service can apply. */
  where?: string[];
  /** `file: full title`, as mocha prints it. */
  tests?: string[];
  /** Instead of both, why nothing in this package could implement the rule. */
  notApplicable?: string;
}

/** One row a line, so that a change of one shows as one line. */
export function rowsIn(lines: string): Row[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

/** The full titles of the tests of each file. */
export type Titles = ReadonlyMap<string, ReadonlySet<string>>;

/** The problems of the rows, one line each. */
export function faultsOf(rows: readonly Row[], titles: Titles): string[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const name = `${row.section}: ${row.rule}`;
    const faults = seen.has(name) ? ["is there twice"] : [];
    seen.add(name);
    return [...faults, ...faultsIn(row, titles)].map((fault) => `${name}: ${fault}`);
  });
}

function faultsIn({ rule, where = [], tests = [], notApplicable, ...rest }: Row, titles: Titles): string[] {
  const unknown = Object.keys(rest).filter((key) => key !== "section");
  if (unknown.length > 0) return unknown.map((key) => `has an unknown key: ${key}`);
  if (notApplicable !== undefined) {
    if (where.length + tests.length > 0) return ["is not applicable, and yet has a place or a test"];
    return notApplicable.split(" ").length > 2 ? [] : ["does not say why it is not applicable"];
  }
  if (rule === "" || where.length === 0 || tests.length === 0) return ["needs a rule, a place and a test"];
  return [...where.flatMap(placeFaults), ...tests.flatMap((one) => citationFaults(one, titles))];
}

function placeFaults(file: string): string[] {
  if (!/^(?:provider|simulator)\/.+\.ts$/.test(file)) return [`names no place: ${file}`];
  return existsSync(path.join(checkout, file)) ? [] : [`there is no ${file}`];
}

function citationFaults(citation: string, titles: Titles): string[] {
  const { file, title } = testIn(citation) ?? {};
  if (file === undefined || title === undefined) return [`names no test: ${citation}`];
  if (!titles.has(file)) return [`there is no ${file}`];
  return titles.get(file)?.has(title) === true ? [] : [`${file} has no test "${title}"`];
}

function testIn(citation: string): { file: string; title: string } | undefined {
  const [, file, title] = /^(test\/\S+\.test\.ts): (.+)$/.exec(citation) ?? [];
  return file === undefined || title === undefined ? undefined : { file, title };
}

/** The existing test files that the rows cite. */
export function citedFiles(rows: readonly Row[]): string[] {
  const files = rows.flatMap(({ tests = [] }) => tests.map((citation) => testIn(citation)?.file ?? ""));
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
