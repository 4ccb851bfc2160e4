import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { contentFaults, linkFaults, pathFaults } from "../../tools/check/package-contents";

describe("The contents of the package", () => {
  const complete = {
    "CHANGELOG.md": "",
    "CONTRIBUTING.md": "",
    LICENSE: "",
    "README.md": "",
    "SECURITY.md": "",
    "plugin/pulumi-resource-workspace-apps": "#!/usr/bin/env node\n",
    "plugin/pulumi-resource-workspace-apps.cmd": "@echo off\r\n",
    "plugin/schema.json": "{}",
    "package.json": "{}",
    "dist/provider/index.js": "",
    "dist/provider/index.d.ts": "",
    "dist/simulator/page/page.css": "",
    "dist/simulator/page/page.html": "",
    "dist/simulator/page/page.js": "",
    "docs/images/review.png": "",
    "docs/reference/resources/webhook.md": "",
    "examples/quickstart/Pulumi.yaml": "",
    "examples/quickstart/index.ts": "",
    "examples/quickstart/package.json": "",
    "examples/quickstart/tsconfig.run.json": "",
    "examples/testing/mocks.test.ts": "",
    "examples/yaml/Main.yaml": "",
    "examples/python/__main__.py": "",
    "examples/python/requirements.txt": "",
    "examples/gitops/.gitlab-ci.yml": "",
    "examples/gitops/.github/workflows/stack.yml": "",
    "examples/gitops/policy/PulumiPolicy.yaml": "",
  };

  /** The problems of a package with these files. */
  async function faultsOf(
    files: (checkout: string) => Record<string, string>,
    modeOfLauncher = 0o755,
  ): Promise<string[]> {
    const checkout = await mkdtemp(path.join(tmpdir(), "package-contents-"));
    try {
      const written = Object.entries(files(checkout));
      for (const [file, text] of written) {
        await mkdir(path.dirname(path.join(checkout, file)), { recursive: true });
        await writeFile(path.join(checkout, file), text);
      }
      const modeOf = (file: string): number =>
        file === "plugin/pulumi-resource-workspace-apps" ? modeOfLauncher : 0o644;
      return await contentFaults({ files: written.map(([file]) => ({ path: file, mode: modeOf(file) })) }, checkout);
    } finally {
      await rm(checkout, { recursive: true, force: true });
    }
  }

  it("are the compiled code, the plugin, the documents and the examples", async () => {
    assert.deepEqual(await faultsOf(() => complete), []);
  });

  for (const missing of [
    "README.md",
    "SECURITY.md",
    "dist/simulator/page/page.html",
    "docs/images/review.png",
    "examples/quickstart/index.ts",
    "plugin/pulumi-resource-workspace-apps",
    "plugin/pulumi-resource-workspace-apps.cmd",
    "plugin/schema.json",
  ] as const)
    it(`must include ${missing}`, async () => {
      const { [missing]: _, ...rest } = complete;
      assert.deepEqual(await faultsOf(() => rest), [`${missing} is missing from the package`]);
    });

  const strangers = [
    "provider/index.ts",
    "dist/tools/check.js",
    "dist/provider/index.js.map",
    "dist/simulator/page/notes.html",
    "plugin/notes.md",
    "test/setup.ts",
    "docs/notes.txt",
    "docs/images/plot.svg",
    "docs/images/preview.png",
    "examples/node_modules/left/index.js",
    "examples/quickstart/node_modules/left/package.json",
    "examples/quickstart/Pulumi.dev.yaml",
    "examples/quickstart/package-lock.json",
    "examples/quickstart/.env",
    "examples/quickstart/.pulumi/stacks/dev.json",
    ".github/workflows/ci.yml",
  ];
  for (const stranger of strangers)
    it(`must not include ${stranger}`, async () => {
      assert.deepEqual(await faultsOf(() => ({ ...complete, [stranger]: "" })), [
        `${stranger} does not belong in the package`,
      ]);
    });

  it("must have an executable plugin", async () => {
    assert.deepEqual(await faultsOf(() => complete, 0o644), [
      "plugin/pulumi-resource-workspace-apps is not executable",
    ]);
  });

  it("must have the line ends of Windows in its batch file", async () => {
    const file = "plugin/pulumi-resource-workspace-apps.cmd";
    assert.deepEqual(await faultsOf(() => ({ ...complete, [file]: "@echo off\n" })), [
      `${file} has line ends other than CRLF`,
    ]);
  });

  it("must not mention the folder in which they were built", async () => {
    const faults = await faultsOf((checkout) => ({ ...complete, "docs/limits.md": `see ${checkout}/docs` }));
    assert.deepEqual(faults, ["docs/limits.md contains a path of this machine"]);
  });

  it("must not have a dead link", async () => {
    const faults = await faultsOf(() => ({ ...complete, "README.md": "[gone](docs/gone.md)" }));
    assert.deepEqual(faults, ["README.md: docs/gone.md leads to no file"]);
  });

  it("must not name a file that does not exist", async () => {
    const faults = await faultsOf(() => ({ ...complete, "README.md": "See `examples/quickstart/gone.ts`." }));
    assert.deepEqual(faults, ["README.md: examples/quickstart/gone.ts does not exist"]);
  });
});

