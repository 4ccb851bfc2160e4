/**
 * `npm run soak -- --rounds N`: runs random stacks on the real engine from create to destroy, with faults and kills, and one
 * host for thousands of calls. After every command the service must have what is declared, and after every round nothing.
 *
 *   --rounds N   how many stacks (default 200; one takes about 20 s)
 *   --seed S     the seed of the first round; each further round adds 1 (default: random, and printed)
 *   --lives N    how many objects one host creates and deletes (default 1000; 0: skip the host)
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { install, uninstall } from "../harness/installation";
import { interruptible } from "../demo/interruption";
import { wholeNumber } from "../whole-number";
import { exerciseHost, growthFault } from "./host";
import { noTotals, playRound, type Totals } from "./round";

async function main(signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: "string" }, seed: { type: "string" }, lives: { type: "string" } },
  });
  const rounds = wholeNumber("rounds", values.rounds) ?? 200;
  const first = wholeNumber("seed", values.seed) ?? randomInt(1_000_000);
  const lives = wholeNumber("lives", values.lives) ?? 1_000;
  await install();
  try {
    if (lives > 0) await soakHost(lives, first, signal);
    await soakStacks(rounds, first, signal);
  } finally {
    await uninstall();
  }
}

async function soakHost(lives: number, seed: number, signal: AbortSignal): Promise<void> {
  say(`One host, ${String(lives)} lives, seed ${String(seed)}.`);
  const growth = await exerciseHost(lives, seed, signal);
  const { calls, early, late } = growth;
  say(
    `${String(calls)} calls: ${String(early.megabytes)} MB and ${String(early.handles)} handles early, ` +
      `${String(late.megabytes)} MB and ${String(late.handles)} handles at the end.`,
  );
  const fault = growthFault(growth);
  if (fault !== undefined) fail(fault);
}

async function soakStacks(rounds: number, first: number, signal: AbortSignal): Promise<void> {
  const totals = { ...noTotals };
  const began = Date.now();
  for (let seed = first; seed < first + rounds; seed++) {
    signal.throwIfAborted();
    try {
      await playRound(seed, totals);
    } catch (error) {
      fail(
        `Seed ${String(seed)}: ${(error as Error).message}\nTo repeat it: npm run soak -- --rounds 1 --lives 0 --seed ${String(seed)}`,
      );
      break;
    }
    say(`${String(totals.rounds)} of ${String(rounds)} rounds, seed ${String(seed)}`);
  }
  say(summary(totals, Date.now() - began));
}

function summary({ commands, requests, failed, kills, leftByKills, rounds }: Totals, milliseconds: number): string {
  const each = Math.round(milliseconds / 1000 / Math.max(1, rounds));
  return (
    `${String(rounds)} rounds of ${String(each)} s: ${String(commands)} commands, of which ${String(failed)} failed and were repeated, ` +
    `${String(requests)} requests, ${String(kills)} kills. Left in the service: nothing except ` +
    `${String(leftByKills)} objects whose creation was interrupted before it could be saved.`
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(line: string): void {
  say(line);
  process.exitCode = 1;
}

interruptible(main).catch((error: unknown) => {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode ??= 1;
});
