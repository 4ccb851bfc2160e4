/**
 * `npm run simulate`: plays random programs, commands, faults and crashes against the simulated service on a virtual
 * clock. After each step it checks the promises of docs/contributing/launch-proof.md.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { wholeNumber } from "../whole-number";
import { describePlayed, describeSchedule } from "./report";
import { isFailure, noTotals, type PlayedSeed, playSeed, saveCase, type Totals } from "./seeds";

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
  const { values } = parseArgs({
    options: {
      seeds: { type: "string" },
      from: { type: "string" },
      fresh: { type: "boolean" },
      seed: { type: "string" },
      save: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    print(usage);
    return;
  }
  const only = wholeNumber("seed", values.seed);
  const first =
    only ?? wholeNumber("from", values.from) ?? (values.fresh === true ? randomInt(100_000_000, 1_000_000_000) : 1);
  const count = only === undefined ? (wholeNumber("seeds", values.seeds) ?? 2_000) : 1;
  // A simulation causes thousands of errors on purpose. Their stack traces cost time, and nobody reads them.
  if (only === undefined) Error.stackTraceLimit = 0;

  if (only === undefined) print(`Seeds ${String(first)} to ${String(first + count - 1)}`);
  const totals = { ...noTotals };
  const began = Date.now();
  let lastProgress = began;
  for (let seed = first; seed < first + count; seed++) {
    const played = await playSeed(seed, totals);
    if (isFailure(played)) process.exitCode = 1;
    if (isFailure(played) && values.save !== undefined) print(`Saved as ${saveCase(values.save, played)}`);
    if (isFailure(played) || only !== undefined) print(describeSeed(played));
    if (isFailure(played)) break;
    if (Date.now() - lastProgress >= progressEvery) {
      lastProgress = Date.now();
      print(`${String(totals.seeds)} of ${String(count)} seeds`);
    }
  }
  print(summary(totals, Date.now() - began));
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

function summary({ seeds, commands, requests, launches, faults, crashes }: Totals, milliseconds: number): string {
  const rate = Math.round(seeds / Math.max(0.001, milliseconds / 1000));
  return (
    `Played ${String(seeds)} schedules, ${String(rate)} a second: ${String(commands)} commands, ${String(requests)} requests, ` +
    `${String(launches)} launches, ${String(faults)} faults, ${String(crashes)} crashes.`
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nRun with --help for usage.\n`);
  process.exitCode = 2;
});