describe("A link in a packed document", () => {
  const page = [
    "# The page",
    "## Twice",
    "## Twice",
    "### `up`: what, and when?",
    '<a id="old-name"></a>',
    "```sh",
    "# not a heading",
    "```",
  ].join("\n");

  const faultsOf = (text: string): string[] =>
    linkFaults(
      new Map([
        ["README.md", ""],
        ["docs/images/one.png", ""],
        ["docs/page.md", page],
        ["docs/more/from.md", text],
      ]),
    ).map((fault) => fault.replace("docs/more/from.md: ", ""));

  const good = [
    "[a](../page.md)",
    "[a](../page.md#twice)",
    "[a](../page.md#twice-1)",
    "[a](../page.md#up-what-and-when)",
    "[a](../page.md#old-name)",
    "[a](../../README.md)",
    "[a](..)",
    "[a](../images/)",
    "![a picture](../images/one.png)",
    '[a](../page.md "its title")',
    "## Here\n\n[a](#here)",
    "[a](https://example.com/gone.md)",
    "[a](mailto:somebody@example.com)",
    "`[a](gone.md)`",
    "```md\n[a](gone.md)\n```",
  ];
  for (const text of good)
    it(`may be ${JSON.stringify(text)}`, () => {
      assert.deepEqual(faultsOf(text), []);
    });

  const dead = {
    "[a](gone.md)": "gone.md leads to no file",
    "[a](../../provider/index.ts)": "../../provider/index.ts leads to no file",
    "[a](../../../outside.md)": "../../../outside.md leads to no file",
    "![a picture](../images/two.png)": "../images/two.png leads to no file",
    '<img src="two.png">': "two.png leads to no file",
    "[a]\n\n[a]: gone.md": "gone.md leads to no file",
    "An odd ` and [a](gone.md)\n\nAnother ` here": "gone.md leads to no file",
    "[a](../page.md#thrice)": "../page.md#thrice leads to no heading",
    "[a](../page.md#twice-2)": "../page.md#twice-2 leads to no heading",
    "[a](../page.md#not-a-heading)": "../page.md#not-a-heading leads to no heading",
    "[a](#here)": "#here leads to no heading",
  };
  for (const [text, fault] of Object.entries(dead))
    it(`must not be ${JSON.stringify(text)}`, () => {
      assert.deepEqual(faultsOf(text), [fault]);
    });
});

describe("A file of the repository that a document names in code", () => {
  const checkout = path.resolve(__dirname, "../..");
  const faultsOf = (text: string): string[] => pathFaults(new Map([["docs/page.md", text]]), checkout);

  const good = [
    "`test/setup.ts` and `provider/index.ts`",
    '```sh\nnpx mocha --require test/setup.ts "test/nightly/crash-campaign-*.test.ts"\n```',
    "`provider/*.ts`",
    "`provider/resources/<kind>/index.ts`",
    "`docs/images/`, `examples/gitops`",
    "`https://example.com/docs/gone.html`, `/api/test/gone.json`",
    "Not code: test/gone.test.ts",
  ];
  for (const text of good)
    it(`may be in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(faultsOf(text), []);
    });

  const gone = {
    "`test/gone.test.ts`": "test/gone.test.ts",
    "(`tools/check/gone.ts`)": "tools/check/gone.ts",
    '```sh\nnpx mocha "test/engine/crash-campaign-*.test.ts"\n```': "test/engine/crash-campaign-*.test.ts",
    '```mermaid\nflowchart TB\n  a["provider/gone.ts<br/>what it does"]\n```': "provider/gone.ts",
    "`gone/*.ts`, `docs/gone/*.md`": "docs/gone/*.md",
  };
  for (const [text, file] of Object.entries(gone))
    it(`must exist: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(faultsOf(text), [`docs/page.md: ${file} does not exist`]);
    });
});
