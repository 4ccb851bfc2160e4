import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import type { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import type { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { ServiceClient } from "../../provider/service/client";
import { readSettings, type Settings } from "../../provider/settings";
import { Service, type ServiceAnswer, type ServiceRequest } from "../../simulator/service";
import type { Campaign } from "../../simulator/types";
import { Chance } from "./chance";
import { declaredCampaigns, Engine } from "./engine";
import { Host, type Hosts } from "./host";
import { Listing } from "./listing";
import { Network, requestTimeout } from "./network";
import { Run } from "./run";
import { apps, type Command, type Schedule, settleSeconds } from "./schedule";
import { Stack } from "./stack";
import { type Living, VirtualTime } from "./time";
import { Witness } from "./witness";

/** What is tested. */
export interface Lifecycles {
  campaign: typeof adCampaignLifecycle;
  intent: typeof launchIntentLifecycle;
}

const everlasting: Living = { isAlive: true };
const tokens = ["first-token", "second-token"] as const;

/** One service, the stacks that use it, and the time that passes for all of them. */
export class World {
  readonly time = new VirtualTime();
  readonly service: Service;
  readonly listing: Listing;
  readonly witness: Witness;
  readonly stacks: readonly Stack[];
  readonly runs: Run[] = [];
  readonly quarantineMilliseconds: number;
  private readonly network: Network;

  constructor(
    /** Its cap may be changed. */
    readonly schedule: Schedule,
    private readonly lifecycles: Lifecycles,
  ) {
    const now = (): number => this.time.now();
    this.service = new Service({
      now,
      credentials: tokens.map((value) => ({ value, kind: "personal-token" })),
      tracking: schedule.isTrackingPending ? "pending" : "wired",
    });
    const { objects } = this.service.areas;
    this.listing = new Listing(now, () => apps.flatMap((appId) => objects.campaigns(appId)));
    this.quarantineMilliseconds = schedule.quarantineSeconds * 1000;
    this.witness = new Witness(this.time, objects, schedule);
    const answer = this.answer.bind(this);
    this.network = new Network(this.time, answer, this.witness, 1.5 * this.quarantineMilliseconds);
    this.stacks = [0, 1].map((number) => new Stack(number, schedule.program));
  }

  stack(number: number): Stack {
    const stack = this.stacks[number];
    if (stack === undefined) throw new Error(`There is no stack ${String(number)}.`);
    return stack;
  }

  pass(milliseconds: number): Promise<void> {
    return this.time.until(this.time.sleep(milliseconds, everlasting));
  }

  /** Changes something in the service without a command. */
  change(change: (areas: Service["areas"]) => void): void {
    change(this.service.areas);
    this.listing.note();
  }

  /** Runs commands at the same time, to their ends. */
  async run(commands: readonly Command[]): Promise<Run[]> {
    const running = commands.map(async (command) => {
      await this.time.sleep(command.begins, everlasting);
      return this.carryOut(command);
    });
    return this.time.until(Promise.all(running));
  }

  private async carryOut(command: Command): Promise<Run> {
    const number = this.runs.length + 1;
    const chance = new Chance(this.schedule.chance + number * 7919);
    const run = new Run(number, command, this.time.now(), this.time, chance);
    this.runs.push(run);
    const stack = this.stack(command.stack);
    const engine = new Engine(stack, run, () => this.newHosts(run), this.witness);
    const killed = run.cli.death.catch(() => {
      run.errors.push("killed");
    });
    await Promise.race([engine.carryOut(), killed]);
    if (run.hasSucceeded && command.kind.startsWith("up") && command.target === undefined)
      for (const { declared, id } of declaredCampaigns(stack))
        if (declared.paused === true) this.witness.mustNotRun(id);
    return run;
  }

  /** A new host process of a command, which remembers nothing of an earlier one. */
  private newHosts(run: Run): Hosts {
    const log = (): void => undefined;
    // Its output has no reader once the command is dead.
    const announce = (): Promise<void> =>
      run.cli.isAlive ? Promise.resolve() : Promise.reject(new Error("write EPIPE"));
    const settings = this.settingsFor(run.command);
    const client = new ServiceClient(settings, run.host.clock, log, this.network.transportOf(run));
    const deployment = createDeployment(client, settings, run.host.clock, log, announce);
    const { campaign, intent } = this.lifecycles;
    return {
      campaign: new Host(
        dynamicProvider(campaign, () => deployment),
        run,
      ),
      intent: new Host(
        dynamicProvider(intent, () => deployment),
        run,
      ),
    };
  }

  private settingsFor({ usesSecondToken }: Command): Settings {
    const { quarantineSeconds, maxAppDailyBudgetMicros: cap } = this.schedule;
    const given: Partial<Record<keyof Settings, string>> = {
      baseUrl: "https://service.example.com",
      accessToken: tokens[usesSecondToken ? 1 : 0],
      requestTimeoutSeconds: String(requestTimeout / 1000),
      launchSettleSeconds: String(settleSeconds),
      launchQuarantineSeconds: String(quarantineSeconds),
      ...(cap === undefined ? {} : { maxAppDailyBudgetMicros: String(cap) }),
    };
    return readSettings((key) => given[key], {});
  }

  /** What the service answers, with the list as it appears to this token now. */
  private answer(request: Omit<ServiceRequest, "presented">, usesSecondToken: boolean): ServiceAnswer {
    const isBlind = usesSecondToken && this.schedule.isSecondTokenBlind;
    const isList = request.operation === "campaign.list";
    if (isBlind) return isList ? { status: 200, body: { campaigns: [] } } : { status: 403, body: { message: "No." } };
    const value = tokens[usesSecondToken ? 1 : 0];
    const answer = this.service.answer({ ...request, presented: { form: "bearer", value } });
    this.listing.note();
    if (!isList) return answer;
    return {
      ...answer,
      body: { campaigns: this.listing.listed((answer.body as { campaigns: Campaign[] }).campaigns) },
    };
  }
}
