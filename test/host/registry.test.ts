import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import * as apps from "../../provider";
import { kindNames, kinds, lookups } from "../../provider/registry";
import runtime from "../../provider/runtime";

/** Loads a file in a process of its own, and returns every file that this loaded. */
async function filesLoadedBy(file: string): Promise<string[]> {
  const script = `require(${JSON.stringify(file)}); process.stdout.write(JSON.stringify(Object.keys(require.cache)))`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--require", "ts-node/register", "--eval", script], {
    cwd: path.resolve(__dirname, "../.."),
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as string[];
}

const ofSdk = (file: string): boolean => /[/\\]@pulumi[/\\]pulumi[/\\]/.test(file);

describe("The registry", () => {
  it("is loaded without a file of the Pulumi SDK, which would cost every command a second", async () => {
    const files = await filesLoadedBy("./provider/registry");
    assert.ok(files.some((file) => file.endsWith(path.normalize("webhook/lifecycle.ts"))));
    assert.deepEqual(files.filter(ofSdk), []);
    // The same way of looking finds the SDK where it is loaded.
    assert.ok((await filesLoadedBy("./provider")).some(ofSdk));
  });

  it("names every kind as its class, its lifecycle and the runtime do", () => {
    assert.deepEqual(
      kindNames.map((name) => [kinds[name].lifecycle.kind, typeof apps[name], typeof runtime[name].create]),
      kindNames.map((name) => [name, "function", "function"]),
    );
    assert.deepEqual(Object.keys(runtime).sort(), [...kindNames].sort());
  });

  it("has every look-up that programs can call, in both forms", () => {
    const functions = Object.keys(apps).filter((name) => /^[a-z]/.test(name));
    assert.deepEqual(functions.sort(), lookups.flatMap(({ name }) => [name, `${name}Output`]).sort());
  });
});
