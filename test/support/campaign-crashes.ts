import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { baseName } from "../../provider/resources/ad-campaign/campaign-name";
import { type Campaign, type LoggedRequest, type RequestFault, type Simulator, startSimulator } from "../../simulator";
import { type Change, changes, type Moment, moments, running, stays } from "./campaign-changes";
import { declared } from "./campaigns";
import { type Killed, killDuringAll, type Victim } from "../../tools/harness/crash";
import { assertDone, PulumiProject, type Run, type StoredResource } from "../../tools/harness/engine";
import { type Form, testedForm } from "../../tools/harness/form";
import { assertDoneWith, assertFailedWith, isCompanion } from "./steps";

/*
 * Every change of a campaign, interrupted at every moment that makes a difference. Then a pipeline would run
 * `pulumi cancel` where the CLI was killed, and the same command again, which must finish the change.
 *
 * Changes of one command are interrupted together: each belongs to the campaign of another app, which waits at its moment
 * until all do. The result of each is recorded, and tested by itself.
 */

/** One change at one moment. */
interface Cell {
  /** Also the name of the resource that declares its campaign. */
  app: string;
  change: Change;
  moment: Moment;
  fault: RequestFault;
}

const cells: Cell[] = changes
  .flatMap((change) => change.moments.map((moment) => ({ change, moment })))
  .map(({ change, moment }, index) => {
    const app = `app-${String(index + 1)}`;
    return { app, change, moment, fault: { ...moments[moment](change.request), parameters: { app_id: app } } };
  });

/**
 * One group for each command. Campaigns that were removed from the program have their own, because the engine deletes them after
 * everything else.
 */
const groups: ((change: Change) => boolean)[] = [
  ({ command, later }) => command !== "destroy" && later !== null,
  ({ command, later }) => command !== "destroy" && later === null,
  ({ command }) => command === "destroy",
];

/** The quarantine is over when the next command starts, and no request times out before all wait. */
const environment = {
  WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1",
  WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "1",
  WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "300",
};

/** All campaigns at once. */
const atOnce = ["--parallel", "64"];
/** A failed campaign does not stop the others. */
const each = [...atOnce, "--continue-on-error"];

/** An app's campaigns in the service. */
interface Holding {
  campaigns: Campaign[];
  launches: number;
}

/** The results of the cells of a group. */
interface History {
  prepared: Run;
  before: Map<string, Holding>;
  killed: Killed;
  cancelled: Run | undefined;
  again: Run;
  after: Map<string, Holding>;
  stored: StoredResource[];
  further: Run;
  refreshed: Run;
  requests: readonly LoggedRequest[];
  end: Map<string, Holding>;
}

/** The part of the matrix that a suite runs: all of it in the tested form, or every nth cell in another one. */
interface Part {
  form?: Form;
  every?: number;
}

/** A suite with a test for each change and moment. */
export function campaignCrashes(victim: Victim, { form = testedForm, every = 1 }: Part = {}): void {
  for (const isOne of groups)
    describe(`A campaign whose ${victim === "host" ? `${form} host` : "whole CLI"} is killed`, () => {
      const group = cells.filter(({ change }, index) => isOne(change) && index % every === 0);
      let [history]: PromiseSettledResult<History>[] = [];
      before(async () => {
        [history] = await Promise.allSettled([crash(group, victim, form)]);
      });

      for (const change of new Set(group.map((cell) => cell.change)))
        describe(change.when, () => {
          for (const cell of group.filter((cell) => cell.change === change))
            it(`${cell.moment}, ${change.becomes}`, () => {
              if (history?.status !== "fulfilled") throw history?.reason;
              assertHealed(cell, history.value);
            });
        });
    });
}

