import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { declared } from "../support/campaigns";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { type PostgresServer, startPostgres } from "../support/postgres";

describe("State in PostgreSQL", () => {
  const { simulator, project } = onSimulator();
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.close());

  /** The rows that the backend stores under a folder. */
  const kept = (folder: string): Promise<string[]> =>
    postgres.query(`SELECT key FROM state WHERE key LIKE '%.pulumi/${folder}/%'`);

  it("stays locked after a kill until it is cancelled; then another checkout finishes the launch, and the first destroys it", async () => {
    const stack = await project(programOf("AdCampaign", declared), {
      backend: "postgres:///postgres?table=state",
      environment: postgres.environment,
    });
    const colleague = await stack.copy();
    await killDuring({ stack, simulator }, "up", "cli", { operation: "campaign.launch", commit: true, then: "hang" });
    assert.equal((await kept("locks")).length, 1);
    assertFailed(await colleague.up(), /the stack is currently locked by 1 lock\(s\).*`pulumi cancel`/);
    assertDone(await colleague.preview(), { create: 1 });
    assertDone(await colleague.pulumi("cancel", "--yes", "dev"));
    assert.deepEqual(await kept("locks"), []);

    const up = await colleague.upAsText();
    assertDone(up);
    assert.ok(!up.output.includes(postgres.password));
    assert.equal(simulator.objects.launches(declared.appId).length, 1);
    const stacks = await kept("stacks");
    assert.ok(
      stacks.some((key) => key.endsWith(".pulumi/stacks/tested/dev.json")),
      stacks.join(),
    );
    assert.deepEqual(await readdir(path.join(stack.folder, "state")), []);
    assert.deepEqual(
      (await stack.stored("AdCampaign")).map(({ outputs }) => outputs?.["launchState"]),
      ["confirmed"],
    );

    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([await colleague.stored(), await kept("locks")], [[], []]);
    // In the URL it would appear in the error.
    stack.environment["PGPORT"] = "9";
    const unreachable = await stack.preview();
    assertFailed(unreachable, /unable to open state database/);
    assert.ok(!unreachable.output.includes(postgres.password));
  });
});
