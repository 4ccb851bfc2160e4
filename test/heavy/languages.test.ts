import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureLanguage } from "../../tools/engine";
import { generatePythonSdk } from "../../tools/engine/python-sdk";
import { workFolder } from "../../tools/harness/installation";
import { pythonEnvironment } from "../../tools/harness/python";
import { buildTime, programsIn, say, servedSchema } from "../support/languages";

programsIn("YAML", "example");
// The nightly tests run the rest: everything but the program is the same.
programsIn("Python", "example");

describe("The environment of Python programs", () => {
  let environment: Record<string, string>;
  let schemaFile: string;
  before(async function () {
    this.timeout(buildTime);
    schemaFile = await servedSchema();
    environment = await pythonEnvironment({ schemaFile, say });
  });

  it("is made once", async () => {
    const made = await stat(environment["VIRTUAL_ENV"] ?? "");
    const again = await pythonEnvironment({ schemaFile, say: (line) => assert.fail(line) });
    assert.deepEqual(again, environment);
    assert.equal((await stat(again["VIRTUAL_ENV"] ?? "")).ino, made.ino);
  });

  it("is removed when it was not used for a week", async () => {
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

  it("is another one for another schema", async () => {
    const other = path.join(await mkdtemp(path.join(workFolder(), "schema-")), "schema.json");
    await writeFile(other, JSON.stringify(greetings));
    const stop = (line: string): never => assert.fail(line);
    await assert.rejects(pythonEnvironment({ schemaFile: other, say: stop }), /installing Pulumi's Python SDK/);
  });
});

describe("The generator of Python SDKs", () => {
  it("reports what is wrong with a schema, and writes nothing", async () => {
    const { bin } = await ensureLanguage("python", { say });
    const folder = await mkdtemp(path.join(workFolder(), "schema-"));
    const file = path.join(folder, "schema.json");
    await writeFile(file, JSON.stringify({ ...greetings, resources: { "greetings:index:Card": { properties: 1 } } }));
    const sdk = path.join(folder, "sdk");
    await assert.rejects(generatePythonSdk(bin, file, sdk), /properties/);
    await assert.rejects(readFile(path.join(sdk, "setup.py")), { code: "ENOENT" });
  });
});

/** A package that needs no plugin. */
const greetings = { name: "greetings", version: "1.0.0" };
