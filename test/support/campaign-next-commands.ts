import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { baseName, keyIn } from "../../provider/resources/ad-campaign/campaign-name";
import { type Campaign, type LoggedRequest, type RequestFault, type Simulator, startSimulator } from "../../simulator";
import { killDuringAll, type Victim } from "../../tools/harness/crash";
import { assertDone, PulumiProject, type Run, type StoredResource } from "../../tools/harness/engine";
import { type Form, testedForm } from "../../tools/harness/form";
import { declared } from "./campaigns";
import { assertDoneWith, assertFailedWith, failuresOf, isCompanion } from "./steps";

/*
 * A first launch that is interrupted at every moment, under every deletion policy, and what people may do next. Its launch
 * intent is in the state, and finds what was launched.
 *
 * Many launches of a stack are interrupted together, each in an app of its own, and one next command resolves all of
 * them. The result of each is tested by itself.
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
  "before the pause is carried out": () => ({ operation: "campaign.pause", then: "hang" }),
  "after the pause but before the response": () => ({ operation: "campaign.pause", commit: true, then: "hang" }),
} satisfies Record<string, Interruption>;

type Moment = keyof typeof moments;
const allMoments = Object.keys(moments) as Moment[];

const policies = ["delete", "pause", "retain"] as const;
type Policy = (typeof policies)[number];

/** The commands that follow on one stack. */
const followers = {
  up: ["up"],
  // The second one adopts what the first refuses.
  "refused up": ["up", "up"],
  "refresh and up": ["refresh", "up"],
  destroy: ["destroy"],
} as const;

type Follower = keyof typeof followers;

/** The next commands. */
interface Next {
  /** "…, then [then], …" */
  readonly then: string;
  readonly by: "up" | "refresh and up" | "destroy";
  /** The declared arguments by then, besides the required arguments; null: the campaign was removed. @default nothing */
  readonly later?: { dailyBudgetMicros?: number; appId?: (app: string) => string } | null;
  /** Whether the resource gets another name, with an alias of the old one. @default false */
  readonly isRenamed?: boolean;
}

const nexts: readonly Next[] = [
  { then: "up", by: "up" },
  { then: "up without the campaign", by: "up", later: null },
  { then: "up with another budget", by: "up", later: { dailyBudgetMicros: 7_000_000 } },
  { then: "up with another app", by: "up", later: { appId: (app) => `${app}-b` } },
  { then: "up with the resource renamed", by: "up", isRenamed: true },
  { then: "refresh and up", by: "refresh and up" },
  { then: "destroy", by: "destroy" },
];

/** One interrupted launch, and what is done next. */
interface Cell {
  /** Also the name of the resource. */
  readonly app: string;
  readonly next: Next;
  readonly moment: Moment;
  readonly policy: Policy;
  readonly fault: RequestFault;
  readonly follower: Follower;
  /** Whether the program declares the campaign as paused. */
  readonly isPaused: boolean;
  /** Whether what the interrupted command sent is carried out, perhaps late. */
  readonly isLaunched: boolean;
  readonly isLate: boolean;
}

/** A campaign in the service at the end. */
interface Expected {
  readonly budget: number;
  readonly status: "ENABLED" | "PAUSED" | "REMOVED";
  readonly app: string;
  /** Whether the state has it. Otherwise the command has named it, unless it is removed. */
  readonly isManaged: boolean;
}

function cellsFor(victim: Victim): Cell[] {
  const all = nexts.flatMap((next) =>
    policies.flatMap((policy) => allMoments.map((moment) => ({ next, policy, moment }))),
  );
  return all.map(({ next, policy, moment }, index): Cell => {
    const app = `app-${String(index + 1)}`;
    const fault: RequestFault = { ...moments[moment](victim), parameters: { app_id: app } };
    const isLaunched = fault.operation !== "campaign.readiness";
    const isRefused = isLaunched && policy === "retain" && isAnother(next);
    return {
      ...{ app, next, moment, policy, fault, isLaunched },
      isPaused: fault.operation === "campaign.pause",
      isLate: fault.operation === "campaign.launch" && fault.commit !== true,
      follower: isRefused ? "refused up" : next.by,
    };
  });
}

