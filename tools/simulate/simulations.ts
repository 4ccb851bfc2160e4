import * as gates from "../gates/round";
import { install, uninstall } from "../harness/installation";
import { exerciseHost, growthFault } from "../soak/host";
import * as soak from "../soak/round";
import { describePlayed, describeSchedule } from "./report";
import { isFailure, type PlayedSeed, playSeed, saveCase } from "./seeds";

/* The simulations that `npm run simulate` can play. Each seed gives one life of random stacks. */

export interface Simulation {
  /** How many seeds it plays by default. */
  readonly seeds: number;
  /** Brings what the simulation runs on. @default nothing */
  readonly prepare?: () => Promise<void>;
  /** Removes it. After a failure it stays, because the message of the failure names a folder. */
  readonly cleanUp?: () => Promise<void>;
  /** Plays one seed. */
  readonly play: (seed: number, options: Options) => Promise<Played>;
  /** Counts over all seeds so far. */
  readonly totals: () => object;
}

interface Options {
  /** Whether to describe seeds that keep all promises too. */
  readonly isDescribed: boolean;
  /** Where the smallest schedule is saved that breaks a promise. @default nowhere */
  readonly saveTo?: string | undefined;
}

interface Played {
  readonly hasFailed: boolean;
  /** For the person who looks for the bug. */
  readonly description?: string;
}

const kept: Played = { hasFailed: false };
const onEngine = { prepare: install, cleanUp: uninstall };

export const simulations = {
  launch: launches(),
  gates: reviews(),
  soak: stacks(),
  host: { seeds: 1, ...onEngine, play: playHost, totals: () => ({}) },
} satisfies Record<string, Simulation>;

function launches(): Simulation {
  const totals = { schedules: 0, commands: 0, requests: 0, launches: 0, faults: 0, crashes: 0 };
  const play = async (seed: number, { isDescribed, saveTo }: Options): Promise<Played> => {
    const played = await playSeed(seed);
    const { entries, runs } = played.drawn.played;
    totals.schedules++;
    totals.commands += runs.length;
    totals.requests += entries.length;
    totals.launches += entries.filter(({ campaignId }) => campaignId !== undefined).length;
    totals.faults += entries.filter(({ fault }) => fault !== undefined).length;
    totals.crashes += runs.filter(({ isInterrupted }) => isInterrupted).length;
    if (!isFailure(played)) return isDescribed ? { hasFailed: false, description: describeSeed(played) } : kept;
    const saved = saveTo === undefined ? [] : [`Saved as ${saveCase(saveTo, played)}`];
    return { hasFailed: true, description: [describeSeed(played), ...saved].join("\n") };
  };
  return { seeds: 2_000, play, totals: () => totals };
}

function describeSeed({ drawn, shrunk }: PlayedSeed): string {
  const whole = [describeSchedule(drawn.schedule), describePlayed(drawn.played)];
  if (shrunk === undefined) return whole.join("\n");
  const smallest = [describeSchedule(shrunk.schedule), describePlayed(shrunk.played)];
  return [...whole, "", "The smallest schedule found that breaks a promise:", ...smallest, ""].join("\n");
}

function reviews(): Simulation {
  const totals = gates.noTotals();
  const play = async (seed: number): Promise<Played> => {
    const miss = await gates.playSeed(seed, gates.roundsOfASeed, totals);
    if (miss === undefined) return kept;
    const { round, folder, what } = miss;
    const description = [`Round ${String(round)} (${folder}): the review did not announce`, ...what].join("\n  ");
    return { hasFailed: true, description };
  };
  return { seeds: 30, ...onEngine, play, totals: () => totals };
}

function stacks(): Simulation {
  const totals = { ...soak.noTotals };
  const play = async (seed: number): Promise<Played> => {
    try {
      await soak.playRound(seed, totals);
      return kept;
    } catch (error) {
      return { hasFailed: true, description: (error as Error).message };
    }
  };
  return { seeds: 200, ...onEngine, play, totals: () => totals };
}

/** How many objects one host creates and deletes: far more than in one command. */
const lives = 1_000;

async function playHost(seed: number): Promise<Played> {
  const growth = await exerciseHost(lives, seed);
  const fault = growthFault(growth);
  return { hasFailed: fault !== undefined, description: `${fault ?? "No leak."} ${JSON.stringify(growth)}` };
}
