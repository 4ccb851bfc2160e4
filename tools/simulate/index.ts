/**
 * `npm run simulate -- --seeds N`: random programs, commands, faults and crashes against the simulated service on a
 * virtual clock, and after each step the promises of docs/launch-safety.md.
 *
 *   --seeds N   how many schedules are played (default 2000)
 *   --from S    the first seed (default 1)
 *   --seed S    that one alone, with its schedule and requests
 */
import { parseArgs } from "node:util";
import { wholeNumber } from "../whole-number";
import { describePlayed, describeSchedule } from "./report";
import { type Failure, noTotals, playSeed, type Totals } from "./seeds";

const progressEvery = 2_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seeds: { type: "string" }, from: { type: "string" }, seed: { type: "string" } },
  });
  const only = wholeNumber("seed", values.seed);
  const first = only ?? wholeNumber("from", values.from) ?? 1;
  const count = only === undefined ? (wholeNumber("seeds", values.seeds) ?? 2_000) : 1;
  // Nobody reads the stacks of the thousands of errors that a simulation makes on purpose.
  if (only === undefined) Error.stackTraceLimit = 0;

  const totals = { ...noTotals };
  const began = Date.now();
  let said = began;
  for (let seed = first; seed < first + count; seed++) {
    const failure = await playSeed(seed, totals);
    if (failure !== undefined) {
      say(describeFailure(failure));
      process.exitCode = 1;
      break;
    }
    if (Date.now() - said >= progressEvery) {
      said = Date.now();
      say(`${String(totals.seeds)} of ${String(count)} seeds`);
    }
  }
  say(summary(totals, Date.now() - began));
}

function describeFailure({ seed, drawn, shrunk }: Failure): string {
  return [
    `Seed ${String(seed)} breaks a promise.`,
    describeSchedule(drawn.schedule),
    describePlayed(drawn.played),
    "",
    "The smallest schedule that was found to break one:",
    describeSchedule(shrunk.schedule),
    describePlayed(shrunk.played),
    "",
    `Alone: npm run simulate -- --seed ${String(seed)}`,
  ].join("\n");
}

function summary({ seeds, commands, requests, launches, faults, crashes }: Totals, milliseconds: number): string {
  const rate = Math.round(seeds / Math.max(0.001, milliseconds / 1000));
  return (
    `${String(seeds)} seeds, ${String(rate)} schedules a second: ${String(commands)} commands, ${String(requests)} requests, ` +
    `${String(launches)} launches, ${String(faults)} faults and ${String(crashes)} crashes met.`
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
