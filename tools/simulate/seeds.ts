import fc from "fast-check";
import { type Played, play } from "./play";
import { type Schedule, schedules } from "./schedule";
import type { CampaignLifecycle } from "./world";

/** A seed whose schedule broke a promise. */
export interface Failure {
  seed: number;
  /** As it was drawn, and the smallest that was found to break one too. */
  drawn: { schedule: Schedule; played: Played };
  shrunk: { schedule: Schedule; played: Played };
}

export interface Totals {
  seeds: number;
  commands: number;
  requests: number;
  launches: number;
  faults: number;
  crashes: number;
}

export const noTotals: Totals = { seeds: 0, commands: 0, requests: 0, launches: 0, faults: 0, crashes: 0 };

/** Plays the schedule of one seed, and shrinks it when it breaks a promise. */
export async function playSeed(
  seed: number,
  totals: Totals,
  lifecycle?: CampaignLifecycle,
): Promise<Failure | undefined> {
  let drawn: Failure["drawn"] | undefined;
  let shrunk: Failure["shrunk"] | undefined;
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const played = await play(schedule, lifecycle);
    drawn ??= { schedule, played };
    if (played.broken === undefined) return true;
    // Every failure while shrinking is smaller than the one before.
    shrunk = { schedule, played };
    return false;
  });
  // Unbiased: a first run would draw mostly small values.
  await fc.check(property, { seed, numRuns: 1, unbiased: true });
  if (drawn !== undefined) add(totals, drawn.played);
  return drawn === undefined || shrunk === undefined ? undefined : { seed, drawn, shrunk };
}

function add(totals: Totals, { entries, runs }: Played): void {
  totals.seeds++;
  totals.commands += runs.length;
  totals.requests += entries.length;
  totals.launches += entries.filter(({ post }) => post?.campaignId !== undefined).length;
  totals.faults += entries.filter(({ fault }) => fault !== undefined).length;
  totals.crashes += runs.filter(({ isInterrupted }) => isInterrupted).length;
}
