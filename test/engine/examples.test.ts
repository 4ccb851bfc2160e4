import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, PulumiProject } from "../support/engine";

const example = path.resolve(__dirname, "../../examples/campaign");

describe("The campaign example", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  /** The example's own files, with the packed tarball installed. */
  async function project(): Promise<PulumiProject> {
    const program = await readFile(path.join(example, "index.ts"), "utf8");
    const stack = await PulumiProject.create({ program, file: "index.ts", baseUrl: simulator.url });
    for (const file of ["Pulumi.yaml", "package.json", "tsconfig.json"])
      await copyFile(path.join(example, file), path.join(stack.folder, file));
    assertDone(await stack.pulumi("stack", "init", "dev"));
    return stack;
  }

  it("keeps to the cap, is paused until it is released, and protected while it runs", async () => {
    const statuses = (): string[] => simulator.objects.campaigns("app-shop").map(({ status }) => status);
    const stack = await project();
    assertFailed(await stack.preview("--config", "dailyBudget=25"), /dailyBudgetMicros .* is above the 20000000/);
    assertDone(await stack.up("--config", "dailyBudget=5"), { create: 1 });
    assert.deepEqual(statuses(), ["PAUSED"]);
    assertDone(await stack.up("--config", "released=true"), { update: 1 });
    assert.deepEqual(statuses(), ["ENABLED"]);
    assertFailed(await stack.destroy(), /protect/);
    assertDone(await stack.up("--config", "released=false"), { update: 1 });
    assert.deepEqual(statuses(), ["PAUSED"]);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(statuses(), ["REMOVED"]);
    assert.equal(simulator.objects.launches().length, 1);
  });
});
