import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureLanguage } from "../../tools/engine";
import { generatePythonSdk } from "../../tools/engine/python-sdk";
import { assertDone, PulumiProject } from "../../tools/harness/engine";
import { workFolder } from "../../tools/harness/installation";
import { pythonEnvironment } from "../../tools/harness/python";

/* A first build of the hosts takes minutes, and prints how long. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const buildTime = 30 * 60_000;
const baseUrl = "http://127.0.0.1:9";

/** What `pulumi stack output` shows. */
async function outputsOf(project: PulumiProject): Promise<unknown> {
  const { stdout } = await project.pulumi("stack", "output", "--json", "--show-secrets");
  return JSON.parse(stdout);
}

describe("Programs in YAML", () => {
  before(async function () {
    this.timeout(buildTime);
    await ensureLanguage("yaml", { say });
  });

  it("are previewed and applied", async () => {
    const program = (greeting: string): string =>
      `configuration:\n  name:\n    type: String\noutputs:\n  greeting: ${greeting} \${name}\n`;
    const config = { "tested:name": "Ada" };
    const project = await PulumiProject.create({ file: "Main.yaml", program: program("Hello"), baseUrl, config });
    assertDone(await project.preview());
    assertDone(await project.up());
    assert.deepEqual(await outputsOf(project), { greeting: "Hello Ada" });
    assertDone(await project.apply(program("Goodbye")));
    assert.deepEqual(await outputsOf(project), { greeting: "Goodbye Ada" });
    assertDone(await project.destroy());
  });
});

describe("Programs in Python", () => {
  let environment: Record<string, string>;
  let schemaFile: string;
  before(async function () {
    this.timeout(buildTime);
    schemaFile = path.join(await mkdtemp(path.join(workFolder(), "schema-")), "schema.json");
    await writeFile(schemaFile, JSON.stringify(schema));
    environment = await pythonEnvironment({ schemaFile, say });
  });

  it("are previewed and applied, with a generated SDK", async () => {
    const program = (greeting: string): string => `
from importlib.metadata import version
import pulumi
import pulumi_greetings as greetings

name = pulumi.Config().require("name")
pulumi.export("greeting", f"${greeting} {name}")
pulumi.export("tone", greetings.Tone.LOUD.value)
pulumi.export("sdk", version("pulumi_greetings"))
`;
    const config = { "tested:name": "Ada" };
    const options = { file: "__main__.py", program: program("Hello"), baseUrl, config, environment };
    const project = await PulumiProject.create(options);
    assertDone(await project.preview());
    assertDone(await project.up());
    assert.deepEqual(await outputsOf(project), { greeting: "Hello Ada", tone: "loud", sdk: "1.0.0" });
    assertDone(await project.apply(program("Goodbye")));
    assert.deepEqual(await outputsOf(project), { greeting: "Goodbye Ada", tone: "loud", sdk: "1.0.0" });
    assertDone(await project.destroy());
  });

  it("use an environment that is made once", async () => {
    const made = await stat(environment["VIRTUAL_ENV"] ?? "");
    const again = await pythonEnvironment({ schemaFile, say: (line) => assert.fail(line) });
    assert.deepEqual(again, environment);
    assert.equal((await stat(again["VIRTUAL_ENV"] ?? "")).ino, made.ino);
  });

  it("leave no environment behind that was not used for a week", async () => {
    const cache = path.dirname(environment["VIRTUAL_ENV"] ?? "");
    const unused = path.join(cache, "python-0000");
    const days = (count: number): number => Date.now() / 1000 - count * 24 * 60 * 60;
    for (const [age, isKept] of [
      [6, true],
      [8, false],
    ] as const) {
      await mkdir(unused, { recursive: true });
      await writeFile(path.join(unused, "complete"), "");
      await utimes(path.join(unused, "complete"), days(age), days(age));
      await pythonEnvironment({ schemaFile, say });
      assert.equal((await readdir(cache)).includes("python-0000"), isKept);
    }
  });

  it("get another environment for another schema", async () => {
    const other = path.join(path.dirname(schemaFile), "other.json");
    await writeFile(other, JSON.stringify({ ...schema, version: "1.0.1" }));
    const stop = (line: string): never => assert.fail(line);
    await assert.rejects(pythonEnvironment({ schemaFile: other, say: stop }), /installing Pulumi's Python SDK/);
  });
});

describe("The generator of Python SDKs", () => {
  it("reports what is wrong with a schema, and writes nothing", async () => {
    const { bin } = await ensureLanguage("python", { say });
    const folder = await mkdtemp(path.join(workFolder(), "schema-"));
    const file = path.join(folder, "schema.json");
    await writeFile(file, JSON.stringify({ ...schema, resources: { "greetings:index:Card": { properties: 1 } } }));
    const sdk = path.join(folder, "sdk");
    await assert.rejects(generatePythonSdk(bin, file, sdk), /properties/);
    await assert.rejects(readFile(path.join(sdk, "setup.py")), { code: "ENOENT" });
  });
});

/** A package with one enumeration, which needs no plugin. Without `supportPack` its SDK would have version 0.0.0. */
const schema = {
  name: "greetings",
  version: "1.0.0",
  meta: { supportPack: true },
  types: { "greetings:index:Tone": { type: "string", enum: [{ name: "Loud", value: "loud" }] } },
};