/** Whether another launch is declared than the interrupted one. */
function isAnother({ later }: Next): boolean {
  return later !== undefined && later !== null;
}

function isGone({ by, later }: Next): boolean {
  return by === "destroy" || later === null;
}

/** Every campaign that the service has had, after the last command. */
function expectedOf({ app, next, moment, policy, isPaused, isLaunched, follower }: Cell): Expected[] {
  const untouched = moment === "after the pause but before the response" ? "PAUSED" : "ENABLED";
  const ended = ({ delete: "REMOVED", pause: "PAUSED", retain: untouched } as const)[policy];
  const old = { budget: declared.dailyBudgetMicros, app };
  const asDeclared = { status: isPaused ? "PAUSED" : "ENABLED", isManaged: true } as const;
  const left: Expected[] = isLaunched ? [{ ...old, status: ended, isManaged: false }] : [];
  if (isGone(next)) return left;
  if (!isAnother(next)) return [{ ...old, ...asDeclared }];
  if (follower === "refused up") return [{ ...old, status: untouched, isManaged: true }];
  const { dailyBudgetMicros = declared.dailyBudgetMicros, appId } = next.later ?? {};
  return [...left, { budget: dailyBudgetMicros, app: appId?.(app) ?? app, ...asDeclared }];
}

/** Long enough to find what is carried out late, and no request times out before all wait. */
const environment = {
  WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "3",
  WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "300",
};

const atOnce = ["--parallel", "128"];

const victims: Record<Victim, string> = {
  host: "host is killed",
  cli: "whole CLI is killed",
  "cli-alone": "CLI is killed and whose host lives on",
};

/** A command after the interruption, and what the stack and the service have then. */
interface Result {
  readonly run: Run;
  readonly requests: readonly LoggedRequest[];
  readonly stored: readonly StoredResource[];
  readonly campaigns: readonly Held[];
}

/** A campaign, and the app that has it. */
interface Held extends Campaign {
  readonly app: string;
}

interface History {
  readonly missed: readonly RequestFault[];
  readonly killed: Run;
  readonly cancelled: Run | undefined;
  readonly keys: ReadonlyMap<string, string>;
  readonly results: readonly Result[];
}

/** A suite with a test for each moment, policy and what is done next. `followers`: those of a part of the matrix. */
export function interruptedLaunches(
  victim: Victim,
  { form = testedForm, only = Object.keys(followers) as Follower[] }: { form?: Form; only?: readonly Follower[] } = {},
): void {
  for (const follower of only)
    describe(`A launch whose ${form} ${victims[victim]}, and which is followed by ${follower}`, () => {
      const group = cellsFor(victim).filter((cell) => cell.follower === follower);
      let [history]: PromiseSettledResult<History>[] = [];
      before(async () => {
        [history] = await Promise.allSettled([interrupt(group, victim, form)]);
      });
      for (const cell of group)
        it(`${cell.moment}, policy ${cell.policy}, then ${cell.next.then}: ${outcomeOf(cell)}`, () => {
          if (history?.status !== "fulfilled") throw history?.reason;
          assertSafe(cell, history.value);
        });
    });
}

function outcomeOf(cell: Cell): string {
  const { isLaunched, policy, next, follower } = cell;
  const ended = { delete: "deleted", pause: "paused", retain: "left alone and named" }[policy];
  if (isGone(next)) return isLaunched ? `the campaign is ${ended}` : "nothing was launched";
  if (follower === "refused up") return "nothing is launched beside it, and it is adopted by the id in the error";
  if (!isAnother(next)) return isLaunched ? "the campaign is taken over" : "it is launched once";
  return isLaunched ? `the campaign is ${ended}, and the other one is launched once` : "the other one is launched once";
}

