/** `ts-node tools/check/words [path…]`: sentences, names and commit subjects against the rules of this project. */
import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { markdownTexts } from "./markdown";
import { nameFaults, sentenceFaults, subjectFaults } from "./rules";
import { sentencesIn, type Text } from "./text";
import { sourceOf } from "./typescript";

const roots = [
  ...["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", ".github", "docs", "examples"],
  ...["provider", "cli", "policy", "simulator", "plugin", "tools", "bench", "test"],
];

/** Before this, subjects had no limit. */
const firstSubject = "2026-11-19T23:00:00Z";

/** One line for each fault: file, line, rule, sentence. */
export async function wordFaults(checkout: string, only: readonly string[] = []): Promise<string[]> {
  const files: string[] = [];
  for (const root of only.length === 0 ? roots : only) files.push(...(await filesIn(checkout, root)));
  const faults: string[] = [];
  for (const file of files) faults.push(...fileFaults(file, await readFile(path.join(checkout, file), "utf8")));
  return [...faults, ...(only.length === 0 ? await commitFaults(checkout) : [])];
}

/** The path, relative to the checkout, decides what is read as prose. */
export function fileFaults(file: string, content: string): string[] {
  if (file.endsWith(".md")) return prose(file, markdownTexts(content));
  const { comments, strings, titles, names } = sourceOf(file, content);
  return [
    ...prose(file, [...comments, ...titles, ...(/^(test|bench|examples)\//.test(file) ? [] : strings)]),
    ...names.flatMap(({ line, text }) => nameFaults(text).map((fault) => `${file}:${String(line)}: ${fault}`)),
  ];
}

function prose(file: string, texts: readonly Text[]): string[] {
  return texts.flatMap(({ line, text }) =>
    sentencesIn(text).flatMap((sentence) =>
      sentenceFaults(sentence).map((fault) => `${file}:${String(line)}: ${fault}: ${sentence}`),
    ),
  );
}

/** Files of prose and code, without what is installed or generated. */
async function filesIn(checkout: string, file: string): Promise<string[]> {
  if (/(^|\/)(node_modules|dist|sdk|venv)$/.test(file)) return [];
  if (!(await stat(path.join(checkout, file))).isDirectory()) return /\.(md|[cm]?[jt]s)$/.test(file) ? [file] : [];
  const names = (await readdir(path.join(checkout, file))).toSorted();
  return (await Promise.all(names.map((name) => filesIn(checkout, path.posix.join(file, name))))).flat();
}

/** None in a package or a copy without history. */
async function commitFaults(checkout: string): Promise<string[]> {
  const args = [`--git-dir=${path.join(checkout, ".git")}`, "log", "--no-merges", `--since=${firstSubject}`, "-200"];
  const read = promisify(execFile)("git", [...args, "--format=%h %s"]);
  const { stdout } = await read.catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const [hash = "", ...words] = line.split(" ");
    return subjectFaults(words.join(" ")).map((fault) => `commit ${hash}: ${fault}: ${words.join(" ")}`);
  });
}

async function main(): Promise<void> {
  const faults = await wordFaults(path.resolve(__dirname, "../../.."), process.argv.slice(2));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

if (require.main === module) void main();
