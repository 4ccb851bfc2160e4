import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { type Campaign, type LoggedRequest, type RequestFault, type Simulator, startSimulator } from "../../simulator";
import { killDuringAll, meeting, type Victim } from "../../tools/harness/crash";
import { assertDone, PulumiProject, type Run, type StoredResource } from "../../tools/harness/engine";
import { running } from "./campaign-changes";
import { declared } from "./campaigns";
import { assertDoneWith, assertFailedWith, failuresOf, isCompanion } from "./steps";

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
  /**
   * Whether the changed campaign cannot be launched beside the interrupted one: the first command fails and names that
   * one. The program then declares it by its id, with its own values. @default false
   */
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
  /** Whether the first of the following commands is refused, and the second one adopts. */
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

/** A stack for each row of commands. A failure keeps other steps from starting, so what is refused has its own. */
function stackOf({ next, isBlocked }: Cell): string {
  return `${next.commands.join(" ")}${isBlocked ? ", the first of which is refused" : ""}`;
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

/** A command after the interruption, and what the stack and the service have then. */
interface Result {
  run: Run;
  requests: readonly LoggedRequest[];
  stored: StoredResource[];
  /** By app. Every launch made one, and deleted ones stay listed. */
  campaigns: Map<string, Campaign[]>;
}

interface History {
  missed: RequestFault[];
  killed: Run;
  cancelled: Run | undefined;
  results: Result[];
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
      const launches = sum((cell) => campaignsOf(cell, lastOf(historyOf(cell))).length);
      const orphans = sum((cell) => orphansOf(cell, lastOf(historyOf(cell))).length);
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
  if (isBlocked) return "the error names the launched campaign, which is adopted by that id";
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

    endLate = launchAfterFirstRead(late, simulator);
    const results: Result[] = [];
    for (const command of group[0]?.next.commands ?? []) {
      const [first] = results;
      const isRefused = first === undefined && group.every(({ isBlocked }) => isBlocked);
      await stack.write(programOf(group.flatMap((cell) => laterOf(cell, first))));
      simulator.clearRequests();
      const run = await (isRefused ? upTogether(group, stack, simulator) : stack[command](...atOnce));
      results.push({
        ...{ run, requests: [...simulator.requests], stored: await stack.stored() },
        campaigns: new Map(group.map(({ app }) => [app, simulator.objects.campaigns(app)])),
      });
    }
    return { missed: killed.missed, killed: killed.run, cancelled, results };
  } finally {
    endLate();
    endSurvivors();
    await simulator.close();
  }
}

/**
 * An `up` whose campaigns all read the list before one of them gets an answer. A failure then stops none of the others,
 * without the option --continue-on-error, with which the engine also removes what the refused campaigns should replace.
 */
