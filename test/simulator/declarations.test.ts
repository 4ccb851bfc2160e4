import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { transpileDeclaration } from "typescript";

const folder = resolve(__dirname, "../../simulator");

/** The declaration files that a program loads with this one, and the packages that they import. */
function loadedWith(file: string, files = new Set<string>(), packages = new Set<string>()) {
  if (files.has(file)) return { files, packages };
  files.add(file);
  const { outputText } = transpileDeclaration(readFileSync(file, "utf8"), { fileName: file });
  for (const [, imported = ""] of outputText.matchAll(/(?:from |import\()"([^"]+)"/g))
    if (imported.startsWith(".")) loadedWith(`${join(file, "..", imported)}.ts`, files, packages);
    else packages.add(imported);
  return { files, packages };
}

describe("The simulator's declarations", () => {
  it("import no package, so that a program compiles without the types of zod or hono", () => {
    const { files, packages } = loadedWith(join(folder, "index.ts"));
    assert.deepEqual([...packages], []);
    assert.deepEqual([...files].map((file) => relative(folder, file)).sort(), [
      "../provider/service/operation-ids.ts",
      "credentials.ts",
      "index.ts",
      "server.ts",
      "types.ts",
    ]);
  });
});
