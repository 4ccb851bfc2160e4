import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { plotFiles } from "../plots/plots";
import { referenceFolder, referencePages } from "../reference/generate";
import { schemaFile, schemaText } from "../schema/generate";
import { pagesWithTables } from "../tables/pages";

const checkout = resolve(__dirname, "..", "..");

/** The files of the repository that are made from others: the text of each by its path. */
const generators = {
  reference: referencePages,
  tables: pagesWithTables,
  plots: plotFiles,
  schema: () => Promise.resolve(new Map([[schemaFile, schemaText()]])),
} satisfies Record<string, () => Promise<Map<string, string>>>;

export type Generator = keyof typeof generators;

export const generatorNames = Object.keys(generators) as Generator[];

/** The files that differ from what the sources say now, with the text that they should have. A page may have to go. */
export async function outdatedFiles(generator: Generator): Promise<Map<string, string | undefined>> {
  const wanted = await generators[generator]();
  const files = new Set([...wanted.keys(), ...(generator === "reference" ? await pagesIn(referenceFolder) : [])]);
  const outdated = new Map<string, string | undefined>();
  for (const file of files) {
    const present = await readFile(join(checkout, file), "utf8").catch(() => undefined);
    if (present !== wanted.get(file)) outdated.set(file, wanted.get(file));
  }
  return outdated;
}

async function pagesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(checkout, folder), { recursive: true });
  return names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
}
