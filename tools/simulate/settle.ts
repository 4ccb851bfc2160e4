import { isDeepStrictEqual } from "node:util";
import type { Run } from "./run";
import { apps, type Command, type Declaration, plainUp, type Schedule } from "./schedule";
import { campaignIdOf, policyOf, type Resource, type Stack } from "./stack";
import { Broken, type Live } from "./witness";
import type { World } from "./world";

/*
 * Promise (d). The service is fair now: no faults, no lag, tracking verifies, and what was late has arrived. Two
 * commands settle a stack. A person does what an error asks for, and that costs one more.
 */

const maxCommands = 8;

export async function settle(world: World, ending: Schedule["ending"]): Promise<void> {
  world.listing.setLag({ launches: 0, changes: 0 });
  world.change(({ advertising }) => {
    for (const appId of apps) advertising.trackingVerified(appId);
  });
  world.schedule.maxAppDailyBudgetMicros = undefined;
  await world.pass(2 * world.quarantine + 1_000);
  const stacks = world.stacks.filter(({ number }) => world.runs.some(({ command }) => command.stack === number));
  for (const stack of stacks) {
    if (ending === "removal") stack.program = [];
    if (ending !== "destroy") await settleUp(world, stack);
  }
  for (const stack of stacks) {
    await untilDone(world, stack, "destroy");
    if (stack.state.length > 0) throw new Broken("(d) A destroy leaves resources in the state.");
    world.witness.assertKept(stack, true);
  }
}

async function settleUp(world: World, stack: Stack): Promise<void> {
  const { witness } = world;
  if (stack.hasDrifted) await alone(world, stack, "refresh");
  await untilDone(world, stack, "up --skip-preview");
  assertAsDeclared(world, stack);
  const { length } = witness.entries;
  const { errors } = await alone(world, stack, "up");
  if (errors.length > 0) throw new Broken(`(d) An up without a change fails: ${errors.join(" | ")}`);
  if (witness.entries.length > length) throw new Broken("(d) An up without a change sends requests.");
}

/** One command may fail without asking a person for anything. */
async function untilDone(world: World, stack: Stack, kind: Command["kind"]): Promise<void> {
  let failures = 0;
  let usesSecondToken = false;
  let message = "";
  for (let commands = 0; commands < maxCommands && failures < 2; commands++) {
    const { errors } = await alone(world, stack, kind, usesSecondToken);
    if (errors.length === 0) return;
    message = errors.join("\n");
    const needsEarlierToken = message.includes("The token, or the path");
    const wasSecondToken: boolean = usesSecondToken;
    // For one command.
    usesSecondToken = needsEarlierToken && !wasSecondToken;
    const isForgotten = message.includes("several tokens") && forgetUnlaunched(world, stack);
    const isFollowed = isForgotten || follow(world, stack, message, needsEarlierToken);
    if (!isFollowed && usesSecondToken === wasSecondToken) failures++;
  }
  throw new Broken(`(d) With a fair service, ${kind} of stack ${String(stack.number)} fails: ${message}`);
}

async function alone(world: World, stack: Stack, kind: Command["kind"], usesSecondToken = false): Promise<Run> {
  const [run] = await world.run([{ ...plainUp, stack: stack.number, kind, usesSecondToken }]);
  if (run === undefined) throw new Error("internal error: no command ran");
  for (const one of world.stacks) world.witness.assertKept(one);
  return run;
}

/**
 * Looks with every token for the campaigns of intents that have none in the state, and takes the intents out of the
 * state.
 */
function forgetUnlaunched(world: World, stack: Stack): boolean {
  const { state } = stack;
  const isOfLiveKey = ({ id }: Resource): boolean => world.witness.live(stack).some(({ key }) => key === id);
  const isUsed = ({ id }: Resource): boolean => state.some(({ outputs }) => outputs["launchIntent"] === id);
  const unlaunched = state.filter((one) => one.type === "intent" && !isUsed(one) && !isOfLiveKey(one));
  stack.state = state.filter((one) => !unlaunched.includes(one));
  return unlaunched.length > 0;
}

