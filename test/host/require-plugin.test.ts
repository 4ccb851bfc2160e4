import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { mayFindPlugin } from "../../provider/pulumi/require-plugin";

const lines =
  "plugins:\n  providers:\n    - name: workspace-apps\n      path: node_modules/pulumi-workspace-apps/plugin\n";

describe("The plugin", () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "require-plugin-"))));
  afterEach(() => rm(folder, { recursive: true }));

  async function isFound(files: Record<string, string>): Promise<boolean> {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const environment = { PULUMI_HOME: join(folder, "home"), PATH: ["/nowhere", join(folder, "bin")].join(delimiter) };
    return mayFindPlugin(folder, environment);
  }

  const json = { name: "tested", plugins: { providers: [{ name: "workspace-apps", path: "p" }] } };
  const project = "name: workspace-apps\nruntime: nodejs\n";
  const cases: [title: string, files: Record<string, string>, expected: boolean][] = [
    ["found at the end of Pulumi.yaml", { "Pulumi.yaml": `${project}${lines}` }, true],
    ["found at the start of Pulumi.yml", { "Pulumi.yml": `${lines}${project}` }, true],
    ["found with quotes", { "Pulumi.yaml": lines.replace("workspace-apps", '"workspace-apps"') }, true],
    ["found in JSON", { "Pulumi.json": JSON.stringify(json) }, true],
    [
      "found where it is installed",
      { "Pulumi.yaml": project, "home/plugins/resource-workspace-apps-v0.1.0/x": "" },
      true,
    ],
    ["found on PATH", { "Pulumi.yaml": project, "bin/pulumi-resource-workspace-apps": "" }, true],
    ["not missed where there is no project file", {}, true],
    ["missed where only the project has its name", { "Pulumi.yaml": project }, false],
    [
      "missed where only another plugin is named",
      { "Pulumi.yaml": lines.replaceAll("workspace-apps", "other") },
      false,
    ],
    [
      "missed where only another plugin is installed",
      { "Pulumi.yaml": project, "home/plugins/resource-aws-v1.0.0/x": "" },
      false,
    ],
  ];
  for (const [title, files, expected] of cases)
    it(`is ${title}`, async () => {
      assert.equal(await isFound(files), expected);
    });
});
