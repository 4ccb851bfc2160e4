import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { version } from "../../package.json";
import { linkExamples } from "../../tools/demo/link-examples";

const examples = path.resolve(__dirname, "../../examples");

/** The folders of plugins that a project names. */
async function pluginsOf(example: string): Promise<string[]> {
  const text = await readFile(path.join(examples, example, "Pulumi.yaml"), "utf8").catch(() => "{}");
  const { plugins } = parse(text) as { plugins?: { providers: { path: string }[] } };
  return plugins?.providers.map((plugin) => path.join(examples, example, plugin.path)) ?? [];
}

describe("Linking the examples", () => {
  it("lets npx find this checkout's own command in them, so that it does not download another package", async () => {
    await linkExamples();
    const { stdout } = await promisify(execFile)("npx", ["--no", "--", "workspace-apps", "--version"], {
      cwd: path.join(examples, "gitops"),
    });
    assert.equal(stdout, `${version}\n`);
  });

  it("lets Pulumi find this checkout's plugin where a project names it", async () => {
    await linkExamples();
    const plugins = (await Promise.all((await readdir(examples)).map(pluginsOf))).flat();
    assert.ok(plugins.length >= 2);
    for (const plugin of plugins) await access(path.join(plugin, "pulumi-resource-workspace-apps"));
  });
});
