/**
 * `npm run bench`: what the resources cost in both forms (ours, packaged). They are compared with a no-op resource of the
 * same type (floor) and with the usual way of writing dynamic resources (usual). Everything runs on the real engine and real sockets, in one run. Absolute times
 * mean little on a noisy machine; compare the ratios.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { install, uninstall } from "../tools/harness/installation";
import { type Goal, isSameGoal, merged, summary, table } from "./goals";
import { machine, versions } from "./machine";
import { hostGoals } from "./parts/host";
import { pacingGoals } from "./parts/pacing";
import { programGoals } from "./parts/program";
import { campaigns, memberships, refreshOf, webhookRefreshes } from "./parts/refresh";
import { startGoals } from "./parts/start";
import { growthGoals, type Rounds, rounds, stateGoals, timeGoals } from "./parts/webhooks";
import { isSamePoint, type Point, pointsOf } from "./points";
import { allSteps } from "./rounds";

const allParts = ["state", "time", "refresh", "host", "pacing", "program", "start"] as const;
type Part = (typeof allParts)[number];

interface Options {
  parts: readonly Part[];
  sizes: readonly number[];
  rounds: number;
  /** Where the figures are written. */
  results: string;
  /** Whether those of earlier runs are kept there, as far as this run does not measure them. */
  isPartial: boolean;
}

/** The source of bench/README.md. */
const published = "bench/results.json";
const unpublished = ".cache/bench-results.json";

/** The options of a full run. */
const full = { only: allParts.join(","), sizes: "100,500,1000", rounds: "3" };

const usage = `npm run bench -- [--only ${full.only}] [--sizes ${full.sizes}] [--rounds ${full.rounds}] [--save]`;

function options(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: full.only },
      sizes: { type: "string", default: full.sizes },
      rounds: { type: "string", default: full.rounds },
      save: { type: "boolean", default: false },
    },
  });
  const isPart = (name: string): name is Part => allParts.includes(name as Part);
  const parts = values.only.split(",");
  const sizes = values.sizes.split(",").map(Number);
  const count = Number(values.rounds);
  const isNumber = (value: number): boolean => Number.isInteger(value) && value > 0;
  if (!parts.every(isPart) || ![...sizes, count].every(isNumber)) throw new Error(usage);
  const isFull = values.only === full.only && values.sizes === full.sizes && values.rounds === full.rounds;
  const results = isFull || values.save ? published : unpublished;
  return { parts, sizes, rounds: count, results, isPartial: values.save && !isFull };
}

/** The content of the file. */
interface Results {
  goals: Goal[];
  points: Point[];
}

function dated<T extends object>(entries: readonly T[], on: string): (T & { on: string })[] {
  return entries.map((entry) => ({ ...entry, on }));
}

async function main(): Promise<void> {
  const { parts, sizes, rounds: count, results, isPartial } = options();
  const file = path.resolve(__dirname, "..", results);
  const earlier = isPartial ? (JSON.parse(await readFile(file, "utf8")) as Results) : { goals: [], points: [] };
  const began = new Date().toISOString();
  const goals: Goal[] = [];
  const points: Point[] = [];
  await install();
  try {
    if (parts.includes("pacing")) goals.push(...(await pacingGoals(1000)));
    if (parts.includes("host")) goals.push(...(await hostGoals(1000, count)));
    if (parts.includes("refresh")) {
      for (const objects of [campaigns, memberships]) goals.push(...(await refreshOf(objects, 500)));
      // The rounds of the part "time" count them too.
      for (const size of parts.includes("time") ? [] : sizes) points.push(...(await webhookRefreshes(size)));
    }
    if (parts.includes("program")) goals.push(...(await programGoals(count)));
    if (parts.includes("start")) goals.push(...(await startGoals(count)));
    const measured = new Map<number, Rounds>();
    for (const size of parts.includes("time") || parts.includes("state") ? sizes : []) {
      const isTimed = parts.includes("time");
      const done = await rounds(size, isTimed ? count : 1, isTimed ? allSteps : ["up"]);
      measured.set(size, done);
      if (parts.includes("state")) goals.push(...stateGoals(size, done));
      if (isTimed) goals.push(...timeGoals(size, done));
      points.push(...pointsOf(size, done, isTimed ? [...allSteps, "state", "requests of refresh"] : ["state"]));
      // A long run that is interrupted keeps its results so far.
      await save();
    }
    if (parts.includes("time")) goals.push(...growthGoals(measured));
  } finally {
    await uninstall();
  }
  await save();
  process.stdout.write(`\n${table(goals)}\n\nWritten to ${results}.\n`);

  async function save(): Promise<void> {
    const about = { began, machine: machine(), versions: versions(), rounds: count };
    await mkdir(path.dirname(file), { recursive: true });
    const on = began.slice(0, 10);
    const lists = {
      goals: merged(earlier.goals, dated(goals, on), isSameGoal),
      points: merged(earlier.points, dated(points, on), isSamePoint),
    };
    await writeFile(file, summary(about, lists));
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
