import type { Command } from "./schedule";
import { keyIn, type Stack } from "./stack";
import { keyOf } from "./witness";
import type { World } from "./world";

/*
 * What a client alone cannot promise, and is therefore kept out of the schedules. All of it is here, but for three that
 * cannot be written in a schedule: two stacks never declare the same campaign (`namesOf`), a request is carried out well
 * before the quarantine of its attempt is over (`visibleBefore`), and no answer that the contract takes for the
 * service's word is a lie (`refusals`, `believed`).
 */

/**
 * A launch that a crash kept from being saved is healed by the list alone. So the next command comes when what was under
 * way has arrived, and the list shows it.
 */
export async function untilListedAfterCrash(world: World): Promise<void> {
  await world.time.untilQuiet();
  await world.pass(world.lagMilliseconds);
}

/**
 * What left the state is found by the list alone too: a campaign that was retained or paused is declared again when the
 * list shows it.
 *
 * The engine tells a provider nothing of resources that left the program before it deletes them, at the end. So a
 * campaign that moves to another resource (a renaming without `aliases`, two that swap names) is found by the list alone:
 * it moves when the list shows it, and not at all within the quarantine of an unconfirmed launch.
 */
export async function mayRun(world: World, { stack: number, kind }: Command): Promise<boolean> {
  if (kind !== "up" && kind !== "up without preview") return true;
  const stack = world.stack(number);
  const moving = movingCampaigns(stack);
  if (moving.size === 0 && world.witness.letGo.size === 0) return true;
  for (const [campaign, { at }] of stack.unconfirmed())
    if (moving.has(campaign) && world.time.now() < at + world.quarantineMilliseconds) return false;
  await world.pass(world.lagMilliseconds);
  return true;
}

/** The campaigns that the program declares under another resource than the state has them under. */
function movingCampaigns({ program, state }: Stack): Set<string> {
  const declaredBy = new Map(
    program.campaigns.map(({ appId, campaignName, resource }) => [keyOf(appId, campaignName), resource]),
  );
  const moving = [...state].flatMap(([name, { outputs }]) => {
    const by = declaredBy.get(keyIn(outputs));
    return by === undefined || by === name ? [] : [keyIn(outputs)];
  });
  return new Set(moving);
}
