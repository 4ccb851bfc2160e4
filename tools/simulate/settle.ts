import { isDeepStrictEqual } from "node:util";
import { declaredCampaigns } from "./engine";
import type { Run } from "./run";
import { apps, type Command, type Declaration, type Schedule } from "./schedule";
import { policyOf, type Stack } from "./stack";
import { Broken, type Live } from "./witness";
import type { World } from "./world";

/*
 * Promise (d). The service is fair now: no faults, no lag, tracking verifies, and what was late has arrived. Two commands
 * settle a stack. A person does what an error asks for, and that costs one more.
 */

const maxCommands = 8;

export async function settle(world: World, ending: Schedule["ending"]): Promise<void> {
  world.listing.setLag({ launches: 0, changes: 0 });
  world.change(({ advertising }) => {
    for (const appId of apps) advertising.trackingVerified(appId);
  });
  world.schedule.maxAppDailyBudgetMicros = undefined;
  await world.pass(2 * world.quarantineMilliseconds + 1_000);
  const stacks = world.stacks.filter(({ number }) => world.runs.some(({ command }) => command.stack === number));
  for (const stack of stacks) {
    if (ending === "removal") stack.program = [];
    if (ending !== "destroy") await settleUp(world, stack);
  }
  for (const stack of stacks) {
    await untilDone(world, stack, "destroy");
    if (stack.state.length > 0) throw new Broken("(d) A destroy leaves resources in the state.");
    assertGone(world, stack);
  }
}

async function settleUp(world: World, stack: Stack): Promise<void> {
  if (stack.hasDrifted) await alone(world, stack, "refresh");
  await untilDone(world, stack, "up --skip-preview");
  assertAsDeclared(world, stack);
  const { length } = world.witness.entries;
  const again = await alone(world, stack, "up");
  if (!again.hasSucceeded) throw new Broken(`(d) An up without a change fails: ${again.errors.join(" | ")}`);
  if (world.witness.entries.length > length) throw new Broken("(d) An up without a change sends requests.");
}

/** One command may fail without asking a person for anything. */
async function untilDone(world: World, stack: Stack, kind: Command["kind"]): Promise<void> {
  let failures = 0;
  let errors: readonly string[] = [];
  for (let commands = 0; commands < maxCommands; commands++) {
    ({ errors } = await alone(world, stack, kind));
    if (errors.length === 0) {
      stack.usesSecondToken = false;
      return;
    }
    if (!follow(world, stack, errors) && ++failures > 1) break;
  }
  throw new Broken(`(d) With a fair service, ${kind} of stack ${String(stack.number)} fails: ${errors.join(" | ")}`);
}

async function alone(world: World, stack: Stack, kind: Command["kind"]): Promise<Run> {
  const [run] = await world.run([
    {
      ...{ stack: stack.number, kind, usesSecondToken: stack.usesSecondToken },
      ...{ repeats: 0, aheadMilliseconds: 0, begins: 0, faults: [] },
    },
  ]);
  if (run === undefined) throw new Error("internal error: no command ran");
  for (const one of world.stacks) world.witness.assertKept(one);
  world.witness.assertUnbroken();
  return run;
}

/** Does what a person would do about the errors. False when there is nothing to do. */
function follow(world: World, stack: Stack, errors: readonly string[]): boolean {
  const before = JSON.stringify([stack.program, stack.usesSecondToken]);
  const all = errors.join("\n");
  let isRemoved = false;
  for (const other of world.stacks)
    for (const campaign of world.witness.live(other))
      if (mentions(all, campaign.id)) isRemoved = followName(world, stack, other, campaign) || isRemoved;
  const needsEarlierToken = all.includes("The token has changed");
  for (const declared of stack.program) undo(stack, declared, needsEarlierToken);
  // For one command.
  stack.usesSecondToken = !stack.usesSecondToken && needsEarlierToken;
  return isRemoved || JSON.stringify([stack.program, stack.usesSecondToken]) !== before;
}

