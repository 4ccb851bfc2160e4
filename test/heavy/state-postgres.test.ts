import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { declared } from "../support/campaigns";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, programOf, type PulumiProject } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { type PostgresServer, startPostgres } from "../support/postgres";

describe("State in PostgreSQL", () => {
  const { simulator, project } = onSimulator();
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.close());

  /** Each test has its own table, and so its own stacks. */
  let tables = 0;
  const table = (): string => `state_${String(tables)}`;
  beforeEach(() => {
    tables += 1;
  });

  const stackOf = (program: string): Promise<PulumiProject> =>
    project(program, { backend: `postgres:///postgres?table=${table()}`, environment: postgres.environment });
  const campaign = programOf("AdCampaign", declared);
  const launches = (): number => simulator.objects.launches(declared.appId).length;
  /** The backend's objects under a folder, one row each. */
  const kept = (folder: string): Promise<string[]> =>
    postgres.query(`SELECT key FROM ${table()} WHERE key LIKE '%.pulumi/${folder}/%'`);
  const locks = (): Promise<string[]> => kept("locks");
  const locked = /the stack is currently locked by 1 lock\(s\).*`pulumi cancel`/;

  it("keeps a stack through its whole lifecycle, and none of it in the checkout", async () => {
    const stack = await stackOf(campaign);
    const made = await stack.upAsText();
    assertDone(made);
    const stacks = await kept("stacks");
    assert.ok(
      stacks.some((key) => key.endsWith(".pulumi/stacks/tested/dev.json")),
      stacks.join(),
    );
    assert.deepEqual(await readdir(path.join(stack.folder, "state")), []);
    // Another checkout sees the same stack.
    const colleague = await stack.copy();
    assertDone(await colleague.destroy(), { delete: 1 });
    assert.deepEqual(await stack.stored(), []);
    assert.deepEqual(await locks(), []);
    assert.ok(!made.output.includes(postgres.password));
    // In the URL it would appear in the error.
    stack.environment["PGPORT"] = "9";
    const unreachable = await stack.preview();
    assertFailed(unreachable, /unable to open state database/);
    assert.ok(!unreachable.output.includes(postgres.password));
  });

  it("stays locked when a pipeline is killed, until it is cancelled; the next up finishes the launch", async () => {
    const killed = await stackOf(campaign);
    const next = await killed.copy();
    await killDuring({ stack: killed, simulator }, "up", "cli", {
      operation: "campaign.launch",
      commit: true,
      then: "hang",
    });
    assert.equal((await locks()).length, 1);
    assertFailed(await next.up(), locked);
    assertDone(await next.preview(), { create: 1 });
    assertDone(await next.pulumi("cancel", "--yes", "dev"));
    assert.deepEqual(await locks(), []);
    assertDone(await next.up());
    assert.equal(launches(), 1);
    assert.deepEqual(
      (await next.stored("AdCampaign")).map(({ outputs }) => outputs?.["launchState"]),
      ["confirmed"],
    );
  });
});
