import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pagesWithSamples } from "../captures/pages";
import { plotFiles } from "../plots/plots";
import { schemaFile, schemaText } from "../schema/generate";
import { pagesWithTables } from "../tables/pages";

const checkout = resolve(__dirname, "..", "..");

/** The files of the repository that are made from others: the text of each by its path. */
const generators = {
  tables: pagesWithTables,
  samples: () => pagesWithSamples(),
  plots: plotFiles,
  schema: () => Promise.resolve(new Map([[schemaFile, schemaText()]])),
} satisfies Record<string, () => Promise<Map<string, string>>>;

export type Generator = keyof typeof generators;

export const generatorNames = Object.keys(generators) as Generator[];

/** The files that differ from what the sources say now, with the text that they should have. */
export async function outdatedFiles(generator: Generator): Promise<Map<string, string>> {
  const outdated = new Map<string, string>();
  for (const [file, wanted] of await generators[generator]()) {
    const present = await readFile(join(checkout, file), "utf8").catch(() => undefined);
    if (present !== wanted) outdated.set(file, wanted);
  }
  return outdated;
}