/** Kills a command when every campaign of a group has reached its moment, and continues as a pipeline would. */
async function crash(group: Cell[], victim: Victim, form: Form): Promise<History> {
  const simulator = await startSimulator();
  try {
    const command = group[0]?.change.command ?? "up";
    const stack = await PulumiProject.create({ program: programOf([]), baseUrl: simulator.url, environment, form });
    const holdings = (): Map<string, Holding> => new Map(group.map(({ app }) => [app, holdingOf(app, simulator)]));

    const prepared = await prepare(group, stack, simulator);
    const before = holdings();
    await stack.write(
      programOf(group.flatMap(({ app, change }) => (change.later === null ? [] : [[app, change.later]]))),
    );
    const killed = await killDuringAll(
      { stack, simulator },
      [command, ...atOnce],
      victim,
      group.map(({ fault }) => fault),
    );
    const cancelled = victim === "cli" ? await stack.pulumi("cancel", "--yes", "dev") : undefined;
    const again = await stack[command](...each);
    const [after, stored] = [holdings(), await stack.stored()];

    simulator.clearRequests();
    const further = await stack[command](...each);
    const refreshed = await stack.refresh(...atOnce);
    return {
      ...{ prepared, before, killed, cancelled, again, after, stored, further, refreshed },
      requests: simulator.requests,
      end: holdings(),
    };
  } finally {
    await simulator.close();
  }
}

/** Makes the campaigns that exist before the change. */
async function prepare(group: Cell[], stack: PulumiProject, simulator: Simulator): Promise<Run> {
  for (const { app, change } of group) {
    if (change.before === "existing") simulator.objects.putCampaign(app, { ...running, id: "existing" });
    const lost = { parameters: { app_id: app }, then: { status: 409, body: "" } };
    if (change.before === "unconfirmed") simulator.fault({ operation: "campaign.launch", ...lost });
  }
  const isOfStack = ({ change }: Cell): boolean => change.before === "launched" || change.before === "unconfirmed";
  await stack.write(programOf(group.filter(isOfStack).map(({ app, change }) => [app, change.earlier])));
  return stack.up(...each);
}

/** Declares campaigns: the required arguments of each, and more where given. */
function programOf(campaigns: [app: string, more: object | undefined][]): string {
  const args = campaigns.map(([appId, more]) => ({ ...declared, appId, ...more }));
  return `
    const apps = require("pulumi-workspace-apps");
    for (const args of ${JSON.stringify(args)}) exports[args.appId] = new apps.AdCampaign(args.appId, args);
  `;
}

function holdingOf(app: string, { objects }: Simulator): Holding {
  return { campaigns: objects.campaigns(app), launches: objects.launches(app).length };
}

/** One ordinary command has finished the change, and another one has nothing to do. */
function assertHealed({ app, change, fault }: Cell, history: History): void {
  const { prepared, before, killed, cancelled, again, after, stored, further, refreshed, requests, end } = history;
  if (change.before === "unconfirmed") assertFailedWith(app, prepared, /MONEY MAY BE MOVING/);
  else assertDoneWith(app, prepared, change.before === "launched" ? ["create"] : []);

  assert.ok(!killed.missed.includes(fault), `the moment was not reached: ${killed.run.output}`);
  assert.notEqual(killed.run.code, 0, killed.run.output);
  if (cancelled !== undefined) assertDone(cancelled);

  assertDoneWith(app, again);
  const launched = (then: Map<string, Holding>): number =>
    (then.get(app)?.launches ?? 0) - (before.get(app)?.launches ?? 0);
  assert.equal(launched(after), change.launches ?? 0);
  assertAsDeclared(app, change, after.get(app)?.campaigns ?? [], stored);

  assertDoneWith(app, further, stays(change) && change.command !== "destroy" ? ["same"] : []);
  assertDoneWith(app, refreshed, stays(change) ? ["same"] : []);
  // A request without an app in its path belongs to all.
  const writes = requests.filter(({ method, parameters }) => method !== "GET" && (parameters["app_id"] ?? app) === app);
  assert.deepEqual(writes, [], "another command changes nothing");
  assert.equal(launched(end), change.launches ?? 0);
}

/** The live campaign matches the declared one, and the stack has its id. */
function assertAsDeclared(app: string, change: Change, campaigns: Campaign[], stored: StoredResource[]): void {
  const live = campaigns.filter(({ status }) => status !== "REMOVED");
  assert.deepEqual(
    live.map(({ campaign_name: name, campaign_type, daily_budget_micros, landing_page, status }) => {
      return { campaign_name: baseName(name), campaign_type, daily_budget_micros, landing_page, status };
    }),
    change.live === undefined ? [] : [change.live],
  );
  assert.deepEqual(
    stored
      .filter(({ urn }) => partsOfUrn(urn).name === app && !isCompanion(urn))
      .map(({ outputs, initErrors }) => [outputs?.["campaignId"], outputs?.["launchState"], initErrors]),
    stays(change) ? live.map(({ id }) => [id, "confirmed", undefined]) : [],
  );
}
