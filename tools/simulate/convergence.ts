import { assertAllKnown } from "./invariants";
import { behindMilliseconds, type Run } from "./run";
import type { Command, Declaration } from "./schedule";
import { campaignIdOf, keyIn, deletionPolicyOf, type Stack } from "./stack";
import { Broken, keyOf } from "./witness";
import type { World } from "./world";

/* 5. Without faults, at most two `up`s reach what is declared, a third sends nothing, and destroy ends everything. */

export async function converge(world: World): Promise<void> {
  world.setLag(0);
  world.service.areas.advertising.setBillingHold(false);
  await world.time.untilQuiet();
  await world.pass(world.quarantineMilliseconds + behindMilliseconds + 1_000);
  const stacks = world.stacks.filter(({ number }) => world.runs.some(({ command }) => command.stack === number));
  for (const stack of stacks) {
    // `pulumi cancel`, after a crash.
    stack.isLocked = false;
    followErrors(stack, world);
    const isUnconfirmed = stack.unconfirmed().size > 0;
    if (stack.hasDrifted) {
      const refreshed = await runAlone(world, stack, "refresh");
      // A refresh does not know which resource manages what: only `up` and destroy decide about an unconfirmed launch.
      if (!isUnconfirmed) assertDone(refreshed);
    }
    await runUntilDone(world, stack, "up without preview");
    assertAsDeclared(stack, world);
    const requests = world.witness.entries.length;
    assertDone(await runAlone(world, stack, "up"));
    if (world.witness.entries.length > requests) throw new Broken("5. An up without a change sends requests.");
  }
  for (const stack of stacks) {
    await runUntilDone(world, stack, "destroy");
    if (stack.state.size + stack.intents.size + stack.replacedIntents.length > 0)
      throw new Broken("5. A destroy leaves resources in the state.");
    for (const { id } of world.witness.live(stack.number))
      if (!world.witness.letGo.has(id)) throw new Broken(`5. A destroy leaves ${id} live.`);
  }
}

/** At most one run fails without asking a person for something. */
async function runUntilDone(world: World, stack: Stack, kind: Command["kind"]): Promise<void> {
  let failures = 0;
  for (let asked = 0; asked < 10; asked++) {
    const run = await runAlone(world, stack, kind);
    if (run.errors.length === 0) return;
    const before = JSON.stringify(stack.program);
    const isAsked = followNames(stack, run.errors, world);
    followErrors(stack, world);
    if (!isAsked && JSON.stringify(stack.program) === before && ++failures > 1) assertDone(run);
  }
  throw new Broken(`5. A person is asked again and again: ${stack.lastErrors.join(" | ")}`);
}

/**
 * Does what a person would do about the campaigns that an error names. One that a renamed resource manages gets its old
 * name as an alias. One that another resource of the program manages keeps its name there. One that no resource manages
 * is removed in the service. False when there is nothing to do.
 */
function followNames(stack: Stack, errors: readonly string[], { witness, service }: World): boolean {
  const { program, state } = stack;
  let isAsked = false;
  for (const { id, appId, declaredAs } of witness.live(stack.number)) {
    if (!errors.some((error) => error.includes(id))) continue;
    const [manager] = [...state].find(([, resource]) => campaignIdOf(resource) === id) ?? [];
    const declared = program.campaigns.find((one) => keyOf(one.appId, one.campaignName) === declaredAs);
    const holder = program.campaigns.find((one) => stack.nameOf(one) === manager);
    if (manager === undefined) service.areas.objects.changeCampaign(appId, id, { status: "REMOVED" });
    else if (declared === undefined || declared === holder) continue;
    else if (holder !== undefined) {
      const { appId, campaignName } = declared;
      Object.assign(declared, { appId: holder.appId, campaignName: holder.campaignName });
      Object.assign(holder, { appId, campaignName });
    } else {
      // The new name may have been registered by the failed command.
      state.delete(declared.resource);
      stack.intents.delete(declared.resource);
      declared.alias = manager;
    }
    isAsked = true;
  }
  return isAsked;
}

async function runAlone(world: World, { number: stack }: Stack, kind: Command["kind"]): Promise<Run> {
  const command: Command = { stack, kind, begins: 0, faults: [], crash: undefined };
  const [run] = await world.run([command], ({ errors, dealtWith }) => {
    Object.assign(world.stack(stack), { lastErrors: errors, dealtWith });
  });
  if (run === undefined) throw new Error("internal error: no command ran");
  assertAllKnown(world.stack(stack), world.witness);
  world.witness.assertUnbroken();
  return run;
}

