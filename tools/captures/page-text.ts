import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fixed } from "./pages";

/* The text in the picture of the simulator's page. Its pixels differ from one machine to the next, so this is compared. */

/** Kept beside this file when the picture is made. */
export interface PageText {
  /** A hash of the page's own files: another style is another picture, with the same text. */
  readonly sources: string;
  /** The lines that a person can read, without what differs in every run. */
  readonly lines: readonly string[];
}

const pageFolder = resolve(__dirname, "..", "..", "simulator", "page");
export const pageTextFile = join(__dirname, "simulator-page.json");

export async function savedPageText(): Promise<PageText> {
  return JSON.parse(await readFile(pageTextFile, "utf8")) as PageText;
}

/** Changes with every change of the page's files. */
export async function sourcesOfPage(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of ["page.html", "page.css", "page.js"]) hash.update(await readFile(join(pageFolder, name)));
  return hash.digest("hex");
}

/** The lines that a person can read, with a word in the place of each time and duration. */
export function linesOf(text: string): string[] {
  return fixed(text)
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, "DATE")
    .replaceAll(/\d{2}:\d{2}:\d{2}(\.\d+)?/g, "TIME")
    .replaceAll(/\b[\d.,]+ (ms|s)\b/g, "DURATION")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
