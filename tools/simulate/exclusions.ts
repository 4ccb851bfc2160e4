import { behindOf } from "./run";
import type { Command } from "./schedule";
import { keyIn, type Stack } from "./stack";
import { keyOf } from "./witness";
import type { World } from "./world";

/*
 * What no client can promise, and is therefore kept out of the schedules. Three more exclusions are elsewhere, because no
 * schedule can contain them: two stacks never declare the same campaign (`namesOf`), a request is carried out well before
 * the quarantine of its attempt ends (`visibleBefore`), and the service does not lie in a response that the contract
 * counts as proof (`refusals`, `believed`).
 *
 * Promise 4 has one exception. The engine stops at the first error, so a command may not reach every intent. It has dealt
 * with one (`Run.dealtWith`) if the registration of its campaign finished or failed, or if the intent was to be deleted.
 * The error of a launch must also name the campaigns of the intents that its own replaced. After `state delete` of that
 * intent, nothing remembers them.
 */

/**
 * Only the list shows a launch that was not saved because of a crash. So a command starts so late that the list shows it
 * before the settle time is over, also if the lag has grown since.
 */
export async function untilListedAfterCrash(world: World): Promise<void> {
  const { crashedAt, lagMilliseconds, settleMilliseconds } = world;
  await world.pass(Math.max(0, crashedAt + lagMilliseconds - settleMilliseconds - world.time.now()));
}

/**
 * Only the list can find what left the state, too: a campaign that was retained or paused is declared again when the list
 * shows it. So while the list lags, no `up` follows a destroy of its stack at once, as it does where both start together.
 *
 * The engine tells a provider nothing about resources that left the program before it deletes them, at the end. So only
 * the list can find a campaign that moves to another resource (a rename without `aliases`, two that swap names). It moves
 * when the list shows it, and never within the quarantine of an unconfirmed launch, as long as that lasts for the machine.
 */
export async function mayRun(
  world: World,
  { stack: number, kind }: Command,
  together: readonly Command[],
): Promise<boolean> {
  if (kind !== "up" && kind !== "up without preview") return true;
  const isWithDestroy = together.some((other) => other.stack === number && other.kind === "destroy");
  if (isWithDestroy && world.lagMilliseconds > 0) return false;
  const stack = world.stack(number);
  const moving = movingCampaigns(stack);
  if (moving.size === 0 && world.witness.letGo.size === 0) return true;
  // The commands of a step may begin in any order.
  const behind = Math.max(...together.map((_, index) => behindOf(world.runs.length + 1 + index)));
  const quarantine = world.quarantineMilliseconds + behind;
  for (const [campaign, { at }] of stack.unconfirmed()) {
    // A killed command may have launched again, and saved nothing.
    const last = world.witness.posts.findLast((post) => post.campaign === campaign)?.at ?? at;
    if (moving.has(campaign) && world.time.now() < Math.max(at, last) + quarantine) return false;
  }
  await world.pass(world.lagMilliseconds);
  return true;
}

/**
 * The campaigns that the program declares under another resource than the state does. One that only an intent tells of
 * moves if its new resource has no intent yet: any other resource watches the list.
 */
function movingCampaigns(stack: Stack): Set<string> {
  const { program, state, intents } = stack;
  const declaredBy = new Map(
    program.campaigns.map((declared) => [keyOf(declared.appId, declared.campaignName), stack.nameOf(declared)]),
  );
  const moving = (resources: Stack["state"], isNew: (by: string) => boolean): string[] =>
    [...resources].flatMap(([name, { outputs }]) => {
      const by = declaredBy.get(keyIn(outputs));
      return by === undefined || by === name || !isNew(by) ? [] : [keyIn(outputs)];
    });
  return new Set([...moving(state, () => true), ...moving(intents, (by) => !intents.has(by))]);
}
