import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { lookups } from "../../provider/registry";
import { operations } from "../../provider/service/operations";

const root = path.resolve(__dirname, "../..");

function sourcesUnder(folder: string): string {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !/^operation(s|-ids)\.ts$/.test(file))
    .map((file) => readFileSync(path.join(root, folder, file), "utf8"))
    .join("\n");
}

describe("A program can call", () => {
  it("every documented operation, and the launch of coding sessions, through a resource or a look-up", () => {
    const sources = ["provider/resources", "provider/lookups", "provider/service"].map(sourcesUnder).join("\n");
    const documented = Object.entries(operations).flatMap(([id, operation]) => (operation.documented ? [id] : []));
    // Also documented, except for its path.
    const unused = [...documented, "codingSession.launch"].filter((id) => !sources.includes(`"${id}"`));
    assert.deepEqual(unused, []);
  });

  it("every look-up, each with its section in the docs", () => {
    const page = readFileSync(path.join(root, "docs/reference/lookups.md"), "utf8");
    for (const { name } of lookups) {
      assert.match(page, new RegExp(`^## ${name}\n`, "m"));
    }
  });
});
