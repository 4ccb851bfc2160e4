import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { maxLatency } from "./network";
import type { Run } from "./run";
import type { Command, Declaration, Schedule, Step } from "./schedule";
import { settle } from "./settle";
import { campaignIdOf, type Stack } from "./stack";
import { Broken, type Entry } from "./witness";
import { type Lifecycles, World } from "./world";

/** For how long a host may outlive its command. */
const maxOutliving = 60_000;

/** The outcome of a schedule. */
export interface Played {
  /** The broken promise, and after how many steps; undefined when all were kept. */
  broken: { rule: string; step: number } | undefined;
  entries: readonly Entry[];
  runs: readonly Run[];
}

/** Plays a schedule from its first step until everything has settled, or a promise is broken. */
export async function play(schedule: Schedule, changed: Partial<Lifecycles> = {}): Promise<Played> {
  const world = new World(
    { ...schedule },
    { campaign: adCampaignLifecycle, intent: launchIntentLifecycle, ...changed },
  );
  let step = 0;
  let rule: string | undefined;
  try {
    for (; step < schedule.steps.length; step++) {
      await takeStep(world, schedule.steps[step]);
      for (const stack of world.stacks) world.witness.assertKept(stack);
    }
    await settle(world, schedule.ending);
  } catch (error) {
    rule = error instanceof Broken ? error.message : error instanceof Error ? String(error.stack) : String(error);
  }
  const broken = rule === undefined ? undefined : { rule, step };
  return { broken, entries: world.witness.entries, runs: world.runs };
}

async function takeStep(world: World, step: Step | undefined): Promise<void> {
  switch (step?.is) {
    case undefined:
      return;
    case "run":
      return runAll(world, step.commands);
    case "edit": {
      const stack = world.stacks[step.edit.stack];
      stack.edit(step.edit, (declared) => ownCampaign(world, stack, declared));
      return;
    }
    case "wait":
      return world.pass(step.seconds * 1000);
    case "person":
      act(world, step);
      return;
    case "lag":
      world.listing.setLag(step);
      // A list that shows a removal late is believed until a refresh.
      if (step.changes > 0) for (const stack of world.stacks) stack.hasDrifted = true;
      return;
    case "tracking verifies":
      world.change(({ advertising }) => {
        advertising.trackingVerified(step.appId);
      });
      return;
  }
}

async function runAll(world: World, commands: readonly Command[]): Promise<void> {
  for (const { isInterrupted, hasSucceeded, command, host } of await world.run(commands)) {
    const stack = world.stacks[command.stack];
    if (!hasSucceeded) stack.hasDrifted = true;
    if (!isInterrupted) continue;
    // `pulumi cancel`
    stack.isLocked = false;
    if (command.crash?.what === "command but its host") await world.pass(maxOutliving);
    host.kill();
    // No client can tell when a pause or a deletion of a dead process arrives. A launch may arrive during the next command.
    if (command.crash?.at !== "campaign.launch") await world.pass(maxLatency);
  }
}

/** The campaign in the state, or one that this stack launched with this name. */
function ownCampaign({ witness }: World, stack: Stack, declared: Declaration): string | undefined {
  const old = stack.find("campaign", declared.resource);
  const name = `${stack.campaignNameOf(declared)}-`;
  const isIt = (one: { appId: string; campaign: { campaign_name: string } }): boolean =>
    one.appId === declared.appId && one.campaign.campaign_name.startsWith(name);
  return (old && campaignIdOf(old)) ?? witness.live(stack).find(isIt)?.id;
}

/** A person pauses, resumes or removes a campaign in the service. */
function act(world: World, { does, which }: Extract<Step, { is: "person" }>): void {
  const live = world.stacks.flatMap((stack) => world.witness.live(stack));
  const campaign = live[which % Math.max(1, live.length)];
  if (campaign === undefined) return;
  const status = { pause: "PAUSED", resume: "ENABLED", remove: "REMOVED" }[does];
  world.change(({ objects }) => objects.changeCampaign(campaign.appId, campaign.id, { status }));
  world.witness.personDid(does, campaign.id);
  for (const stack of world.stacks) stack.hasDrifted = true;
}
