/** `npm run simulate`: plays random stacks with faults and crashes, and checks after each step what must hold. */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { type Simulation, simulations } from "./simulations";

const usage = `Usage: npm run simulate -- [simulation] [options]

Plays random stacks with faults and crashes. Stops at the first seed for which something does not hold.

Simulations:
  launch      schedules of programs, commands, faults and crashes, on a virtual clock: no promise of
              docs/maintainers/launch-protocol.md is broken (default)
  gates       edits with the real Pulumi CLI, 10 for each seed: an \`up\` launches, resumes and deletes only what its
              review announced
  soak        the life of a stack with the real Pulumi CLI: the service has what is declared, and in the end nothing
  host        1,000 lives of objects in one host: its memory and its connections do not grow

Options:
  --seeds N   how many seeds to play (default 2000, 30, 200, 1)
  --from S    the first seed (default 1)
  --fresh     begin with a random seed, which is printed
  --seed S    play this seed alone, and describe it
  --save DIR  launch: write the smallest schedule that breaks a promise, as test/simulate/cases keeps them
  --help      print this text`;

const progressEvery = 2_000;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { seeds: text, from: text, fresh: flag, seed: text, save: text, help: flag };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help === true) {
    print(usage);
    return;
  }
  const [name = "launch", ...others] = positionals;
  const simulation: Simulation | undefined = Object.entries(simulations).find(([one]) => one === name)?.[1];
  if (simulation === undefined || others.length > 0)
    throw new Error(`There is no simulation ${positionals.join(" ")}.`);
  const only = wholeNumber("seed", values.seed);
  const fresh = values.fresh === true ? randomInt(100_000_000, 1_000_000_000) : 1;
  const first = only ?? wholeNumber("from", values.from) ?? fresh;
  const count = only === undefined ? (wholeNumber("seeds", values.seeds) ?? simulation.seeds) : 1;
  // A simulation causes thousands of errors on purpose. Their stack traces cost time, and nobody reads them.
  if (only === undefined) Error.stackTraceLimit = 0;

  print(`Seeds ${String(first)} to ${String(first + count - 1)}`);
  await simulation.prepare?.();
  const began = Date.now();
  let lastProgress = began;
  let hasFailed = false;
  try {
    for (let seed = first; seed < first + count && !hasFailed; seed++) {
      const played = await simulation.play(seed, { isDescribed: only !== undefined, saveTo: values.save });
      hasFailed = played.hasFailed;
      if (played.description !== undefined) print(played.description);
      if (hasFailed)
        print(`Seed ${String(seed)} has failed. To repeat it: npm run simulate -- ${name} --seed ${String(seed)}`);
      if (Date.now() - lastProgress < progressEvery) continue;
      lastProgress = Date.now();
      print(`${String(seed - first + 1)} of ${String(count)} seeds`);
    }
  } finally {
    if (!hasFailed) await simulation.cleanUp?.();
  }
  print(`Played in ${String(Math.round((Date.now() - began) / 1000))} s: ${JSON.stringify(simulation.totals())}`);
  if (hasFailed) process.exitCode = 1;
}

/** The value of an option that is a count. */
function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number.`);
  return Number(text);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nRun with --help for usage.\n`);
  process.exitCode = 2;
});
