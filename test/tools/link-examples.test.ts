import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { version } from "../../package.json";
import { linkExamples } from "../../tools/demo/link-examples";

describe("Linking the examples", () => {
  it("lets npx find this checkout's own command in them, so that it does not download another package", async () => {
    await linkExamples();
    const { stdout } = await promisify(execFile)("npx", ["--no", "--", "workspace-apps", "--version"], {
      cwd: path.resolve(__dirname, "../../examples/gitops"),
    });
    assert.equal(stdout, `${version}\n`);
  });
});
