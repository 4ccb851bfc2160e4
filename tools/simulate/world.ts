import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import type { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import type { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { ServiceClient } from "../../provider/service/client";
import { readSettings, type Settings } from "../../provider/settings";
import { Service, type ServiceAnswer } from "../../simulator/service";
import type { Campaign } from "../../simulator/types";
import { Chance } from "./chance";
import { Engine } from "./engine";
import { Host, type Hosts } from "./host";
import { Listing } from "./listing";
import { Network, requestTimeout } from "./network";
import { Run } from "./run";
import { apps, type Command, type Schedule, settleSeconds } from "./schedule";
import { campaignIdOf, Stack } from "./stack";
import { VirtualTime } from "./time";
import { type Target, Witness } from "./witness";

/** The tested lifecycles. */
export interface Lifecycles {
  campaign: typeof adCampaignLifecycle;
  intent: typeof launchIntentLifecycle;
}

const tokens = ["first-token", "second-token"] as const;

/** One service, the stacks that use it, and the time that passes for all of them. */
export class World {
  readonly time = new VirtualTime();
  readonly service: Service;
  readonly listing: Listing;
  readonly witness: Witness;
  readonly stacks: readonly [Stack, Stack];
  readonly runs: Run[] = [];
  readonly quarantine: number;
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
    this.listing = new Listing(now);
    this.quarantine = schedule.quarantineSeconds * 1000;
    this.witness = new Witness(this.time, this.service.areas.objects, schedule);
    this.network = new Network(this.time, this.answer.bind(this), this.witness, 1.5 * this.quarantine);
    this.stacks = [new Stack(0, schedule.program), new Stack(1, schedule.program)];
  }

  pass(milliseconds: number): Promise<void> {
    return this.time.until(this.time.sleep(milliseconds));
  }

  /** Changes something in the service without a command. */
  change(change: (areas: Service["areas"]) => void): void {
    change(this.service.areas);
    this.noteChanges();
  }

  /** Runs commands at the same time, to their ends. */
  run(commands: readonly Command[]): Promise<Run[]> {
    const running = commands.map(async (command) => {
      await this.time.sleep(command.begins);
      return this.carryOut(command);
    });
    return this.time.until(Promise.all(running));
  }

  private async carryOut(command: Command): Promise<Run> {
    const number = this.runs.length + 1;
    const run = new Run(number, command, this.time, new Chance(this.schedule.chance + number * 7919));
    this.runs.push(run);
    const stack = this.stacks[command.stack];
    const killed = run.cli.death.catch(() => {
      run.errors.push("killed");
    });
    await Promise.race([new Engine(stack, run, () => this.newHosts(run), this.witness).carryOut(), killed]);
    if (!run.hasSucceeded || !command.kind.startsWith("up") || command.target !== undefined) return run;
    for (const { resource, paused } of stack.program) {
      const campaign = stack.find("campaign", resource);
      if (paused === true && campaign !== undefined) this.witness.mustNotRun(campaignIdOf(campaign) ?? "");
    }
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
    const campaign = dynamicProvider(this.lifecycles.campaign, () => deployment);
    const intent = dynamicProvider(this.lifecycles.intent, () => deployment);
    return { campaign: new Host(campaign, run), intent: new Host(intent, run) };
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

  /** The service's answer, with the list as it appears to this token now. */
  private answer({ operation, parameters }: Target, body: unknown, usesSecondToken: boolean): ServiceAnswer {
    const isList = operation === "campaign.list";
    if (usesSecondToken && this.schedule.isSecondTokenBlind)
      return isList ? { status: 200, body: { campaigns: [] } } : { status: 403, body: { message: "No." } };
    const answer = this.service.answer({
      ...{ operation, parameters, presented: { form: "bearer", value: tokens[usesSecondToken ? 1 : 0] } },
      body: body === undefined ? { problem: { loc: ["body"], msg: "", type: "missing" } } : { json: body },
    });
    this.noteChanges();
    if (!isList) return answer;
    const { campaigns } = answer.body as { campaigns: Campaign[] };
    return { ...answer, body: { campaigns: this.listing.listed(campaigns) } };
  }

  private noteChanges(): void {
    const { objects } = this.service.areas;
    this.listing.note(apps.flatMap((appId) => objects.campaigns(appId)));
  }
}
