import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { samples, samplesOfPulumi } from "./samples";

const checkout = resolve(__dirname, "..", "..");
const place = /^(<!-- begin captured: (\S+) -->)$[^]*?^(<!-- end captured: \2 -->)$/gm;

/** The pages of the repository, each with these samples of output as they are today. */
export async function pagesWithSamples(captures = samples): Promise<Map<string, string>> {
  const captured = new Map<string, string>();
  for (const [name, capture] of Object.entries(captures)) captured.set(name, fixed(await capture()).trimEnd());
  const { stdout } = await promisify(execFile)("git", ["ls-files", "*.md"], { cwd: checkout });
  const pages = new Map<string, string>();
  for (const page of stdout.trimEnd().split("\n")) {
    const text = await readFile(join(checkout, page), "utf8");
    const [block] = uncaptured(text);
    if (block !== undefined)
      throw new Error(`${page} has a typed sample of output: capture "${block}", or write prose`);
    const withSamples = text.replaceAll(place, (old, begin: string, name: string, end: string) => {
      if (!(name in { ...samples, ...samplesOfPulumi })) throw new Error(`${page}: no capture is named "${name}"`);
      const sample = captured.get(name);
      return sample === undefined ? old : `${begin}\n\n\`\`\`text\n${sample}\n\`\`\`\n\n${end}`;
    });
    pages.set(page, withSamples);
  }
  return pages;
}

/** The same in every run: ports, durations, keys of launches and ids of webhooks are replaced. */
export function fixed(output: string): string {
  return output
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010")
    .replaceAll(/\b\d+ ms\b/g, "12 ms")
    .replaceAll(/-[0-9a-f]{12}\b/g, "-b59d45457776")
    .replaceAll(/\bwh_[0-9a-f]{17}\b/g, "wh_12a832fd8586a17ab");
}

/** Languages that people write. Blocks in others, or in none, show output. */
const sources = new Set(["js", "json", "mermaid", "python", "sh", "ts", "yaml"]);

/** The first lines of the blocks that show output and are not captured. */
export function uncaptured(page: string): string[] {
  const blocks = page.replaceAll(place, "").matchAll(/^( *)```(.*)\n(.*)[^]*?^\1```$/gm);
  return [...blocks].filter(([, , language = ""]) => !sources.has(language)).map(([, , , line = ""]) => line);
}
