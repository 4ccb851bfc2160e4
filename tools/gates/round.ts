import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { baseName } from "../../provider/resources/ad-campaign/campaign-name";
import {
  type Campaign,
  type LoggedRequest,
  type RequestFault,
  type Simulator,
  startSimulator,
  type Webhook,
} from "../../simulator";
import { PulumiProject, type Run } from "../harness/engine";
import { Chance } from "../simulate/chance";
import { edited, type Group, type IdOf, newGroup } from "./edits";
import { falseAlarms, isGated, type Known, type Report, reviewPlanOf, type Risk, unannounced } from "./judge";
import { type Declared, program, runnable } from "./program";
import { upUnlessHung } from "./up-unless-hung";

/* A stack that is edited, previewed, reviewed and applied again and again. */

export interface Totals {
  rounds: number;
  /** Why Pulumi, this package or the review refused plans, so that nothing was applied. */
  refused: string[];
  /** Groups whose plan was judged and applied. */
  cases: number;
  /** Lines about money and permanent deletions. */
  alarms: number;
  falseAlarms: number;
}

export const noTotals = (): Totals => ({ rounds: 0, refused: [], cases: 0, alarms: 0, falseAlarms: 0 });

/** An `up` did what its review had not said. */
export interface Miss {
  readonly seed: number;
  readonly round: number;
  readonly what: readonly string[];
  readonly folder: string;
}

const groupsOfAStack = 5;

/** A stack, and the service that it is applied to. */
interface World {
  readonly stack: PulumiProject;
  readonly simulator: Simulator;
  readonly changedByHand: Set<string>;
  readonly groups: readonly Group[];
}

async function newWorld(simulator: Simulator, chance: Chance): Promise<World> {
  const stack = await PulumiProject.create({
    program,
    baseUrl: simulator.url,
    environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0", WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "0" },
  });
  const provider = chance.next() < 0.4 ? "second-provider" : undefined;
  const groups = Array.from({ length: groupsOfAStack }, (_, index) => newGroup(`g${String(index)}`, provider, chance));
  return { stack, simulator, changedByHand: new Set(), groups };
}

/** How many rounds the tests and `npm run simulate` play with one seed. */
export const roundsOfASeed = 10;

/**
 * Plays this many rounds. Stops at the first miss. After a refused plan a new stack begins: the old one may refuse all.
 */
export async function playSeed(seed: number, rounds: number, totals: Totals): Promise<Miss | undefined> {
  const chance = new Chance(seed);
  let round = 0;
  while (round < rounds) {
    const simulator = await startSimulator();
    try {
      let world = await newWorld(simulator, chance);
      while (round < rounds) {
        round++;
        const played = await playRound(world, chance, totals);
        if (played === "refused") break;
        if (played.missed.length > 0) return { seed, round, what: played.missed, folder: world.stack.folder };
        world = { ...world, groups: played.groups };
      }
    } finally {
      await simulator.close();
    }
  }
  return undefined;
}

interface Played {
  readonly groups: readonly Group[];
  readonly missed: readonly string[];
}

async function playRound(
  { stack, simulator, changedByHand, groups: before }: World,
  chance: Chance,
  totals: Totals,
): Promise<Played | "refused"> {
  const idOf = await idsIn(stack);
  const drawn = before.map((group) => (chance.next() < 0.9 ? edited(group, chance, idOf) : group));
  if (chance.next() < 0.3) changeByHand(simulator, drawn, chance, changedByHand);
  if (chance.next() < 0.15) await forgetCampaign(stack, chance);
  totals.rounds++;
  const plan = await planOf(stack, drawn, before, await drawFlags(stack, drawn, chance));
  const { groups, flags, report } = plan;
  if (isRefused(plan)) {
    totals.refused.push([...report.incomplete, ...report.unseen].join("; "));
    return "refused";
  }
  if (report.unseen.length > 0) return { groups, missed: [`not judged: ${report.unseen.join("; ")}`] };
  for (const fault of drawFaults(groups, chance)) simulator.fault(fault);
  simulator.clearRequests();
  const managedBefore = await campaignIdsIn(stack);
  const held = { webhooks: simulator.objects.webhooks(), campaigns: simulator.objects.campaigns() };
  const run = await upUnlessHung(stack, simulator, [...flags, ...(chance.next() < 0.3 ? ["--continue-on-error"] : [])]);
  simulator.clearFaults();
  const managed = new Set([...managedBefore, ...(await campaignIdsIn(stack))]);
  const isCounted = ({ id, status }: Campaign): boolean =>
    status === "ENABLED" && !changedByHand.has(id) && (managed.has(id) || !held.campaigns.some((one) => one.id === id));
  const spendOf = (app: string): number =>
    simulator.objects
      .campaigns(app)
      .filter(isCounted)
      .reduce((sum, { daily_budget_micros }) => sum + daily_budget_micros, 0);
  const applied = { ...held, requests: simulator.requests, run, spendOf };
  const missed = groups.flatMap((group) => judge(group, report, applied, totals));
  return { groups, missed: missed.length === 0 ? [] : [...missed, ...circumstances(flags, report, run)] };
}

