import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Simulator, startSimulator } from "../../simulator";
import { killedOf, type Victim } from "../harness/crash";
import { type Command, PulumiProject, type Run } from "../harness/engine";
import { Chance } from "../simulate/chance";
import { drawFaults } from "./faults";
import { type Declared, drawChange, drawProgram, program } from "./programs";
import { asStored, heldBy } from "./service";

/** The results of all rounds. */
export interface Totals {
  rounds: number;
  commands: number;
  requests: number;
  /** Commands that failed and were repeated. */
  failed: number;
  kills: number;
  /**
   * Objects that a killed command created and no state contains: docs/operations/troubleshooting.md#interrupted-while-creating.
   */
  leftByKills: number;
}

export const noTotals: Totals = { rounds: 0, commands: 0, requests: 0, failed: 0, kills: 0, leftByKills: 0 };

/** A guarantee does not hold. */
export class Broken extends Error {}

/** Objects that are created a second time when the first creation was not saved. Others are found again. */
const mayBeOrphan = (id: string): boolean => /^(wh|rec|flow)_/.test(id);

type Name = "up" | "refresh" | "destroy";

/** Without faults, at most so many commands complete what a failed one started. */
const maxRepeats = 2;

/** Neither waits after an uncertain launch, and a short time-out for hanging requests. */
const environment = {
  WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0",
  WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "0",
  WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "2",
};

/** Plays a round in a project of its own, with a service of its own. */
export async function playRound(seed: number, totals: Totals): Promise<void> {
  const simulator = await startSimulator();
  try {
    const stack = await PulumiProject.create({ program, baseUrl: simulator.url, environment });
    await new Round(seed, stack, simulator, totals).play();
  } finally {
    await simulator.close();
  }
}

/**
 * One life of a stack: created, changed, refreshed after changes in the service, destroyed. Each command may meet
 * faults or be killed. It is then repeated without faults, as a person would do.
 */
class Round {
  private readonly chance: Chance;
  /** Objects that killed commands created. */
  private readonly orphans = new Set<string>();

  constructor(
    seed: number,
    private readonly stack: PulumiProject,
    private readonly simulator: Simulator,
    private readonly totals: Totals,
  ) {
    this.chance = new Chance(seed);
  }

  async play(): Promise<void> {
    const first = drawProgram(this.chance);
    await this.declare(first);
    await this.carryOut("up");
    this.assertHolds(first);
    const changed = drawChange(first, this.chance);
    await this.declare(changed);
    await this.carryOut("up");
    this.assertHolds(changed);
    this.drift();
    await this.carryOut("refresh");
    await this.carryOut("up");
    this.assertHolds(changed);
    await this.carryOut("destroy");
    this.assertHolds([]);
    const kept = await this.stack.stored();
    if (kept.length > 0) throw new Broken(`A destroy left ${kept.map(({ urn }) => urn).join(", ")} in the state.`);
    const left = [...heldBy(this.simulator).keys()];
    this.totals.leftByKills += left.length;
    this.totals.rounds++;
  }

  private async declare(resources: readonly Declared[]): Promise<void> {
    await writeFile(join(this.stack.folder, "declared.json"), JSON.stringify(resources));
  }

  /** Runs a command with faults, and repeats it without them until it succeeds. */
  private async carryOut(name: Name): Promise<void> {
    const isKilled = this.chance.next() < 0.15;
    const before = new Set(heldBy(this.simulator).keys());
    for (const fault of drawFaults(this.chance)) this.simulator.fault(fault);
    let run = await (isKilled ? this.killed(name) : this.run(name));
    this.simulator.clearFaults();
    if (isKilled)
      for (const id of heldBy(this.simulator).keys()) if (!before.has(id) && mayBeOrphan(id)) this.orphans.add(id);
    for (let repeat = 1; run.code !== 0; repeat++) {
      this.totals.failed++;
      if (repeat > maxRepeats) throw new Broken(`Without faults, ${name} keeps failing:\n${run.output}`);
      run = await this.run(name);
    }
  }

  private run(name: Name): Promise<Run> {
    this.totals.commands++;
    return this.counted(this.stack.start(name).ended);
  }

  /** Kills the command after some of its requests, unless it ends before. */
  private async killed(name: Name): Promise<Run> {
    this.totals.commands++;
    const victim: Victim = this.chance.next() < 0.5 ? "host" : "cli";
    const after = this.chance.between(1, 8);
    const seen = this.simulator.requests.length;
    const command: Command = this.stack.start(name);
    const over = new AbortController();
    const ended = command.ended.finally(() => {
      over.abort();
    });
    while (!over.signal.aborted && this.simulator.requests.length - seen < after) await delay(2);
    if (!over.signal.aborted) {
      this.totals.kills++;
      try {
        for (const pid of killedOf(command, victim, this.stack.form)) process.kill(pid, "SIGKILL");
      } catch (error) {
        // One of them may just have ended by itself.
        if (victim === "host") await command.ended;
        else throw error;
      }
    }
    const run = await this.counted(ended);
    if (victim === "cli") await this.stack.pulumi("cancel", "--yes", "dev");
    return run;
  }

  private async counted(ended: Promise<Run>): Promise<Run> {
    const run = await ended;
    this.totals.requests += this.simulator.requests.length;
    this.simulator.clearRequests();
    return run;
  }

  /** The service has every declared object once, and nothing else except what a killed command created. */
  private assertHolds(resources: readonly Declared[]): void {
    const missing = resources.map(asStored);
    // Objects that no killed command can have left behind come first.
    const held = [...heldBy(this.simulator)].sort(
      ([one], [other]) => Number(this.orphans.has(one)) - Number(this.orphans.has(other)),
    );
    for (const [id, what] of held) {
      const at = missing.indexOf(what);
      if (at >= 0) missing.splice(at, 1);
      else if (!this.orphans.has(id)) throw new Broken(`The service has ${id} (${what}), which is not declared.`);
    }
    if (missing.length > 0) throw new Broken(`The service does not have ${missing.join(", ")}.`);
  }

  /** Somebody changes a webhook and removes a record. */
  private drift(): void {
    const { objects } = this.simulator;
    const [webhook] = Object.entries(objects.all().webhooks).flatMap(([agent, all]) =>
      all.map(({ id }) => [agent, id] as const),
    );
    if (webhook !== undefined) objects.changeWebhook(...webhook, { disabled_at: "2026-01-01T00:00:00Z" });
    for (const [app, entities] of Object.entries(objects.all().records))
      for (const [entity, records] of Object.entries(entities))
        if (records[0] !== undefined) objects.removeRecord(app, entity, records[0].id);
  }
}
