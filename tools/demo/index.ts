/**
 * `npm run demo`: tells stories of resources with the real Pulumi CLI and the simulator. Each step says what to look at.
 * It shows the commands, their output and the requests that the service received, and fails if its promise does not hold.
 */
import { once } from "node:events";
import { interruptible } from "./interruption";
import { killedStory } from "./killed-story";
import { launchStory } from "./launch-story";
import { type Options, optionsIn, usage } from "./options";
import { reviewStory } from "./review-story";
import { pageOf, withStage } from "./stage";
import { type Stage, tell } from "./story";
import { webhookStory } from "./webhook-story";

const stories = [webhookStory, launchStory, killedStory, reviewStory];

async function demonstrate(keep: boolean, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const colour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  await withStage({ say, colour, signal }, async (stage) => {
    for (const story of stories) await tell(story, stage);
    say(`\nDone in ${((performance.now() - started) / 1000).toFixed(0)} s: every promise was checked.`);
    if (keep) await keepOpen(stage, signal);
  });
}

async function keepOpen(stage: Stage, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  say(`\nThe simulator still runs. Open ${pageOf(stage)} to see what it holds and what it was asked.`);
  say("Press Ctrl-C to stop it.");
  await once(signal, "abort");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(error: unknown, exitCode: number): void {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode ??= exitCode;
}

function main({ keep, help }: Options): Promise<void> {
  if (!help) return interruptible((signal) => demonstrate(keep, signal));
  process.stdout.write(usage);
  return Promise.resolve();
}

try {
  main(optionsIn(process.argv.slice(2))).catch((error: unknown) => {
    fail(error, 1);
  });
} catch (error) {
  fail(error, 2);
}
