import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileOfExample } from "../support/examples";

/** The files of examples that the guide to testing shows. */
const files = [
  ["testing", "index.ts"],
  ["testing", "mocks.test.ts"],
  ["testing", "simulator.test.ts"],
  ["automation", "index.ts"],
] as const;

describe("The code in the guide to testing", () => {
  it("matches the examples", async () => {
    const text = await readFile(path.resolve(__dirname, "../../docs/guides/testing.md"), "utf8");
    const shown = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
    const sources = await Promise.all(files.map(([example, file]) => readFile(fileOfExample(example, file), "utf8")));
    assert.ok(shown.length >= files.length);
    assert.deepEqual(
      shown.filter((code) => !sources.some((source) => source.includes(code))),
      [],
    );
  });
});