function assertDone({ errors, name }: Run): void {
  if (errors.length > 0) throw new Broken(`5. Without faults, run ${name} fails: ${errors.join(" | ")}`);
}

function assertAsDeclared(stack: Stack, { witness }: World): void {
  const { campaigns } = stack.program;
  const live = witness.live(stack.number).filter(({ id }) => !witness.letGo.has(id));
  for (const declared of campaigns) {
    const key = keyOf(declared.appId, declared.campaignName);
    const [campaign, ...others] = live.filter(({ declaredAs }) => declaredAs === key);
    if (campaign === undefined || others.length > 0)
      throw new Broken(`5. ${String(live.length)} campaigns are live for ${key}.`);
    const isPaused = campaign.status === "PAUSED";
    if (campaign.daily_budget_micros !== declared.dailyBudgetMicros || isPaused !== (declared.paused ?? isPaused))
      throw new Broken(`5. ${campaign.id} is not as ${key} is declared.`);
    const { outputs } = stack.state.get(declared.resource) ?? {};
    if (outputs?.["campaignId"] !== campaign.id || outputs["launchState"] !== "confirmed")
      throw new Broken(`5. The state of ${declared.resource} does not know ${campaign.id}.`);
  }
  const keys = new Set(campaigns.map(({ appId, campaignName }) => keyOf(appId, campaignName)));
  for (const { id, declaredAs } of live)
    if (!keys.has(declaredAs)) throw new Broken(`5. ${id}, ${declaredAs}, is live and not declared.`);
}

/**
 * Does what a person would do about the errors with which `up` refuses to decide. Undoes a change that would replace a
 * campaign that is retained, or paused under the same name. Leaves out an id that cannot be adopted. Removes in the service what was left running or paused under the name of a
 * declared campaign.
 */
function followErrors(stack: Stack, { witness, service }: World): void {
  const { program } = stack;
  const retained = new Map<string, Declaration>();
  for (const declared of program.campaigns) {
    const old = stack.state.get(stack.nameOf(declared));
    if (old === undefined) continue;
    const { appId, campaignName, dailyBudgetMicros, businessName } = old.outputs as unknown as Declaration;
    const keepsName = keyIn(old.outputs) === keyOf(declared.appId, declared.campaignName);
    if (deletionPolicyOf(old) === "pause" && keepsName) Object.assign(declared, { dailyBudgetMicros, businessName });
    if (deletionPolicyOf(old) !== "retain" || old.isPendingReplacement) continue;
    const isManagedElsewhere = [...stack.state.values()].some(
      (other) => other !== old && campaignIdOf(other) !== undefined && keyIn(other.outputs) === keyIn(old.outputs),
    );
    // `pulumi state delete`: the name belongs to another resource by now.
    if (isManagedElsewhere && campaignIdOf(old) === undefined) {
      stack.state.delete(declared.resource);
      continue;
    }
    Object.assign(declared, { appId, campaignName, dailyBudgetMicros, businessName });
    retained.set(keyOf(appId, campaignName), declared);
  }
  program.campaigns = program.campaigns.filter((declared) => {
    const other = retained.get(keyOf(declared.appId, declared.campaignName));
    return other === undefined || other === declared;
  });
  for (const declared of program.campaigns) {
    const key = keyOf(declared.appId, declared.campaignName);
    const adopted = witness.live(stack.number).find(({ id }) => id === declared.campaignId);
    const isAdoptable = adopted?.declaredAs === key && adopted.daily_budget_micros === declared.dailyBudgetMicros;
    const old = stack.state.get(stack.nameOf(declared));
    const isOther = old !== undefined && campaignIdOf(old) !== undefined && campaignIdOf(old) !== declared.campaignId;
    const isReplaced = old !== undefined && old.outputs["businessName"] !== declared.businessName;
    if (!isAdoptable || isOther || isReplaced) declared.campaignId = undefined;
  }

  const managed = stack.managed();
  const names = new Map(program.campaigns.map((declared) => [keyOf(declared.appId, declared.campaignName), declared]));
  for (const { id, appId, declaredAs } of witness.live(stack.number)) {
    const declared = names.get(declaredAs);
    const isInTheWay = declared !== undefined && declared.campaignId !== id && !managed.has(id);
    if (isInTheWay && witness.letGo.has(id)) service.areas.objects.changeCampaign(appId, id, { status: "REMOVED" });
  }
}