/** Kills an `up` when every launch has reached its moment, and continues as people would. */
async function interrupt(group: readonly Cell[], victim: Victim, form: Form): Promise<History> {
  const simulator = await startSimulator();
  let [endSurvivors, endLate] = [(): void => undefined, (): void => undefined];
  try {
    const first = programOf(group.map((cell) => ({ name: cell.app, args: ownArguments(cell) })));
    const stack = await PulumiProject.create({ program: first, baseUrl: simulator.url, environment, form });
    const faults = group.map(({ fault }) => fault);
    const killed = await killDuringAll({ stack, simulator }, ["up", ...atOnce], victim, faults);
    ({ endSurvivors } = killed);
    const sent = simulator.requests.filter(({ operation }) => operation === "campaign.launch");
    const cancelled = victim === "host" ? undefined : await stack.pulumi("cancel", "--yes", "dev");
    const keys = keysIn(await stack.stored());

    const late = group.filter(({ isLate }) => isLate).map(({ app }) => app);
    endLate = launchAfterFirstRead(late, sent, simulator);
    const results: Result[] = [];
    for (const command of followers[group[0]?.follower ?? "up"]) {
      const [before] = results;
      await stack.write(programOf(group.flatMap((cell) => laterOf(cell, before))));
      simulator.clearRequests();
      const isRefused = results.length === 0 && group[0]?.follower === "refused up";
      const run = await stack[command](...atOnce, ...(isRefused ? ["--continue-on-error"] : []));
      results.push({
        ...{ run, requests: [...simulator.requests], stored: await stack.stored() },
        campaigns: group
          .flatMap(appsOf)
          .flatMap((app) => simulator.objects.campaigns(app).map((one) => ({ ...one, app }))),
      });
    }
    return { missed: killed.missed, killed: killed.run, cancelled, keys, results };
  } finally {
    endLate();
    endSurvivors();
    await simulator.close();
  }
}

/** The service carries out the launches of these apps when a command has read the list for the first time. */
function launchAfterFirstRead(apps: string[], sent: readonly LoggedRequest[], simulator: Simulator): () => void {
  simulator.clearRequests();
  const waiting = new Set(apps);
  const timer = setInterval(() => {
    for (const { operation, parameters } of simulator.requests) {
      const { app_id: app = "" } = parameters;
      if (operation !== "campaign.list" || !waiting.delete(app)) continue;
      const launch = sent.find(({ parameters }) => parameters["app_id"] === app);
      const { campaign } = launch?.body as { campaign: Partial<Campaign> };
      simulator.objects.putCampaign(app, { ...campaign, status: "ENABLED" });
    }
  }, 5);
  return () => {
    clearInterval(timer);
  };
}

interface Declaration {
  readonly name: string;
  readonly args: object;
  readonly options?: object;
}

function ownArguments({ app, policy, isPaused }: Cell): object {
  return { ...declared, appId: app, deletionPolicy: policy, ...(isPaused ? { paused: true } : {}) };
}

/** The declarations after the interruption, and after a first command that was refused, as its error says. */
function laterOf(cell: Cell, refused: Result | undefined): Declaration[] {
  const { app, next, follower } = cell;
  if (next.later === null) return [];
  const own = ownArguments(cell);
  if (follower === "refused up" && refused !== undefined)
    return [{ name: app, args: { ...own, paused: undefined, campaignId: namedIn(cell, refused) } }];
  const { dailyBudgetMicros, appId } = next.later ?? {};
  const args = {
    ...own,
    ...(dailyBudgetMicros === undefined ? {} : { dailyBudgetMicros }),
    ...(appId === undefined ? {} : { appId: appId(app) }),
  };
  return [{ name: nameOf(cell), args, ...(next.isRenamed === true ? { options: { aliases: [{ name: app }] } } : {}) }];
}

function nameOf({ app, next }: Cell): string {
  return next.isRenamed === true ? `${app}-renamed` : app;
}

function programOf(declarations: readonly Declaration[]): string {
  return `
    const apps = require("pulumi-workspace-apps");
    for (const { name, args, options } of ${JSON.stringify(declarations)})
      exports[name] = new apps.AdCampaign(name, args, options);
  `;
}

