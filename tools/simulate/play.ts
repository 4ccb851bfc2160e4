import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { converge } from "./convergence";
import { applyEdit } from "./edits";
import { mayRun, untilListedAfterCrash } from "./exclusions";
import { assertAllKnown, assertAttemptsSaved } from "./invariants";
import type { Run } from "./run";
import { apps, type Command, type Schedule, type Step } from "./schedule";
import { keyIn } from "./stack";
import { Broken, type Entry, isLive } from "./witness";
import { type Lifecycles, World } from "./world";

/** The outcome of a schedule. */
export interface Played {
  /** The broken promise, and after how many steps; undefined when all were kept. */
  broken: { rule: string; step: number } | undefined;
  entries: readonly Entry[];
  runs: readonly Run[];
}

/** Plays a schedule from its first step until everything has converged, or a promise is broken. */
export async function play(schedule: Schedule, changed: Partial<Lifecycles> = {}): Promise<Played> {
  const world = new World(schedule, { campaign: adCampaignLifecycle, intent: launchIntentLifecycle, ...changed });
  let done = 0;
  let rule: string | undefined;
  try {
    for (const step of schedule.steps) {
      await takeStep(world, step);
      world.witness.assertUnbroken();
      for (const stack of world.stacks) assertAllKnown(stack, world.witness);
      world.witness.assertUnbroken();
      done++;
    }
    await converge(world);
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
      applyEdit(
        stack.program,
        step.edit,
        stack.history,
        (key) => world.witness.live(stack.number).find(({ declaredAs }) => declaredAs === key)?.id,
      );
      // The failed command may have done more than the state says, and no difference shows that now.
      if (stack.lastErrors.length > 0) stack.hasDrifted = true;
      return;
    }
    case "wait":
      return world.pass(step.seconds * 1000);
    case "state delete":
      forget(world, step);
      return;
    case "person":
      act(world, step);
      return;
    case "lag":
      world.setLag(step.milliseconds);
      return;
    case "billing hold":
      world.service.areas.advertising.setBillingHold(step.on);
      return;
  }
}

async function runAll(world: World, commands: readonly Command[]): Promise<void> {
  await untilListedAfterCrash(world);
  const admitted: Command[] = [];
  for (const command of commands) if (await mayRun(world, command, commands)) admitted.push(command);
  const runs = await world.run(admitted, (run) => {
    note(run, world);
  });
  if (runs.every(({ isInterrupted }) => !isInterrupted)) return;
  await world.time.untilQuiet();
  world.crashedAt = world.time.now();
  // `pulumi cancel`
  for (const stack of world.stacks) stack.isLocked = false;
}

function note(run: Run, { stacks, witness }: World): void {
  const { command, errors, isInterrupted } = run;
  const stack = stacks[command.stack];
  if (stack === undefined || command.kind.startsWith("preview")) return;
  if (errors.some((error) => error.includes("locked"))) return;
  stack.lastErrors = errors;
  stack.dealtWith = isInterrupted ? new Set() : run.dealtWith;
  // An `up` sees no difference in an object that is gone in the service and still in the state.
  if (command.kind === "destroy" && (errors.length > 0 || isInterrupted)) stack.hasDrifted = true;
  assertAttemptsSaved(run, stack, witness);
  // Until the list shows what the crash left under way.
  if (isInterrupted) stack.isLocked = true;
}

/** A person takes a campaign and its intent out of the state. What it launched is theirs from then on. */
function forget(world: World, { stack: number, which }: Extract<Step, { is: "state delete" }>): void {
  const stack = world.stack(number);
  const names = [...new Set([...stack.state.keys(), ...stack.intents.keys()])];
  const name = names[which % Math.max(1, names.length)];
  if (name === undefined) return;
  // Who takes an unconfirmed launch out of the state knows that nothing was launched.
  if (stack.state.get(name)?.outputs["launchState"] === "unconfirmed") return;
  const forgotten = [stack.state.get(name), stack.intents.get(name)].flatMap((resource) => resource ?? []);
  stack.state.delete(name);
  stack.intents.delete(name);
  const managed = stack.managed();
  for (const { id, declaredAs } of world.witness.live(number)) {
    const isIts = forgotten.some(({ outputs }) => outputs["campaignId"] === id || keyIn(outputs) === declaredAs);
    if (isIts && !managed.has(id)) world.witness.letGo.add(id);
  }
}

/** A person pauses, resumes or removes a campaign in the service. */
function act(world: World, { does, which }: Extract<Step, { is: "person" }>): void {
  const { objects } = world.service.areas;
  const live = apps.flatMap((appId) =>
    objects.campaigns(appId).flatMap((campaign) => (isLive(campaign) ? [{ appId, id: campaign.id }] : [])),
  );
  const campaign = live[which % Math.max(1, live.length)];
  if (campaign === undefined) return;
  const status = { pause: "PAUSED", resume: "ENABLED", remove: "REMOVED" }[does];
  objects.changeCampaign(campaign.appId, campaign.id, { status });
  for (const stack of world.stacks) stack.hasDrifted = true;
}
