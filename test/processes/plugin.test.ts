import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./support";

describe("The launcher of the plugin", () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "launcher-"))));
  afterEach(() => rm(folder, { recursive: true }));

  /** A package whose plugin only prints `printed`. */
  async function packageAt(place: string, printed: string): Promise<void> {
    const main = join(folder, place, "dist/provider/pulumi/packaged/main.js");
    await mkdir(dirname(main), { recursive: true });
    await writeFile(main, `process.stdout.write(${JSON.stringify(printed)})`);
    await writeFile(join(folder, place, "package.json"), "{}");
    await cp(join(root, "plugin"), join(folder, place, "plugin"), { recursive: true });
  }

  it("serves the package that the program imports, whatever plugin Pulumi.yaml names, and else its own", async () => {
    await packageAt("named", "named");
    await packageAt("shop/node_modules/pulumi-workspace-apps", "imported");
    const launcher = join(folder, "named/plugin/pulumi-resource-workspace-apps");
    const served = (cwd: string): string => execFileSync(process.execPath, [launcher], { cwd, encoding: "utf8" });
    assert.equal(served(join(folder, "shop")), "imported");
    assert.equal(served(folder), "named");
  });
});
