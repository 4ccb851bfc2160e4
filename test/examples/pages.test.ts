import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileOfExample } from "../support/examples";

/** The pages that show a program, and the files that they show. */
const pages: Record<string, { example: string; files: string[] }> = {
  "testing-programs.md": { example: "testing", files: ["index.ts", "mocks.test.ts", "simulator.test.ts"] },
  "automation-api.md": { example: "automation", files: ["index.ts"] },
};

describe("The code on a guide page", () => {
  for (const [page, { example, files }] of Object.entries(pages))
    it(`matches the example, on ${page}`, async () => {
      const text = await readFile(path.resolve(__dirname, "../../docs", page), "utf8");
      const shown = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
      const sources = await Promise.all(files.map((file) => readFile(fileOfExample(example, file), "utf8")));
      assert.ok(shown.length >= files.length);
      assert.deepEqual(
        shown.filter((code) => !sources.some((source) => source.includes(code))),
        [],
      );
    });
});
