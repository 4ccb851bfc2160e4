import { assertAllKnown, isOrphan } from "./invariants";
import type { Run } from "./run";
import type { Command, Declaration } from "./schedule";
import { campaignIdOf, keyIn, deletionPolicyOf, type Stack } from "./stack";
import { Broken, keyOf } from "./witness";
import type { World } from "./world";

/* 5. Without faults, at most two `up`s reach what is declared, a third sends nothing, and destroy ends everything. */

export async function converge(world: World): Promise<void> {
  world.setLag(0);
  world.service.areas.advertising.setBillingHold(false);
  await world.time.untilQuiet();
  await world.pass(world.quarantineMilliseconds + 1_000);
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
    const first = await runAlone(world, stack, "up without preview");
    if (first.errors.length > 0) assertDone(await runAlone(world, stack, "up without preview"));
    assertAsDeclared(stack, world);
    const requests = world.witness.entries.length;
    assertDone(await runAlone(world, stack, "up"));
    if (world.witness.entries.length > requests) throw new Broken("5. An up without a change sends requests.");
  }
  for (const stack of stacks) {
    assertDone(await runAlone(world, stack, "destroy"));
    if (stack.state.size > 0) throw new Broken("5. A destroy leaves resources in the state.");
    for (const { id, run } of world.witness.live(stack.number))
      if (!world.witness.letGo.has(id) && !isOrphan(id, run, world.witness))
        throw new Broken(`5. A destroy leaves ${id} live.`);
  }
}

async function runAlone(world: World, { number: stack }: Stack, kind: Command["kind"]): Promise<Run> {
  const command: Command = { stack, kind, begins: 0, faults: [], crash: undefined };
  const [run] = await world.run([command], ({ errors }) => {
    world.stack(stack).lastErrors = errors;
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
  for (const { id, declaredAs, run } of live)
    if (!keys.has(declaredAs) && !isOrphan(id, run, witness))
      throw new Broken(`5. ${id}, ${declaredAs}, is live and not declared.`);
}

/**
 * Does what a person would do about the errors with which `up` refuses to decide. Undoes a change that would replace a
 * campaign that is retained, or paused under the same name. Declares a campaign that moves to another resource as it is.
 * Leaves out an id that cannot be adopted. Removes in the service what was left running or paused under the name of a
 * declared campaign.
 */
function followErrors(stack: Stack, { witness, service }: World): void {
  const { program } = stack;
  const retained = new Map<string, Declaration>();
  for (const declared of program.campaigns) {
    const old = stack.state.get(declared.resource);
    if (old === undefined || old.isPendingReplacement) continue;
    const { appId, campaignName, dailyBudgetMicros, businessName } = old.outputs as unknown as Declaration;
    const keepsName = keyIn(old.outputs) === keyOf(declared.appId, declared.campaignName);
    if (deletionPolicyOf(old) === "pause" && keepsName) Object.assign(declared, { dailyBudgetMicros, businessName });
    if (deletionPolicyOf(old) !== "retain") continue;
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
  const byCertainty = [...stack.state.values()].sort(
    (one, other) => Number(campaignIdOf(one) !== undefined) - Number(campaignIdOf(other) !== undefined),
  );
  const kept = new Map(byCertainty.map((resource) => [keyIn(resource.outputs), resource]));
  for (const declared of program.campaigns) {
    const { outputs, isPendingReplacement } = kept.get(keyOf(declared.appId, declared.campaignName)) ?? {};
    if (outputs === undefined || isPendingReplacement === true) continue;
    if (stack.state.get(declared.resource)?.outputs !== outputs)
      declared.dailyBudgetMicros = outputs["dailyBudgetMicros"] as number;
  }

  for (const declared of program.campaigns) {
    const key = keyOf(declared.appId, declared.campaignName);
    const adopted = witness.live(stack.number).find(({ id }) => id === declared.campaignId);
    const isAdoptable = adopted?.declaredAs === key && adopted.daily_budget_micros === declared.dailyBudgetMicros;
    const old = stack.state.get(declared.resource);
    const isOther = old !== undefined && campaignIdOf(old) !== undefined && campaignIdOf(old) !== declared.campaignId;
    const isReplaced = old !== undefined && old.outputs["businessName"] !== declared.businessName;
    if (!isAdoptable || isOther || isReplaced) declared.campaignId = undefined;
  }

  const managed = stack.managed();
  const unconfirmed = stack.unconfirmed();
  for (const { appId, campaignName, dailyBudgetMicros } of program.campaigns) {
    const key = keyOf(appId, campaignName);
    const ofThisName = witness.live(stack.number).filter(({ declaredAs }) => declaredAs === key);
    for (const { id, daily_budget_micros } of ofThisName) {
      const isTaken = ofThisName.length === 1 && daily_budget_micros === dailyBudgetMicros;
      const isOwn = managed.has(id) || (unconfirmed.has(key) && !witness.letGo.has(id));
      const isLaunched = !witness.letGo.has(id) && daily_budget_micros === dailyBudgetMicros;
      if (!isTaken && !isOwn && !isLaunched) service.areas.objects.changeCampaign(appId, id, { status: "REMOVED" });
    }
  }
}
