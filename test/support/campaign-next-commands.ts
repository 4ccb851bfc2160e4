import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { type Campaign, type RequestFault, type Simulator, startSimulator } from "../../simulator";
import { killDuringAll, type Victim } from "../../tools/harness/crash";
import { assertDone, PulumiProject, type Run, type StoredResource } from "../../tools/harness/engine";
import { running } from "./campaign-changes";
import { declared } from "./campaigns";
import { assertDoneWith, failuresOf, isCompanion } from "./steps";

/*
 * A first launch that is interrupted, and what people may do next: the same command again, or something that no longer
 * declares the campaign. Its launch intent is in state, and finds what was launched.
 *
 * As in campaign-crashes.ts, the launches of a stack are interrupted together, each in an app of its own, and the result
 * of each is tested by itself.
 */

type Interruption = (victim: Victim) => RequestFault;

/** When the launch is interrupted. */
const moments = {
  // A host that lives on receives the response, and would send the launch.
  "before the launch is sent": (victim) => ({
    operation: "campaign.readiness",
    then: victim === "cli-alone" ? "hold" : "hang",
  }),
  // Carried out after the next command has read the list for the first time.
  "before the service carries out the launch": () => ({ operation: "campaign.launch", then: "hang" }),
  "after the launch but before the response": () => ({ operation: "campaign.launch", commit: true, then: "hang" }),
  "after the response but before the state is saved": () => ({
    operation: "campaign.launch",
    commit: true,
    then: "hold",
  }),
} satisfies Record<string, Interruption>;

type Moment = keyof typeof moments;

type Command = "up" | "refresh" | "destroy";

/** What is done next, and the campaign that is live at the end. */
interface Next {
  /** "…, then [then]: …" */
  then: string;
  commands: Command[];
  /** What the program declares by then, besides the required arguments; null: the campaign was removed. @default nothing */
  later?: object | null;
  /** Whether the resource gets another name, with an alias of the old one. @default false */
  isRenamed?: boolean;
  /** @default none */
  live?: typeof running;
  /** Whether the live campaign is another one than that of the interrupted launch. @default false */
  isAnother?: boolean;
  /** Whether another campaign cannot be launched beside the interrupted one: the error names that one. @default false */
  isBlocked?: boolean;
}

const nexts: Next[] = [
  { then: "up", commands: ["up", "up"], live: running },
  { then: "up without the campaign", commands: ["up", "up"], later: null },
  {
    then: "up with another campaignName",
    commands: ["up", "up"],
    later: { campaignName: "Autumn sale" },
    live: { ...running, campaign_name: "Autumn sale" },
    isAnother: true,
  },
  {
    then: "up with another budget",
    commands: ["up", "up"],
    later: { dailyBudgetMicros: 7_000_000 },
    live: { ...running, daily_budget_micros: 7_000_000 },
    isAnother: true,
    isBlocked: true,
  },
  { then: "up with the resource renamed", commands: ["up", "up"], isRenamed: true, live: running },
  { then: "destroy", commands: ["destroy"] },
  { then: "refresh and destroy", commands: ["refresh", "destroy"] },
];

/** One interrupted launch. */
interface Cell {
  /** Also the name of the resource. */
  app: string;
  next: Next;
  moment: Moment;
  fault: RequestFault;
  /** Whether what the interrupted command sent is carried out, perhaps late. */
  isLaunched: boolean;
  isLate: boolean;
  /** Whether the following commands fail. */
  isBlocked: boolean;
}

function cellsFor(victim: Victim): Cell[] {
  return nexts
    .flatMap((next) => (Object.keys(moments) as Moment[]).map((moment) => ({ next, moment })))
    .map(({ next, moment }, index) => {
      const app = `app-${String(index + 1)}`;
      const fault: RequestFault = { ...moments[moment](victim), parameters: { app_id: app } };
      const isLaunched = fault.operation === "campaign.launch";
      const isLate = isLaunched && fault.commit !== true;
      return { app, next, moment, fault, isLaunched, isLate, isBlocked: isLaunched && next.isBlocked === true };
    });
}

/** A stack for each row of commands. A failure keeps other steps from starting, so each that is refused has its own. */
function stackOf({ app, next, isBlocked }: Cell): string {
  return isBlocked ? app : next.commands.join(" ");
}

/** What is refused is refused again: once shows it. */
function commandsOf([cell]: Cell[]): Command[] {
  const { next: { commands } = { commands: [] }, isBlocked = false } = cell ?? {};
  return isBlocked ? commands.slice(0, 1) : commands;
}

