import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { savedPlots } from "./plots";

const folder = resolve(__dirname, "..", "..", "docs", "images");

/** Writes every plot. Returns the files that changed. */
export async function writePlots(): Promise<string[]> {
  const outdated = await outdatedPlots();
  for (const [file, svg] of outdated) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, svg);
  }
  return [...outdated.keys()];
}

/** The files whose plots are not what the benchmark saved, with the text that they should have. */
export async function outdatedPlots(): Promise<Map<string, string>> {
  const outdated = new Map<string, string>();
  for (const { name, svg } of savedPlots()) {
    const file = join(folder, `${name}.svg`);
    if ((await readFile(file, "utf8").catch(() => "")) !== svg) outdated.set(file, svg);
  }
  return outdated;
}
