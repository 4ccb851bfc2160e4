import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";

interface Transpiler {
  transpile(input: string, options: { fileName: string }): { outputText: string; sourceMapText?: string };
}

/* eslint-disable-next-line @typescript-eslint/no-require-imports -- ts-node loads it before it can load TypeScript */
const { create } = require("../../tools/transpiler") as {
  create: (options: { service: { config: { options: ts.CompilerOptions } }; folder: string }) => Transpiler;
};

describe("The TypeScript of tests and tools", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "transpiler-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const transpiled = (input: string, target = ts.ScriptTarget.ES2023, fileName = "/one.ts"): string =>
    create({ service: { config: { options: { target, module: ts.ModuleKind.Node16 } } }, folder }).transpile(input, {
      fileName,
    }).outputText;
  const kept = async (): Promise<string[]> => (await readdir(folder)).map((name) => join(folder, name));

  it("is compiled once", async () => {
    const first = transpiled("const one: number = 1;");
    assert.match(first, /^const one = 1;$/m);
    const [file = ""] = await kept();
    await writeFile(file, (await readFile(file, "utf8")).replace("one = 1", "one = 2"));
    assert.equal(transpiled("const one: number = 1;"), first.replace("one = 1", "one = 2"));
  });

  it("is compiled again when the file or a setting changes, and keeps one result for each file", async () => {
    transpiled("export const one = two ?? 1;");
    assert.match(transpiled("export const one = two ?? 3;"), /two \?\? 3/);
    assert.doesNotMatch(transpiled("export const one = two ?? 3;", ts.ScriptTarget.ES2018), /\?\?/);
    assert.equal((await kept()).length, 1);
    transpiled("export const one = 1;", ts.ScriptTarget.ES2023, "/other.ts");
    assert.equal((await kept()).length, 2);
  });

  it("is compiled again when the kept result is unreadable", async () => {
    const first = transpiled("const one: number = 1;");
    const [file = ""] = await kept();
    await writeFile(file, "{");
    assert.equal(transpiled("const one: number = 1;"), first);
  });
});
