import { createDeployment } from "../../provider/resources/shared/deployment";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { ServiceClient } from "../../provider/service/client";
import { readSettings, type Settings } from "../../provider/settings";
import type { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import type { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { Service, type ServiceAnswer, type ServiceRequest } from "../../simulator/service";
import { Chance } from "./chance";
import { Engine } from "./engine";
import { Host, type Hosts } from "./host";
import { Network, requestTimeout } from "./network";
import { Run } from "./run";
import type { Command, Schedule } from "./schedule";
import { Stack } from "./stack";
import { type Living, VirtualTime } from "./time";
import { Witness } from "./witness";

export type CampaignLifecycle = typeof adCampaignLifecycle;

/** What is tested. */
export interface Lifecycles {
  campaign: CampaignLifecycle;
  intent: typeof launchIntentLifecycle;
}

const everlasting: Living = { isAlive: true };

/** One service, the stacks that use it, and the time that passes for all of them. */
export class World {
  readonly time = new VirtualTime();
  readonly service = new Service({ now: () => this.time.now() });
  readonly witness: Witness;
  readonly stacks: readonly Stack[];
  readonly runs: Run[] = [];
  /** When everything that was under way in the last crash had arrived. */
  crashedAt = -Infinity;
  lagMilliseconds = 0;
  /** The list shows what was created until then. What it has shown once, it keeps showing. */
  private listedUntil = 0;
  readonly quarantineMilliseconds: number;
  readonly settleMilliseconds: number;
  private readonly network: Network;
  private readonly settings: Settings;

  constructor(
    private readonly schedule: Schedule,
    private readonly lifecycles: Lifecycles,
  ) {
    this.settleMilliseconds = schedule.settleSeconds * 1000;
    this.quarantineMilliseconds = schedule.quarantineSeconds * 1000;
    this.witness = new Witness(this.time, this.service.areas.objects, this.quarantineMilliseconds);
    const answer = (request: ServiceRequest): ServiceAnswer => {
      this.moveList();
      return this.service.answer(request);
    };
    this.network = new Network(this.time, answer, this.witness, this.quarantineMilliseconds);
    this.stacks = schedule.programs.map((program, number) => new Stack(number, structuredClone(program)));
    this.settings = settingsOf(schedule);
  }

  stack(number: number): Stack {
    const stack = this.stacks[number];
    if (stack === undefined) throw new Error(`There is no stack ${String(number)}.`);
    return stack;
  }

  pass(milliseconds: number): Promise<void> {
    return this.time.until(this.time.sleep(milliseconds, everlasting));
  }

  setLag(milliseconds: number): void {
    this.moveList();
    this.lagMilliseconds = milliseconds;
  }

  /** Updates what the list shows by now. */
  private moveList(): void {
    const now = this.time.now();
    this.listedUntil = Math.max(this.listedUntil, now - this.lagMilliseconds);
    this.service.faults.add({ operation: "campaign.list", lagMilliseconds: now - this.listedUntil });
  }

  /** Runs commands at the same time, to their ends. Calls `ended` as each of them ends. */
  async run(commands: readonly Command[], ended: (run: Run) => void): Promise<Run[]> {
    const running = commands.map(async (command) => {
      await this.time.sleep(command.begins, everlasting);
      const run = await this.carryOut(command);
      ended(run);
      return run;
    });
    return this.time.until(Promise.all(running));
  }

  private async carryOut(command: Command): Promise<Run> {
    const number = this.runs.length + 1;
    const run = new Run(number, command, this.time, new Chance(this.schedule.chance + number * 7919));
    this.runs.push(run);
    const stack = this.stack(command.stack);
    const attempts = [...stack.unconfirmed()].map(([campaign, { at }]) => [campaign, at] as const);
    this.witness.begins(run, new Map(attempts));
    const engine = new Engine(stack, run, () => this.newHosts(run), this.witness);
    const killed = run.cli.death.catch(() => {
      run.errors.push("killed");
    });
    await Promise.race([engine.carryOut(), killed]);
    return run;
  }

  /** A new host process of a command, which remembers nothing of an earlier one. */
  private newHosts(run: Run): Hosts {
    const log = (): void => undefined;
    const client = new ServiceClient(this.settings, run.host.clock, log, this.network.transportOf(run));
    const deployment = createDeployment(client, this.settings, run.host.clock, log);
    const { campaign, intent } = this.lifecycles;
    return {
      campaigns: new Host(
        dynamicProvider(campaign, () => deployment),
        run,
      ),
      intents: new Host(
        dynamicProvider(intent, () => deployment),
        run,
      ),
    };
  }
}

function settingsOf({ settleSeconds, quarantineSeconds }: Schedule): Settings {
  const given: Partial<Record<keyof Settings, string>> = {
    baseUrl: "https://service.example.com",
    accessToken: "full-access-token",
    requestTimeoutSeconds: String(requestTimeout / 1000),
    launchSettleSeconds: String(settleSeconds),
    launchQuarantineSeconds: String(quarantineSeconds),
  };
  return readSettings((key) => given[key], {});
}
