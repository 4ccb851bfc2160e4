import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
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
    await writeFile(join(folder, "schema-workspace-apps.json"), "{}");
    assert.deepEqual(await built("export const one = 1;"), [0, ["made.js", "simulator"], ["built"]]);
    // Not the page's source code, nor the schema that Pulumi keeps beside the plugin.
    assert.deepEqual(await readdir(join(folder, "dist/simulator/page")), ["page.html"]);
    assert.ok(!(await readdir(folder)).includes("schema-workspace-apps.json"));
  });

  it("of the same sources is kept, unless somebody has changed it", async () => {
    const source = "export const one = 1;";
    const made = join(folder, "dist/made.js");
    const fileAfter = async (change?: () => Promise<void>): Promise<number> => {
      await change?.();
      await built(source);
      return (await stat(made)).ino;
    };
    const first = await fileAfter();
    assert.equal(await fileAfter(), first);
    assert.notEqual(await fileAfter(() => writeFile(made, "")), first);
    assert.match(await readFile(made, "utf8"), /one = 1/);
  });

  it("leaves the command executable, because npm makes it so only once, and npx runs it in a clone", async () => {
    await mkdir(join(folder, "cli"));
    await writeFile(join(folder, "cli/main.ts"), "export {};");
    await built('import "./cli/main";');
    assert.equal((await stat(join(folder, "dist/cli/main.js"))).mode & 0o111, 0o111);
  });

  it("that fails keeps the earlier one, for processes that use it", async () => {
    assert.deepEqual(await built("export const one: string = 1;"), [1, ["stale.js"], []]);
  });
});