/** What to do about a campaign that an error names. True when it was removed in the service. */
function followName(world: World, stack: Stack, other: Stack, { id, key, appId, campaign_name: name }: Live): boolean {
  const manager = other.managed().get(id) ?? other.ofKey(key);
  // After `--replace` of an intent, its orphans are for a person.
  if (manager === undefined || manager.isPendingDeletion) {
    world.change(({ objects }) => objects.changeCampaign(appId, id, { status: "REMOVED" }));
    return true;
  }
  const declared = stack.program.find(
    (one) =>
      stack.find("intent", one.resource) === manager ||
      (one.appId === appId && name.startsWith(`${stack.campaignNameOf(one)}-`)),
  );
  if (declared === undefined) return false;
  if (other !== stack) declared.campaignName = `Sale of stack ${String(stack.number)}, ${declared.resource}`;
  else if (stack.program.every(({ resource }) => resource !== manager.name)) {
    // A rename without an alias.
    declared.resource = manager.name;
    declared.alias = undefined;
  } else if (manager.type === "intent") declared.deletionPolicy = "delete";
  return false;
}

/** Undoes what a policy or a campaignId refuses. */
function undo(stack: Stack, declared: Declaration, needsEarlierToken: boolean): void {
  const old = stack.find("campaign", declared.resource);
  if (old === undefined) declared.campaignId = undefined;
  if (old === undefined || (policyOf(old) === "delete" && declared.campaignId === undefined && !needsEarlierToken))
    return;
  const { appId, campaignName, dailyBudgetMicros, campaignId } = old.outputs as unknown as Declaration;
  const launched = { appId, campaignName, dailyBudgetMicros };
  const changed = {
    appId: declared.appId,
    campaignName: stack.campaignNameOf(declared),
    dailyBudgetMicros: declared.dailyBudgetMicros,
  };
  if (campaignId !== undefined) Object.assign(declared, launched);
  // An unconfirmed launch is given up: its resource is removed, and another one declared.
  else if (!isDeepStrictEqual(launched, changed)) declared.resource += "0";
  if (declared.campaignId !== campaignId) declared.campaignId = undefined;
}

/** As a whole word: cmp_1 is not cmp_10. */
function mentions(error: string, word: string): boolean {
  return error.split(/[^\w-]+/).includes(word);
}

function assertAsDeclared({ witness }: World, stack: Stack): void {
  witness.assertKept(stack, true);
  witness.assertUnbroken();
  const known = declaredCampaigns(stack);
  for (const declared of stack.program) {
    const { id, resource } = known.find((one) => one.declared === declared) ?? {};
    const campaign = id === undefined ? undefined : witness.live(stack).find((one) => one.id === id);
    const what = `${declared.resource} of stack ${String(stack.number)}`;
    if (campaign === undefined || resource?.outputs["launchState"] === "unconfirmed")
      throw new Broken(`(d) The campaign of ${what} does not live.`);
    const isPaused = campaign.status === "PAUSED";
    // The pause of a person, or of a killed command, looks like the service's own.
    const isWrong = isPaused
      ? declared.paused === false && witness.isKnownAsPaused(campaign.id)
      : declared.paused === true;
    if (campaign.daily_budget_micros !== declared.dailyBudgetMicros || isWrong)
      throw new Broken(`(d) ${campaign.id} is ${campaign.status}, and not as ${what} is declared.`);
  }
  const ids = known.map(({ id }) => id);
  // The policy `retain` leaves a late duplicate alone.
  const isLeft = ({ key, isLate }: Live): boolean => isLate && stack.isRetained(key);
  for (const campaign of witness.spending(stack))
    if (!ids.includes(campaign.id) && !isLeft(campaign))
      throw new Broken(`(b) ${campaign.id} is live, and stack ${String(stack.number)} does not declare it.`);
}

function assertGone({ witness }: World, stack: Stack): void {
  witness.assertKept(stack, true);
  witness.assertUnbroken();
  for (const { id } of witness.spending(stack)) throw new Broken(`(b) A destroy leaves ${id} live.`);
}