/** Long enough to find what is carried out late, and no request times out before all wait. */
const environment = {
  WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "3",
  WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "300",
};

const atOnce = ["--parallel", "64"];

const victims: Record<Victim, string> = {
  host: "dynamic host is killed",
  cli: "whole CLI is killed",
  "cli-alone": "CLI is killed and whose host lives on",
};

/** What a stack and the service have in the end. */
interface History {
  missed: RequestFault[];
  killed: Run;
  cancelled: Run | undefined;
  runs: Run[];
  stored: StoredResource[];
  /** By app. Every launch made one, and deleted ones stay listed. */
  campaigns: Map<string, Campaign[]>;
}

/** A suite with a test for each moment and what is done next. */
export function interruptedLaunches(victim: Victim): void {
  describe(`A launch whose ${victims[victim]}`, () => {
    const cells = cellsFor(victim);
    const histories = new Map<string, PromiseSettledResult<History>>();
    const historyOf = (cell: Cell): History => {
      const history = histories.get(stackOf(cell));
      if (history?.status !== "fulfilled") throw history?.reason;
      return history.value;
    };
    before(async () => {
      for (const stack of new Set(cells.map(stackOf))) {
        const group = cells.filter((cell) => stackOf(cell) === stack);
        const [history] = await Promise.allSettled([interrupt(group, victim)]);
        histories.set(stack, history);
      }
    });
    after(() => {
      const all = cells.filter((cell) => histories.get(stackOf(cell))?.status === "fulfilled");
      const sum = (count: (cell: Cell) => number): string =>
        String(all.map(count).reduce((one, other) => one + other, 0));
      const launches = sum((cell) => campaignsOf(cell, historyOf(cell)).length);
      const orphans = sum((cell) => orphansOf(cell, historyOf(cell)).length);
      process.stdout.write(
        `${String(all.length)} launches whose ${victims[victim]}: ${launches} launches, ${orphans} orphans\n`,
      );
    });

    for (const moment of Object.keys(moments))
      describe(moment, () => {
        for (const cell of cells.filter((cell) => cell.moment === moment))
          it(`then ${cell.next.then}: ${outcomeOf(cell)}`, () => {
            assertSafe(cell, historyOf(cell));
          });
      });
  });
}

function outcomeOf({ next, isLaunched, isBlocked }: Cell): string {
  if (isBlocked) return "the running campaign is named in the error, and nothing is launched beside it";
  const ended = isLaunched ? "the launched campaign is deleted" : "nothing was launched";
  if (next.live === undefined) return ended;
  if (next.isAnother === true) return `${ended}, and the other one is launched once`;
  return isLaunched ? "the launched campaign is adopted" : "it is launched once";
}

/** Kills an `up` when every launch has reached its moment, and continues as people would. */
async function interrupt(group: Cell[], victim: Victim): Promise<History> {
  const simulator = await startSimulator();
  const late = group.filter(({ isLate }) => isLate).map(({ app }) => app);
  let [endSurvivors, endLate] = [(): void => undefined, (): void => undefined];
  try {
    const first = programOf(group.map(({ app }) => ({ name: app, args: { ...declared, appId: app } })));
    const stack = await PulumiProject.create({ program: first, baseUrl: simulator.url, environment });
    const faults = group.map(({ fault }) => fault);
    const killed = await killDuringAll({ stack, simulator }, ["up", ...atOnce], victim, faults);
    ({ endSurvivors } = killed);
    const cancelled = victim === "host" ? undefined : await stack.pulumi("cancel", "--yes", "dev");

    await stack.write(programOf(group.flatMap(laterOf)));
    endLate = launchAfterFirstRead(late, simulator);
    const runs: Run[] = [];
    for (const command of commandsOf(group)) runs.push(await stack[command](...atOnce));
    return {
      ...{ missed: killed.missed, killed: killed.run, cancelled, runs },
      stored: await stack.stored(),
      campaigns: new Map(group.map(({ app }) => [app, simulator.objects.campaigns(app)])),
    };
  } finally {
    endLate();
    endSurvivors();
    await simulator.close();
  }
}

/** The service carries out the launches of these apps when a command has read the list for the first time. */
function launchAfterFirstRead(apps: string[], simulator: Simulator): () => void {
  simulator.clearRequests();
  const waiting = new Set(apps);
  const timer = setInterval(() => {
    for (const { operation, parameters } of simulator.requests) {
      const { app_id: app = "" } = parameters;
      if (operation === "campaign.list" && waiting.delete(app)) simulator.objects.putCampaign(app, running);
    }
  }, 5);
  return () => {
    clearInterval(timer);
  };
}