interface Plan {
  readonly groups: readonly Group[];
  /** Options of the preview. */
  readonly flags: readonly string[];
  readonly report: Report;
}

/** The plan of an edit. Groups that refuse theirs are not in it, so that the others can still be judged. */
async function planOf(
  stack: PulumiProject,
  drawn: readonly Group[],
  before: readonly Group[],
  flags: readonly string[],
): Promise<Plan> {
  const reviewed = async (groups: readonly Group[], options = flags): Promise<Plan> => {
    await declare(stack, groups);
    return { groups, flags: options, report: await reviewPlanOf(stack, ...options) };
  };
  const withoutRefused = ({ groups, report }: Plan, instead: (group: Group, index: number) => Group): Group[] =>
    groups.map((group, index) => {
      const isNamed = report.incomplete.some((reason) => reason.includes(`"${group.name}-`));
      return isNamed ? instead(group, index) : group;
    });
  let plan = await reviewed(drawn);
  // They stay as they were.
  if (plan.report.incomplete.length > 0)
    plan = await reviewed(withoutRefused(plan, (group, index) => before[index] ?? group));
  // Without a refused group and without options there is nothing to leave out.
  const isAsSmallAsItGets = plan.report.incomplete.length === 0 && flags.length === 0;
  if (!isRefused(plan) || isAsSmallAsItGets) return plan;
  // Or they are removed from the stack, as a person would do. Otherwise they would be in the way of all further rounds.
  await stack.pulumi("state", "unprotect", "--all", "--yes");
  return reviewed(
    withoutRefused(plan, (group) => ({ ...group, declared: [] })),
    [],
  );
}

/** Whether the plan is not applied: it cannot be made, or a gate says that it does not know all of it. */
function isRefused({ report: { incomplete, unseen }, flags }: Plan): boolean {
  const isPartOfStack = flags.some((flag) => ["--target", "--exclude"].includes(flag));
  const isUnordered = unseen.some((reason) => reason.includes("nothing decides which of them comes first"));
  return incomplete.length > 0 || isUnordered || (isPartOfStack && unseen.length > 0);
}

/** More facts about a miss: the folder of the stack may be gone when somebody reads it. */
function circumstances(flags: readonly string[], { risks }: Report, { output }: Run): string[] {
  return [
    `options: ${flags.join(" ")}`,
    ...risks.map(({ category, resources, text }) => `${category}: ${resources[0]?.name ?? ""}: ${text}`),
    output,
  ];
}

interface Applied {
  readonly requests: readonly LoggedRequest[];
  /** As they were before. */
  readonly webhooks: readonly Webhook[];
  readonly campaigns: readonly Campaign[];
  readonly run: Run;
  /**
   * The daily spend of an app's campaigns that the stack manages or managed, without those that were changed by hand.
   */
  readonly spendOf: (app: string) => number;
}

function judge(group: Group, report: Report, applied: Applied, totals: Totals): string[] {
  const ofGroup = reportOf(group, report);
  const requests = applied.requests.filter((request) => isOf(group, request));
  const known: Known = {
    launchedBy: (request) => namesLaunching(group, request, known.campaignOf(request)),
    webhookOf: ({ parameters }) => applied.webhooks.find(({ id }) => id === parameters["webhook_id"]),
    campaignOf: ({ parameters }) => applied.campaigns.find(({ id }) => id === parameters["campaign_id"]),
  };
  totals.cases++;
  totals.alarms += ofGroup.risks.filter(isGated).length;
  // A risk that a failed command did not get to is not a false alarm.
  if (applied.run.code === 0) totals.falseAlarms += falseAlarms(ofGroup, requests, known).length;
  return [
    ...unannounced(ofGroup, requests, known).map(
      ({ method, path, body }) => `${method} ${path} ${JSON.stringify(body ?? null)}`,
    ),
    // A failed command may leave a replaced campaign beside the new one.
    ...(applied.run.code === 0 ? appsOf(group).flatMap((app) => overspent(app, report, applied)) : []),
  ];
}

/** Whether an app spends more than the report says. */
function overspent(app: string, { spend }: Report, { spendOf }: Applied): string[] {
  const lines = spend.apps.filter((line) => line.app === app || line.app === null).map(({ after }) => after);
  const said = lines.reduce((sum, { micros }) => sum + Number(micros), 0);
  const isSaid = lines.some(({ notKnown }) => notKnown > 0) || spendOf(app) <= said;
  return isSaid ? [] : [`${app} spends ${String(spendOf(app))} micros a day, and ${String(said)} were announced`];
}

function appsOf({ name }: Group): string[] {
  return [`app-${name}`, `app-${name}-b`];
}

function reportOf({ name }: Group, report: Report): Report {
  const isOwn = ({ resources }: Risk): boolean => resources.some((resource) => resource.name.startsWith(`${name}-`));
  return { ...report, risks: report.risks.filter(isOwn) };
}

