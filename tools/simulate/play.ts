import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { maxLatency } from "./network";
import type { Run } from "./run";
import { type Command, type Declaration, type Schedule, type Step } from "./schedule";
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
  const lifecycles = { campaign: adCampaignLifecycle, intent: launchIntentLifecycle, ...changed };
  const world = new World({ ...schedule }, lifecycles);
  let done = 0;
  let rule: string | undefined;
  try {
    for (const step of schedule.steps) {
      await takeStep(world, step);
      for (const stack of world.stacks) world.witness.assertKept(stack);
      world.witness.assertUnbroken();
      done++;
    }
    await settle(world, schedule.ending);
  } catch (error) {
    rule = error instanceof Broken ? error.message : error instanceof Error ? String(error.stack) : String(error);
  }
  const broken = rule === undefined ? undefined : { rule, step: done };
  return { broken, entries: world.witness.entries, runs: world.runs };
}

async function takeStep(world: World, step: Step): Promise<void> {
  switch (step.is) {
    case "run":
      return runAll(world, step.commands);
    case "edit": {
      const stack = world.stack(step.edit.stack);
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
      return;
    case "tracking verifies":
      world.change(({ advertising }) => {
        advertising.trackingVerified(step.appId);
      });
      return;
  }
}

async function runAll(world: World, commands: readonly Command[]): Promise<void> {
  const runs = await world.run(commands);
  for (const { isInterrupted, errors, command, host } of runs) {
    const stack = world.stack(command.stack);
    if (isInterrupted || errors.length > 0) stack.hasDrifted = true;
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
function ownCampaign(
  { witness }: World,
  stack: Stack,
  { resource, appId, campaignName }: Declaration,
): string | undefined {
  const old = stack.find("campaign", resource);
  const [id] = old === undefined ? [] : (campaignIdOf(old) ?? []);
  const name = `${campaignName ?? resource}-`;
  return id ?? witness.live(stack).find((one) => one.appId === appId && one.campaign_name.startsWith(name))?.id;
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
