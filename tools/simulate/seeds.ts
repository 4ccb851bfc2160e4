import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Played, play } from "./play";
import { type Schedule, schedules } from "./schedule";
import type { Lifecycles } from "./world";

interface PlayedSchedule {
  schedule: Schedule;
  played: Played;
}

/** The result of a seed. */
export interface PlayedSeed {
  seed: number;
  /** The schedule as it was drawn. */
  drawn: PlayedSchedule;
  /** The smallest schedule found that breaks a promise; undefined when the drawn one keeps them all. */
  shrunk: PlayedSchedule | undefined;
}

/** A seed whose schedule broke a promise. */
export type Failure = PlayedSeed & { shrunk: PlayedSchedule };

/** A schedule that broke a promise, as `test/simulate/cases` keeps it. */
export interface SavedCase {
  title: string;
  seed: number;
  schedule: Schedule;
}

export function isFailure(played: PlayedSeed): played is Failure {
  return played.shrunk !== undefined;
}

/** Plays the schedule of one seed, and shortens it when it breaks a promise. */
export async function playSeed(seed: number, changed?: Partial<Lifecycles>, isShortened = true): Promise<PlayedSeed> {
  let drawn: PlayedSchedule | undefined;
  let shrunk: PlayedSchedule | undefined;
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const played = await play(schedule, changed);
    drawn ??= { schedule, played };
    if (played.broken === undefined) return true;
    // While shrinking, every failure is smaller than the one before.
    shrunk = { schedule, played };
    return false;
  });
  // Unbiased: a first run would draw mostly small values.
  await fc.check(property, { seed, numRuns: 1, unbiased: true, endOnFailure: !isShortened });
  if (drawn === undefined) throw new Error(`internal error: no schedule was played for seed ${String(seed)}`);
  return { seed, drawn, shrunk };
}

/** Writes the smallest schedule found, so that it can be kept as a test. Returns the file. */
export function saveCase(folder: string, { seed, shrunk }: Failure): string {
  const [title = ""] = (shrunk.played.broken?.rule ?? "").split("\n");
  const saved: SavedCase = { title, seed, schedule: shrunk.schedule };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `seed-${String(seed)}.json`);
  writeFileSync(file, `${JSON.stringify(saved, undefined, 2)}\n`);
  return file;
}