function isOf(group: Group, { parameters }: LoggedRequest): boolean {
  const place = parameters["app_id"] ?? parameters["agent_id"] ?? "";
  return [...appsOf(group), `agent-${group.name}`, `agent-${group.name}-b`].includes(place);
}

function namesLaunching({ declared }: Group, { body }: LoggedRequest, found: Campaign | undefined): string[] {
  const { campaign = found, title } = (body ?? {}) as { campaign?: { campaign_name?: string }; title?: string };
  const key = campaign === undefined ? "title" : "campaignName";
  const value = campaign === undefined ? title : baseName(campaign.campaign_name ?? "");
  return declared.filter(({ args }) => args[key]?.value === value).map(({ name }) => name);
}

async function declare(stack: PulumiProject, groups: readonly Group[]): Promise<void> {
  const declared = groups.flatMap(({ declared }): Declared[] => runnable(declared));
  await writeFile(join(stack.folder, "declared.json"), JSON.stringify(declared));
}

async function idsIn(stack: PulumiProject): Promise<IdOf> {
  const ids = new Map<string, string>();
  for (const { urn, outputs = {} } of await stack.stored())
    for (const key of ["campaignId", "webhookId", "flowId", "recordId"])
      if (typeof outputs[key] === "string") ids.set(partsOfUrn(urn).name, outputs[key]);
  return (name) => ids.get(name);
}

async function campaignIdsIn(stack: PulumiProject): Promise<string[]> {
  const ids = (await stack.stored("AdCampaign")).map(({ outputs = {} }) => outputs["campaignId"]);
  return ids.filter((id) => typeof id === "string");
}

/** Options of both the preview and the `up`. */
async function drawFlags(stack: PulumiProject, groups: readonly Group[], chance: Chance): Promise<string[]> {
  const stored = (await stack.stored()).map(({ urn }) => urn);
  const some = (share: number): string[] => stored.filter(() => chance.next() < share);
  const names = new Set(groups.flatMap(({ declared }) => declared.map(({ name }) => name)));
  const how = chance.next();
  if (how < 0.6 || stored.length === 0) return [];
  if (how < 0.7) return ["--refresh"];
  const dependents = chance.next() < 0.3 ? ["--target-dependents"] : [];
  if (how < 0.8) return [...some(0.6).flatMap((urn) => ["--target", urn]), ...dependents];
  if (how < 0.9) return some(0.3).flatMap((urn) => ["--exclude", urn]);
  return stored
    .filter((urn) => names.has(partsOfUrn(urn).name) && !urn.includes("LaunchIntent") && chance.next() < 0.15)
    .flatMap((urn) => ["--replace", urn]);
}

/** Changes that somebody may make in the service before the preview. */
function changeByHand(
  simulator: Simulator,
  groups: readonly Group[],
  chance: Chance,
  changedByHand: Set<string>,
): void {
  const { name } = chance.pick(groups);
  const [campaign] = simulator.objects.campaigns(`app-${name}`).filter(({ status }) => status !== "REMOVED");
  const [webhook] = simulator.objects.webhooks(`agent-${name}`);
  if (campaign !== undefined) {
    changedByHand.add(campaign.id);
    simulator.objects.changeCampaign(`app-${name}`, campaign.id, {
      status: chance.pick(["ENABLED", "PAUSED", "REMOVED"]),
      daily_budget_micros: chance.between(1, 9) * 1_000_000,
    });
  }
  if (webhook !== undefined && chance.next() < 0.5) simulator.objects.removeWebhook(`agent-${name}`, webhook.id);
}

/** Leaves the intent of a campaign in state without the campaign, as a killed command does. */
async function forgetCampaign(stack: PulumiProject, chance: Chance): Promise<void> {
  const campaigns = (await stack.stored("AdCampaign")).filter((resource) => resource.protect !== true);
  if (campaigns.length > 0)
    await stack.pulumi("state", "delete", "--yes", "--force", "--target-dependents", chance.pick(campaigns).urn);
}

/** Requests that the service refuses or loses, so that steps stay unfinished and replacements pending. */
function drawFaults(groups: readonly Group[], chance: Chance): RequestFault[] {
  return groups
    .filter(() => chance.next() < 0.3)
    .map(({ name }): RequestFault => {
      const operation = chance.pick([
        "campaign.launch",
        "campaign.launch",
        "campaign.delete",
        "campaign.resume",
        "test.delete",
        "webhook.update",
        "webhook.delete",
      ] as const);
      const isAgent = operation.startsWith("webhook.");
      const status = chance.pick([400, 403, 409, 500]);
      return {
        operation,
        parameters: isAgent ? { agent_id: `agent-${name}` } : { app_id: `app-${name}` },
        then: { status },
        // An uncertain response may follow a request that was carried out.
        commit: [409, 500].includes(status) && chance.next() < 0.5,
      };
    });
}
