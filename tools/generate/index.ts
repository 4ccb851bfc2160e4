/** `npm run tables`, `plots` and `schema`: writes the files of the repository that are made from others. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { generatorNames, outdatedFiles } from "./files";

const checkout = resolve(__dirname, "..", "..");

async function main(): Promise<void> {
  const generator = generatorNames.find((name) => name === process.argv[2]);
  if (generator === undefined) throw new Error(`give one of ${generatorNames.join(", ")}`);
  const outdated = await outdatedFiles(generator);
  for (const [path, text] of outdated) {
    const file = join(checkout, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  process.stdout.write(outdated.size === 0 ? "Nothing to change.\n" : `Changed: ${[...outdated.keys()].join(", ")}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`generate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
