/**
 * `npm run simulate`: plays random programs, commands, faults and crashes against the simulated service on a virtual
 * clock. After each step it checks the promises of docs/contributing/launch-proof.md.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { wholeNumber } from "../whole-number";
import { describePlayed, describeSchedule } from "./report";
import { isFailure, type PlayedSeed, playSeed, saveCase } from "./seeds";

const usage = `Usage: npm run simulate -- [options]

Plays random schedules of programs, commands, faults and crashes, and checks after each step that no promise of
docs/contributing/launch-proof.md is broken. A seed always gives the same schedule. Stops at the first schedule that
breaks one.

Options:
  --seeds N   how many schedules to play (default 2000)
  --from S    the first seed (default 1)
  --fresh     begin with a random seed, which is printed
  --seed S    play this seed alone, and print its schedule and requests
  --save DIR  write the smallest schedule that breaks a promise to this folder, as test/simulate/cases keeps them
  --help      print this text`;

const progressEvery = 2_000;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { seeds: text, from: text, fresh: flag, seed: text, save: text, help: flag };
  const { values } = parseArgs({ options });
  if (values.help === true) {
    print(usage);
    return;
  }
  const only = wholeNumber("seed", values.seed);
  const fresh = values.fresh === true ? randomInt(100_000_000, 1_000_000_000) : 1;
  const first = only ?? wholeNumber("from", values.from) ?? fresh;
  const count = only === undefined ? (wholeNumber("seeds", values.seeds) ?? 2_000) : 1;
  // A simulation causes thousands of errors on purpose. Their stack traces cost time, and nobody reads them.
  if (only === undefined) Error.stackTraceLimit = 0;

  print(`Seeds ${String(first)} to ${String(first + count - 1)}`);
  const totals = { schedules: 0, commands: 0, requests: 0, launches: 0, faults: 0, crashes: 0 };
  const began = Date.now();
  let lastProgress = began;
  for (let seed = first; seed < first + count; seed++) {
    const played = await playSeed(seed);
    const { entries, runs } = played.drawn.played;
    totals.schedules++;
    totals.commands += runs.length;
    totals.requests += entries.length;
    totals.launches += entries.filter(({ campaignId }) => campaignId !== undefined).length;
    totals.faults += entries.filter(({ fault }) => fault !== undefined).length;
    totals.crashes += runs.filter(({ isInterrupted }) => isInterrupted).length;
    if (isFailure(played) || only !== undefined) print(describeSeed(played));
    if (isFailure(played)) {
      process.exitCode = 1;
      if (values.save !== undefined) print(`Saved as ${saveCase(values.save, played)}`);
      break;
    }
    if (Date.now() - lastProgress < progressEvery) continue;
    lastProgress = Date.now();
    print(`${String(totals.schedules)} of ${String(count)} seeds`);
  }
  const rate = Math.round(totals.schedules / Math.max(0.001, (Date.now() - began) / 1000));
  const counts = Object.entries(totals).map(([name, number]) => `${String(number)} ${name}`);
  print(`Played ${counts.join(", ")}; ${String(rate)} schedules a second.`);
}

function describeSeed({ seed, drawn, shrunk }: PlayedSeed): string {
  const whole = [describeSchedule(drawn.schedule), describePlayed(drawn.played)];
  if (shrunk === undefined) return whole.join("\n");
  return [
    `Seed ${String(seed)} breaks a promise.`,
    ...whole,
    "",
    "The smallest schedule found that breaks one:",
    describeSchedule(shrunk.schedule),
    describePlayed(shrunk.played),
    "",
    `To play it alone: npm run simulate -- --seed ${String(seed)}`,
  ].join("\n");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nRun with --help for usage.\n`);
  process.exitCode = 2;
});