/** Does what a person would do about an error. False when there is nothing to do. */
function follow(world: World, stack: Stack, message: string, needsEarlierToken: boolean): boolean {
  const before = stack.program;
  let isRemoved = false;
  for (const other of world.stacks)
    for (const campaign of world.witness.live(other))
      if (message.split(/[^\w-]+/).includes(campaign.id))
        isRemoved = followName(world, stack, other, campaign) || isRemoved;
  stack.program = stack.program.map((declared) => undone(stack, declared, needsEarlierToken));
  const [, second] = /is declared twice: "[^"]*" and "([^"]*)"/.exec(message) ?? [];
  stack.program = stack.program.map((declared) =>
    declared.resource === second ? { ...declared, campaignName: `Sale of ${second}` } : declared,
  );
  return isRemoved || !isDeepStrictEqual(stack.program, before);
}

/** Handles a campaign that an error names. True when it was removed in the service. */
function followName(world: World, stack: Stack, other: Stack, { id, key, appId, campaign }: Live): boolean {
  const manager = other.managerOf(id) ?? other.ofKey(key);
  // After `--replace` of an intent, its orphans are for a person.
  if (manager === undefined || manager.isPendingDeletion === true) {
    world.change(({ objects }) => objects.changeCampaign(appId, id, { status: "REMOVED" }));
    return true;
  }
  const { program } = stack;
  const isDeclaredByName = program.some(({ resource }) => resource === manager.name);
  stack.program = program.map((declared): Declaration => {
    const isOfName = campaign.campaign_name.startsWith(`${stack.campaignNameOf(declared)}-`);
    const isOfIntent = stack.find("intent", declared.resource) === manager;
    if (!isOfIntent && !(isOfName && declared.appId === appId)) return declared;
    // Also for one that another resource of the stack has paused: it stays, and keeps its name. And where this resource
    // has another campaign of the name.
    const hasOwn = stack.find("campaign", declared.resource) !== undefined;
    if (other !== stack || (!isOfIntent && (hasOwn || campaign.status === "PAUSED")))
      return { ...declared, campaignName: `Sale of stack ${String(stack.number)}, ${declared.resource}` };
    // A rename without an alias.
    if (!isDeclaredByName) return { ...declared, resource: manager.name, alias: undefined };
    return manager.type === "intent" ? { ...declared, deletionPolicy: "delete" } : declared;
  });
  return false;
}

/** Undoes what a policy or a campaignId refuses. */
function undone(stack: Stack, given: Declaration, needsEarlierToken: boolean): Declaration {
  const old = stack.find("campaign", given.resource);
  const id = old && campaignIdOf(old);
  const declared = given.campaignId === id ? given : { ...given, campaignId: undefined };
  if (old === undefined) return declared;
  const isReplaceable = policyOf(old) === "delete" && (given.deletionPolicy ?? "delete") === "delete";
  if (isReplaceable && given.campaignId === undefined && !needsEarlierToken) return declared;
  const { appId, campaignName, dailyBudgetMicros } = old.outputs as unknown as Declaration;
  const restored = { ...declared, appId, dailyBudgetMicros };
  if (id !== undefined) return { ...restored, campaignName };
  // An unconfirmed launch under another name is given up: its resource is removed, and another one declared.
  return stack.campaignNameOf(declared) === campaignName
    ? restored
    : { ...declared, resource: `${declared.resource}0` };
}

function assertAsDeclared({ witness }: World, stack: Stack): void {
  witness.assertKept(stack, true);
  for (const { resource: name, dailyBudgetMicros, paused } of stack.program) {
    const resource = stack.find("campaign", name);
    const live = witness.live(stack).find(({ id }) => resource !== undefined && id === campaignIdOf(resource));
    if (live === undefined) throw new Broken(`(d) The campaign of ${name} does not live.`);
    const { status, daily_budget_micros: budget } = live.campaign;
    // The pause of a person, or of a killed command, looks like the service's own.
    const isWrong = status === "PAUSED" ? paused === false && witness.isKnownAsPaused(live.id) : paused === true;
    if (budget !== dailyBudgetMicros || isWrong)
      throw new Broken(`(d) ${live.id} is ${status}, and not as ${name} is declared.`);
  }
  for (const { id, isLate, key } of witness.spending(stack)) {
    const manager = stack.managerOf(id);
    const known = stack.ofKey(key);
    // The policy `retain` leaves a late duplicate alone.
    const isLeft = isLate && known !== undefined && policyOf(known) === "retain";
    if (manager === undefined && !isLeft) throw new Broken(`(b) ${id} is live, and no resource manages it.`);
  }
}