async function upTogether(group: Cell[], stack: PulumiProject, simulator: Simulator): Promise<Run> {
  const reads = group.map(({ app }): RequestFault => ({
    ...{ operation: "campaign.list", parameters: { app_id: app } },
    ...{ commit: true, then: "hold" },
  }));
  for (const read of reads) simulator.fault(read);
  const command = stack.start("up", ...atOnce);
  await meeting(command, simulator, reads);
  simulator.clearFaults();
  await simulator.release();
  return command.ended;
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

/** What the program declares after the interruption, and after a first command that was refused, as its error says. */
function laterOf(cell: Cell, first: Result | undefined): Declaration[] {
  const { app, next, isBlocked } = cell;
  if (next.later === null) return [];
  const own = { ...declared, appId: app };
  const isRefused = isBlocked && first !== undefined;
  const args = isRefused ? { ...own, campaignId: namedIn(cell, first) } : { ...own, ...next.later };
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
  const { missed, killed, cancelled, results } = history;
  assert.ok(!missed.includes(fault), "the moment was not reached");
  assert.notEqual(killed.code, 0);
  if (cancelled !== undefined) assertDone(cancelled);

  const [refused, ...others] = results;
  if (isBlocked) assertRefused(cell, refused);
  for (const { run } of isBlocked ? others : results) assertDoneWith(nameOf(cell), run);

  const last = lastOf(history);
  assert.deepEqual(orphansOf(cell, last), [], failures(cell, history));
  const isAnother = next.live !== undefined && (!isLaunched || next.isAnother === true) && !isBlocked;
  const campaigns = campaignsOf(cell, last);
  assert.equal(campaigns.length, (isLaunched ? 1 : 0) + (isAnother ? 1 : 0), failures(cell, history));
  const live = campaigns.filter(isLive);
  assertValues(live, isBlocked ? running : next.live);
  // A campaign that is declared by its id has no intent.
  assertStored(cell, last, { managed: live, intents: isBlocked ? 0 : live.length });
  if (isBlocked)
    assert.deepEqual([...new Set(operationsOf(cell, last))], ["campaign.list"], "the adoption only reads the list");
}

/** The error names the running campaign and the way out, nothing was launched or ended, and both intents stay. */
function assertRefused(cell: Cell, refused: Result | undefined): void {
  assert.ok(refused !== undefined);
  assertFailedWith(nameOf(cell), refused.run, /did not launch.*declare its id as campaignId/s);
  const campaigns = campaignsOf(cell, refused);
  assert.deepEqual(
    campaigns.map(({ id }) => id),
    [namedIn(cell, refused)],
  );
  assertValues(campaigns, running);
  assertStored(cell, refused, { managed: [], intents: 2 });
}

/** The campaign that the error names, and that runs with other values than the program declares. */
function namedIn(cell: Cell, { run }: Result): string | undefined {
  const error = failuresOf(nameOf(cell), run).join("\n");
  return /A live campaign has this name: (\w+) \(ENABLED, differs in dailyBudgetMicros\)/.exec(error)?.[1];
}

function assertValues(live: Campaign[], expected: typeof running | undefined): void {
  assert.deepEqual(
    live.map(({ campaign_name, campaign_type, daily_budget_micros, landing_page, status }) => ({
      ...{ campaign_name, campaign_type, daily_budget_micros, landing_page, status },
    })),
    expected === undefined ? [] : [expected],
  );
}

/** The stack has these campaigns, and so many launch intents. */
function assertStored(
  cell: Cell,
  { stored }: Result,
  { managed, intents }: { managed: Campaign[]; intents: number },
): void {
  const own = ownOf(cell, stored);
  assert.deepEqual(
    own
      .filter(({ urn }) => !isCompanion(urn))
      .map(({ outputs }) => [outputs?.["campaignId"], outputs?.["launchState"]]),
    managed.map(({ id }) => [id, "confirmed"]),
  );
  assert.equal(own.filter(({ urn }) => isCompanion(urn)).length, intents, "launch intents");
}

/** The resources of a cell, under the old name and the new one. */
function ownOf(cell: Cell, stored: StoredResource[]): StoredResource[] {
  return stored.filter(({ urn }) => [cell.app, nameOf(cell)].includes(partsOfUrn(urn).name));
}

/** The live campaigns of a cell that neither the state nor the error of the command names. */
function orphansOf(cell: Cell, result: Result): string[] {
  const error = failuresOf(nameOf(cell), result.run).join("\n");
  const managed = ownOf(cell, result.stored).map(({ outputs }) => outputs?.["campaignId"]);
  const isNamed = (id: string): boolean => new RegExp(`\\b${id}\\b`).test(error);
  return campaignsOf(cell, result)
    .filter((campaign) => isLive(campaign) && !managed.includes(campaign.id) && !isNamed(campaign.id))
    .map(({ id }) => id);
}

function lastOf({ results }: History): Result {
  return results.at(-1) ?? assert.fail("no command followed");
}

function campaignsOf({ app }: Cell, { campaigns }: Result): Campaign[] {
  return campaigns.get(app) ?? [];
}

function operationsOf({ app }: Cell, { requests }: Result): string[] {
  return requests.filter(({ parameters }) => parameters["app_id"] === app).map(({ operation }) => String(operation));
}

function isLive({ status }: Campaign): boolean {
  return status !== "REMOVED";
}

function nameOf({ app, next }: Cell): string {
  return next.isRenamed === true ? newNameOf(app) : app;
}

/** Short, because the output of a command on many resources is long. */
function failures(cell: Cell, { results }: History): string {
  return JSON.stringify(results.map(({ run }) => failuresOf(nameOf(cell), run)));
}
