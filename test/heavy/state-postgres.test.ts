import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { declared } from "../support/campaigns";
import { arrival, killDuring } from "../../tools/harness/crash";
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
  /** What the backend stores under a folder, one row each. */
  const kept = (folder: string): Promise<string[]> =>
    postgres.query(`SELECT key FROM ${table()} WHERE key LIKE '%.pulumi/${folder}/%'`);
  const locks = (): Promise<string[]> => kept("locks");
  const locked = /the stack is currently locked by 1 lock\(s\).*`pulumi cancel`/;

  it("keeps a stack through its whole lifecycle, and none of it in the checkout", async () => {
    const stack = await stackOf(campaign);
    assertDone(await stack.preview(), { create: 1 });
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
    assertDone(await colleague.preview("--expect-no-changes"));
    assertDone(await colleague.refresh("--expect-no-changes"));
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

  it("refuses a second up immediately while the first one runs, but not a preview", async () => {
    const first = await stackOf(campaign);
    const second = await first.copy();
    const moment = { operation: "campaign.launch", commit: true, then: "hold" } as const;
    simulator.fault(moment);
    const running = first.start("up");
    await arrival(running, simulator, moment);
    assertFailed(await second.up(), locked);
    assertFailed(await second.destroy(), locked);
    assertDone(await second.preview(), { create: 1 });
    assert.equal(await simulator.release(), 1);
    assertDone(await running.ended, { create: 1 });
    assertDone(await second.up(), { same: 1 });
    assert.equal(launches(), 1);
  });

  it("lets at most one of two simultaneous commands start, and launches once", async () => {
    const first = await stackOf(campaign);
    const second = await first.copy();
    const runs = await Promise.all([first.up(), second.up()]);
    // Each looks, writes its lock and looks again. If both see the other's lock, neither starts. One that sees a lock and
    // reads it after the other has taken it back reports it as not found.
    const refused = /the stack is currently locked by 1 lock\(s\)|locks\/[^"]*\.json"\) \(code=NotFound\)/;
    for (const run of runs) if (run.code !== 0) assertFailed(run, refused);
    const begun = runs.filter(({ code }) => code === 0).length;
    assert.ok(launches() <= 1, `${String(begun)} began`);
    assertDone(await second.up());
    assert.equal(launches(), 1);
    assert.deepEqual(await locks(), []);
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
    assertDone(await next.pulumi("cancel", "--yes", "dev"));
    assert.deepEqual(await locks(), []);
    assertDone(await next.up());
    assert.equal(launches(), 1);
    assertDone(await next.refresh("--expect-no-changes"));
    assert.deepEqual(
      (await next.stored("AdCampaign")).map(({ outputs }) => outputs?.["launchState"]),
      ["confirmed"],
    );
  });
});