/** The commands after the interruption leave no launch too many, and no campaign that is forgotten. */
function assertSafe(cell: Cell, history: History): void {
  const { app, next, fault, follower } = cell;
  const { missed, killed, cancelled, keys, results } = history;
  assert.ok(!missed.includes(fault), `the moment was not reached: ${killed.output}`);
  assert.notEqual(killed.code, 0);
  if (cancelled !== undefined) assertDone(cancelled);
  const key = keys.get(app);
  assert.ok(key !== undefined, "the intent was saved before the launch");

  const [first, ...others] = results;
  assert.ok(first !== undefined);
  if (follower === "refused up") assertRefused(cell, first);
  for (const { run } of follower === "refused up" ? others : results) assertDoneWith(nameOf(cell), run);

  const last = results.at(-1) ?? first;
  const campaigns = campaignsOf(cell, last);
  const expected = expectedOf(cell);
  assert.deepEqual(
    campaigns.map(({ app, daily_budget_micros, status }) => [app, daily_budget_micros, status]),
    expected.map(({ app, budget, status }) => [app, budget, status]),
    "what the service has",
  );
  for (const campaign of campaigns) {
    assert.equal(baseName(campaign.campaign_name), declared.campaignName);
    assert.equal(keyIn(campaign.campaign_name), key, "every launch is under the key of the intent");
  }
  const managed = campaigns.filter((_, index) => expected[index]?.isManaged === true);
  assertStored(cell, last, managed, isGone(next) ? [] : [key]);
  const left = campaigns.filter(({ status }, index) => status !== "REMOVED" && expected[index]?.isManaged === false);
  for (const { id } of left) assert.match(last.run.output, new RegExp(`\\b${id}\\b`), "what is left is named");
}

/** The error names the live campaign and the ways out. Nothing was launched, deleted or paused, and the intent stays. */
function assertRefused(cell: Cell, refused: Result): void {
  assertFailedWith(
    nameOf(cell),
    refused.run,
    /MONEY MAY BE MOVING: \w+ of app [\w-]+ was launched by this resource and is not in the state.*declare campaignId/s,
  );
  const campaigns = campaignsOf(cell, refused);
  assert.deepEqual(
    campaigns.map(({ id, daily_budget_micros }) => [id, daily_budget_micros]),
    [[namedIn(cell, refused), declared.dailyBudgetMicros]],
  );
  const writes = refused.requests.filter(
    ({ method, parameters }) => method !== "GET" && appsOf(cell).includes(parameters["app_id"] ?? ""),
  );
  assert.deepEqual(writes, []);
  assertStored(cell, refused, [], 1);
}

/** The campaign that the error names. */
function namedIn(cell: Cell, { run }: Result): string | undefined {
  const error = failuresOf(nameOf(cell), run).join("\n");
  return /MONEY MAY BE MOVING: (\w+) of app/.exec(error)?.[1];
}

/** The state has these campaigns, and the intents of these keys, or so many of them. */
function assertStored(
  cell: Cell,
  { stored }: Result,
  managed: readonly Campaign[],
  intents: readonly string[] | number,
): void {
  const own = stored.filter(({ urn }) => [cell.app, nameOf(cell)].includes(partsOfUrn(urn).name));
  const isIntent = ({ urn }: StoredResource): boolean => isCompanion(urn);
  assert.deepEqual(
    own
      .filter((resource) => !isIntent(resource))
      .map(({ outputs, initErrors }) => [outputs?.["campaignId"], outputs?.["launchState"], initErrors]),
    managed.map(({ id }) => [id, "confirmed", undefined]),
    "the campaigns in the state",
  );
  const keys = own.filter(isIntent).map(({ id }) => id);
  assert.deepEqual(typeof intents === "number" ? keys.length : keys, intents, "the intents in the state");
}

/** By the names of the resources. */
function keysIn(stored: readonly StoredResource[]): Map<string, string> {
  return new Map(
    stored.flatMap(({ urn, id }): [string, string][] =>
      isCompanion(urn) && id !== undefined ? [[partsOfUrn(urn).name, id]] : [],
    ),
  );
}

/** Its own app, and the one to which it may be moved. */
function appsOf({ app }: Pick<Cell, "app">): string[] {
  return [app, `${app}-b`];
}

function campaignsOf(cell: Cell, { campaigns }: Result): Held[] {
  return campaigns.filter(({ app }) => appsOf(cell).includes(app));
}
