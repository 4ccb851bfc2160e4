import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { format } from "prettier";
import { type Section, sections } from "./tables";

const checkout = resolve(__dirname, "..", "..");

/** Writes every table into its page. Returns the pages that changed. */
export async function writeTables(): Promise<string[]> {
  const changed = await changedPages();
  for (const [page, text] of changed) await writeFile(join(checkout, page), text);
  return [...changed.keys()];
}

/** The pages whose tables are not what the code says, with the text that they should have. */
export async function changedPages(): Promise<Map<string, string>> {
  const changed = new Map<string, string>();
  for (const page of new Set(sections.map((section) => section.page))) {
    const text = await readFile(join(checkout, page), "utf8");
    const all = sections.filter((section) => section.page === page).reduce(withTable, text);
    const formatted = await format(all, { parser: "markdown", printWidth: 120 });
    if (formatted !== text) changed.set(page, formatted);
  }
  return changed;
}

function withTable(text: string, { page, name, markdown }: Section): string {
  const [begin, end] = [`<!-- begin generated: ${name} -->`, `<!-- end generated: ${name} -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`${page} has no place for the table "${name}": ${begin} … ${end}`);
  return `${text.slice(0, start + begin.length)}\n\n${markdown()}\n\n${text.slice(stop)}`;
}
