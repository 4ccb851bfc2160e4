import assert from "node:assert/strict";
import { namesPlugin } from "../../provider/pulumi/require-plugin";

const lines =
  "plugins:\n  providers:\n    - name: workspace-apps\n      path: node_modules/pulumi-workspace-apps/plugin\n";

describe("The lines that name the plugin in Pulumi.yaml", () => {
  const named = {
    "at the end": `name: tested\nruntime: nodejs\n${lines}`,
    "at the start": `${lines}name: tested\n`,
    "as a list without indentation": lines.replaceAll(/^ {4}/gm, "  ").replace("plugins:", "\nplugins:"),
    "with quotes": lines.replace("workspace-apps", '"workspace-apps"'),
    "after a comment": lines.replace("providers:", "providers:\n# ours"),
    "in JSON": JSON.stringify({ name: "tested", plugins: { providers: [{ name: "workspace-apps", path: "p" }] } }),
    "in indented JSON": JSON.stringify({ plugins: { providers: [{ name: "workspace-apps" }] } }, null, 2),
  };
  for (const [title, text] of Object.entries(named))
    it(`are found ${title}`, () => {
      assert.ok(namesPlugin(text));
    });

  const missing = {
    "in comments": lines.replaceAll(/^/gm, "# "),
    "where only the name is in a comment": lines.replace("    - name", "#    - name"),
    "where the project has the name": `name: workspace-apps\nplugins:\n  providers:\n    - name: other\n`,
    "where the project has the name after them": `plugins:\n  providers:\n    - name: other\nname: workspace-apps\n`,
    "for a plugin with a longer name": lines.replace("workspace-apps", "workspace-apps-extra"),
  };
  for (const [title, text] of Object.entries(missing))
    it(`are not found ${title}`, () => {
      assert.ok(!namesPlugin(text));
    });
});