interface Declaration {
  name: string;
  args: object;
  options?: object;
}

function laterOf({ app, next }: Cell): Declaration[] {
  if (next.later === null) return [];
  const args = { ...declared, appId: app, ...next.later };
  return [
    next.isRenamed === true
      ? { name: newNameOf(app), args, options: { aliases: [{ name: app }] } }
      : { name: app, args },
  ];
}

function newNameOf(app: string): string {
  return `${app}-renamed`;
}

function programOf(declarations: Declaration[]): string {
  return `
    const apps = require("pulumi-workspace-apps");
    for (const { name, args, options } of ${JSON.stringify(declarations)})
      exports[name] = new apps.AdCampaign(name, args, options);
  `;
}

/** The commands after the interruption leave no launch too many, and no campaign that is forgotten. */
function assertSafe(cell: Cell, history: History): void {
  const { next, fault, isLaunched, isBlocked } = cell;
  const { missed, killed, cancelled, runs } = history;
  const campaigns = campaignsOf(cell, history);
  assert.ok(!missed.includes(fault), "the moment was not reached");
  assert.notEqual(killed.code, 0);
  if (cancelled !== undefined) assertDone(cancelled);

  assert.deepEqual(orphansOf(cell, history), [], failures(cell, history));
  const name = nameOf(cell);
  if (isBlocked) for (const run of runs) assert.match(failuresOf(name, run).join("\n"), /did not launch/);
  else for (const run of runs) assertDoneWith(name, run);

  const isAnother = next.live !== undefined && (!isLaunched || next.isAnother === true) && !isBlocked;
  assert.equal(campaigns.length, (isLaunched ? 1 : 0) + (isAnother ? 1 : 0), failures(cell, history));
  const live = campaigns.filter(isLive);
  const expected = isBlocked ? running : next.live;
  assert.deepEqual(
    live.map(({ campaign_name, campaign_type, daily_budget_micros, landing_page, status }) => ({
      ...{ campaign_name, campaign_type, daily_budget_micros, landing_page, status },
    })),
    expected === undefined ? [] : [expected],
  );
  assertStored(cell, history, live);
}

/** The stack has the live campaign with its intent, or nothing of either. */
function assertStored(cell: Cell, { stored }: History, live: Campaign[]): void {
  const own = ownOf(cell, stored);
  const managed = cell.isBlocked ? [] : live;
  assert.deepEqual(
    own
      .filter(({ urn }) => !isCompanion(urn))
      .map(({ outputs }) => [outputs?.["campaignId"], outputs?.["launchState"]]),
    managed.map(({ id }) => [id, "confirmed"]),
  );
  // Where the launch was refused, the intent of the interrupted one stays beside the new one.
  const intents = own.filter(({ urn }) => isCompanion(urn)).length;
  assert.equal(intents, cell.isBlocked ? 2 : managed.length, "launch intents");
}

/** The resources of a cell, under the old name and the new one. */
function ownOf(cell: Cell, stored: StoredResource[]): StoredResource[] {
  return stored.filter(({ urn }) => [cell.app, nameOf(cell)].includes(partsOfUrn(urn).name));
}

/** The live campaigns of a cell that neither the state nor the last error names. */
function orphansOf(cell: Cell, history: History): string[] {
  const { stored, runs } = history;
  const error = runs
    .slice(-1)
    .flatMap((run) => failuresOf(nameOf(cell), run))
    .join("\n");
  const managed = ownOf(cell, stored).map(({ outputs }) => outputs?.["campaignId"]);
  const isNamed = (id: string): boolean => new RegExp(`\\b${id}\\b`).test(error);
  return campaignsOf(cell, history)
    .filter((campaign) => isLive(campaign) && !managed.includes(campaign.id) && !isNamed(campaign.id))
    .map(({ id }) => id);
}

function campaignsOf({ app }: Cell, { campaigns }: History): Campaign[] {
  return campaigns.get(app) ?? [];
}

function isLive({ status }: Campaign): boolean {
  return status !== "REMOVED";
}

function nameOf({ app, next }: Cell): string {
  return next.isRenamed === true ? newNameOf(app) : app;
}

/** Short, because the output of a command on many resources is long. */
function failures(cell: Cell, { runs }: History): string {
  return JSON.stringify(runs.map((run) => failuresOf(nameOf(cell), run)));
}
