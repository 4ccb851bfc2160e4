import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("A build", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "build-"));
    await mkdir(join(folder, "dist"));
    await writeFile(join(folder, "dist/stale.js"), "");
    await mkdir(join(folder, "simulator/page"), { recursive: true });
    for (const name of ["page.html", "serve.ts"]) await writeFile(join(folder, "simulator/page", name), "");
    const compilerOptions = { rootDir: ".", outDir: "dist", types: [], strict: true, noEmitOnError: false };
    await writeFile(join(folder, "tsconfig.build.json"), JSON.stringify({ compilerOptions, files: ["made.ts"] }));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The exit code, the content of dist/, and leftover files next to it. */
  async function built(source: string) {
    await writeFile(join(folder, "made.ts"), source);
    const { status } = spawnSync(process.execPath, [join(__dirname, "../../tools/build.js")], { cwd: folder });
    return [status, await readdir(join(folder, "dist")), await readdir(join(folder, ".cache"))];
  }

  it("replaces the earlier one completely, and leaves nothing behind", async () => {
    assert.deepEqual(await built("export const one = 1;"), [0, ["made.js", "simulator"], []]);
  });

  it("copies the simulator's page, but not its source code", async () => {
    await built("export const one = 1;");
    assert.deepEqual(await readdir(join(folder, "dist/simulator/page")), ["page.html"]);
  });

  it("removes the schema that Pulumi keeps beside the plugin", async () => {
    await writeFile(join(folder, "schema-workspace-apps.json"), "{}");
    await built("export const one = 1;");
    assert.ok(!(await readdir(folder)).includes("schema-workspace-apps.json"));
  });

  it("that fails keeps the earlier one, for processes that use it", async () => {
    assert.deepEqual(await built("export const one: string = 1;"), [1, ["stale.js"], []]);
  });
});
