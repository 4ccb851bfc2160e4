import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findChromium } from "../../tools/browser/chromium";

describe("The browser for the tests of the simulator's page", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "workspace-apps-browser-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is the Chromium on PATH, under any of its names", async () => {
    const program = path.join(folder, "chromium-browser");
    await writeFile(program, "");
    assert.equal(findChromium([tmpdir(), folder].join(path.delimiter)), program);
  });

  it("is asked for with the command that installs it, if there is none", () => {
    assert.throws(() => findChromium(folder), /none of chromium, .* is on PATH\. Install it: apt-get install chromium/);
  });
});
