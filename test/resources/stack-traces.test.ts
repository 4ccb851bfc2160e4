import assert from "node:assert/strict";
import { shortTraces } from "../../provider/pulumi/traces";
import { filesOf, tracedBy } from "../support/traces";

const sdk = "/app/node_modules/@pulumi/pulumi/resource.js";
const runner = "/app/node_modules/@pulumi/pulumi/cmd/run/run.js";
const loader = "node:internal/modules/cjs/loader";
const own = "/app/node_modules/pulumi-workspace-apps/dist/provider/resources/webhook/index.js";

/** The files that remain in a trace of these files while a resource is constructed. */
async function kept(...files: (string | undefined)[]): Promise<string[]> {
  const frames = files.map((file) => ({ getFileName: () => file }) as NodeJS.CallSite);
  let trace = "";
  await tracedBy(filesOf, () => {
    using _ = shortTraces();
    trace = (Error.prepareStackTrace as typeof filesOf)(new Error(), frames);
  });
  return trace.split("\n");
}

describe("The stack trace that is stored with a resource", () => {
  it("ends with the program, without the code that loaded and ran it", async () => {
    assert.deepEqual(await kept(sdk, own, "/app/index.js", loader, undefined, runner), [sdk, own, "/app/index.js"]);
  });

  it("keeps every line of the program, and the lines between them", async () => {
    const files = [sdk, "/app/hooks.js", "/app/node_modules/shop/index.js", loader, "/app/index.js"];
    assert.deepEqual(await kept(...files, loader, runner), files);
  });

  it("belongs to the program on Windows and in ES modules too", async () => {
    assert.deepEqual(await kept("C:\\app\\index.js", "C:\\app\\node_modules\\runner\\index.js"), ["C:\\app\\index.js"]);
    assert.deepEqual(await kept("file:///app/index.mjs", "file:///app/node_modules/runner/index.mjs"), [
      "file:///app/index.mjs",
    ]);
  });

  it("is unchanged when it contains no line of the program", async () => {
    const files = [sdk, own, "/app/node_modules/shop/index.js", "node:internal/process/task_queues"];
    assert.deepEqual(await kept(...files), files);
  });
});
