import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { format } from "prettier";
import { type Section, sections } from "./tables";

const checkout = resolve(__dirname, "..", "..");

/** The pages with tables, each with the tables that the code says. */
export async function pagesWithTables(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const page of new Set(sections.map((section) => section.page))) {
    const text = await readFile(join(checkout, page), "utf8");
    const all = sections.filter((section) => section.page === page).reduce(withTable, text);
    pages.set(page, await format(all, { parser: "markdown", printWidth: 120 }));
  }
  return pages;
}

function withTable(text: string, { page, name, markdown }: Section): string {
  const [begin, end] = [`<!-- begin generated: ${name} -->`, `<!-- end generated: ${name} -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`${page} has no place for the table "${name}": ${begin} … ${end}`);
  return `${text.slice(0, start + begin.length)}\n\n${markdown()}\n\n${text.slice(stop)}`;
}
