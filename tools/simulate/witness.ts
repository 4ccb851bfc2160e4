import { AsyncLocalStorage } from "node:async_hooks";
import { campaignStatus } from "../../provider/service/shapes";
import type { ServiceAnswer } from "../../simulator/service";
import type { Campaign, CampaignObjects } from "../../simulator/types";
import { type Fault, type FaultyOperation, type Outcome, outcomeOf } from "./faults";
import type { Run } from "./run";
import type { Schedule } from "./schedule";
import { campaignIdOf, policyOf, type Resource, type Stack, type Type } from "./stack";
import type { VirtualTime } from "./time";

/** A broken promise of docs/maintainers/launch-protocol.md. */
export class Broken extends Error {
  override readonly name = "Broken";
}

/** One step of the engine, on whose behalf requests are sent. */
export interface EngineStep {
  type: Type;
  run: Run;
  stack: Stack;
  /** The keys of its resource, before and after the step. */
  keys: readonly string[];
  /** The campaigns that its resource had in the state or declares by their id. */
  ids: readonly string[];
}

/** The step that is at work, for everything that it awaits. */
export const currentStep = new AsyncLocalStorage<EngineStep>();

/** One request as it was sent, and its outcome. */
export interface Entry {
  at: number;
  step: EngineStep;
  operation: FaultyOperation;
  parameters: Record<string, string>;
  fault: Fault | undefined;
  /** The key of a launch. */
  key?: string;
  outcome?: Outcome;
  /** The campaign that a launch created. */
  campaignId?: string;
  status?: number;
  hasEnded?: boolean;
}

/** Facts about a launched campaign besides the service's own. */
interface Launched {
  id: string;
  appId: string;
  key: string;
  stack: Stack;
  at: number;
  /** The service carried it out after the client had its answer. */
  isLate: boolean;
  /** Who paused or resumed it last. If nobody did, the service itself holds a paused campaign. */
  switched?: "pause sent" | "pause saved" | "paused by a person" | "resumed by a person";
  /** A command succeeded that paused it by its policy, or declared it as paused. */
  mustNotRun?: boolean;
  /** Left alone because a policy or a person said so. */
  isReleased?: boolean;
}

/** A campaign in the service that was not removed. */
export type Live = Launched & { campaign: Campaign };

/** Sees every request and what the service does with it, and notices a broken promise. */
export class Witness {
  readonly entries: Entry[] = [];
  private readonly launched = new Map<string, Launched>();
  /** By key, when the command began that removed its intent from the state. */
  private readonly forgotten = new Map<string, number>();
  /** By key, the last uncertain launch that a command lived to save. */
  private readonly attempts = new Map<string, Entry>();
  private broken: Broken | undefined;

  constructor(
    private readonly time: VirtualTime,
    private readonly objects: CampaignObjects,
    private readonly schedule: Schedule,
  ) {}

  breaks(rule: string): void {
    this.broken ??= new Broken(rule);
  }

  sends(step: EngineStep, { operation, parameters }: Target, body: unknown, fault?: Fault): Entry {
    const entry: Entry = { at: this.time.now(), step, operation, parameters, fault };
    const { app_id: appId = "", campaign_id: id } = parameters;
    if (operation === "campaign.launch") this.launches(entry, appId, (body as { campaign: Campaign }).campaign);
    this.entries.push(entry);
    if (id === undefined) return entry;
    if (!this.isOwn(step, id)) this.breaks(`(a) Run ${step.run.name} sends ${operation} of ${id}, of another key.`);
    if (operation !== "campaign.resume") step.run.stopped.add(id);
    else {
      this.note(id, { mustNotRun: false });
      const budget = this.objects.campaign(appId, id)?.daily_budget_micros ?? 0;
      this.assertBelowCap(step.run, appId, budget, id);
    }
    return entry;
  }

  carriedOut(entry: Entry, { status, body }: ServiceAnswer): void {
    const { step, operation, parameters, fault, key } = entry;
    entry.status = status;
    if (status !== 200) return;
    const { app_id: appId = "", campaign_id: id = "" } = parameters;
    if (operation === "campaign.pause") this.note(id, { switched: "pause sent" });
    if (operation === "campaign.resume") this.note(id, { switched: undefined });
    if (key === undefined) return;
    entry.campaignId = (body as { campaign: Campaign }).campaign.id;
    const campaign = { id: entry.campaignId, appId, key, stack: step.stack, at: this.time.now() };
    this.launched.set(campaign.id, { ...campaign, isLate: fault?.carriedOut === "late" });
  }

  /** The client has its answer, or gives up. */
  ends(entry: Entry, own: ServiceAnswer | undefined): void {
    const { operation, step, parameters, fault, at } = entry;
    const { app_id: appId = "" } = parameters;
    entry.hasEnded = true;
    entry.outcome = fault === undefined ? "done" : outcomeOf(fault.then);
    if (fault === undefined && own?.status !== 200) entry.outcome = outcomeOf(String(own?.status));
    if (entry.outcome !== "done") return;
    // An earlier read that took longer is not the last.
    if (operation === "campaign.list" && (step.run.lists.get(appId)?.began ?? 0) <= at)
      step.run.lists.set(appId, { began: at, rows: (own?.body as { campaigns: Campaign[] }).campaigns });
  }

  /** The engine has the outcome of a step, and saves a resource if there is one. */
  stepEnds(step: EngineStep, resource: Resource | undefined): void {
    const id = resource && campaignIdOf(resource);
    if (id !== undefined && !this.isOwn(step, id))
      this.breaks(`(a) Run ${step.run.name} takes over ${id}, of another key.`);
    const sent = this.entries.filter((entry) => entry.step === step);
    for (const { operation, outcome, parameters } of sent)
      if (operation === "campaign.pause" && outcome === "done" && resource !== undefined)
        this.note(parameters["campaign_id"] ?? "", { switched: "pause saved" });
    const last = sent.findLast(({ key }) => key !== undefined);
    if (last?.key === undefined || last.outcome !== "uncertain" || id !== undefined) return;
    if (resource === undefined) this.breaks(`(c) The launch under ${last.key} is uncertain, and is not saved.`);
    this.attempts.set(last.key, last);
  }

  personDid(does: "pause" | "resume" | "remove", id: string): void {
    if (does === "pause") this.note(id, { switched: "paused by a person" });
    if (does !== "resume") return;
    const isReleased = this.launched.get(id)?.stack.managerOf(id) === undefined;
    this.note(id, { switched: "resumed by a person", mustNotRun: false, ...(isReleased ? { isReleased } : {}) });
  }

  /** A resource was removed from the state of its stack after its deletion succeeded. */
  deleted(resource: Resource, { run, stack }: EngineStep): void {
    const policy = policyOf(resource);
    for (const { id, key, isReleased, switched, isLate, at } of this.live(stack)) {
      const isIts = resource.type === "intent" ? key === resource.id : id === campaignIdOf(resource);
      // The state forgets whose pause it is.
      if (isIts && switched === "pause saved") this.note(id, { switched: "pause sent" });
      if (!isIts || isReleased === true || stack.managerOf(id) !== undefined) continue;
      // One that is carried out later is not seen.
      if (policy === "pause" && !(isLate && at >= run.startedAt)) this.mustNotRun(id);
      if (policy === "retain") this.note(id, { isReleased: true });
    }
    // A new intent has another key: earlier late launches are forgotten too.
    if (resource.type === "intent")
      this.forgotten.set(resource.id, run.command.replace === undefined ? run.startedAt : 0);
  }

  /** Whether a command paused it last, and saved that it did. */
  isKnownAsPaused(id: string): boolean {
    return this.launched.get(id)?.switched === "pause saved";
  }

  mustNotRun(id: string): void {
    // Only a refresh sees what a person did.
    if (this.launched.get(id)?.switched !== "resumed by a person") this.note(id, { mustNotRun: true });
  }

  /** The campaigns that a stack launched and nobody removed. */
  live(stack: Stack): Live[] {
    return [...this.launched.values()].flatMap((launched) => {
      const campaign = this.objects.campaign(launched.appId, launched.id);
      const isLive = launched.stack === stack && campaign !== undefined && campaign.status !== campaignStatus.removed;
      return isLive ? [{ ...launched, campaign }] : [];
    });
  }

  /** The campaigns of a stack that spend, or that the service may enable by itself, and that no policy released. */
  spending(stack: Stack): Live[] {
    return this.live(stack).filter(
      ({ campaign, key, isLate, at, isReleased }) =>
        isReleased !== true &&
        !this.isPaused(campaign) &&
        // Limits of any client: "after a destroy it runs on".
        !(isLate && at >= (this.forgotten.get(key) ?? Infinity)),
    );
  }

  /** Throws the first promise that was broken until now. `isSettled`: late launches are no excuse any more. */
  assertKept(stack: Stack, isSettled = false): void {
    const seen = new Map<string, string>();
    for (const { id, key, isLate } of this.spending(stack)) {
      const known = stack.managerOf(id) ?? stack.ofKey(key);
      if (known === undefined) this.breaks(`(b) ${id} is live, and nothing in the state knows it or its key.`);
      // Limits of any client: "a launch … after the watch runs beside the next one". The policy `retain`
      // leaves it alone.
      if (isLate && (!isSettled || known === undefined || policyOf(known) === "retain")) continue;
      const other = seen.get(key);
      if (other !== undefined) this.breaks(`(b) ${other} and ${id} are both live under the key ${key}.`);
      seen.set(key, id);
    }
    for (const { id, campaign, mustNotRun } of this.live(stack))
      if (mustNotRun === true && campaign.status === campaignStatus.enabled)
        this.breaks(`(e) ${id} runs, and a command succeeded that paused it.`);
    if (this.broken !== undefined) throw this.broken;
  }

  private note(id: string, fields: { [Name in keyof Launched]?: Launched[Name] | undefined }): void {
    const launched = this.launched.get(id);
    if (launched !== undefined) Object.assign(launched, fields);
  }

  private isOwn({ keys, ids }: EngineStep, id: string): boolean {
    return ids.includes(id) || keys.includes(this.launched.get(id)?.key ?? "");
  }

  /** Promise (c), and that a command launches nothing beside what its own list shows. */
  private launches(entry: Entry, appId: string, { campaign_name: name, daily_budget_micros: budget }: Campaign): void {
    const { run, keys, stack } = entry.step;
    const breaks = (rule: string): void => {
      this.breaks(`${rule.slice(0, 3)} Run ${run.name} launches ${name} ${rule.slice(4)}.`);
    };
    const [, base, key = ""] = /^(.*)-([0-9a-f]{7})[0-9a-f]{5}$/.exec(name) ?? [];
    entry.key = key;
    if (!keys.includes(key)) breaks("(a) under another key");
    if (
      this.entries.some(({ step, key: other, outcome }) => step.run === run && other === key && outcome !== "postponed")
    )
      breaks("(c) a second time");
    const attempt = this.attempts.get(key);
    const isQuarantined = entry.at < (attempt?.at ?? -Infinity) + this.schedule.quarantineSeconds * 1000 - wholeSecond;
    const found = this.live(stack).find(({ id }) => id === attempt?.campaignId);
    const isEnded = attempt?.campaignId !== undefined && (found === undefined || this.isPaused(found.campaign));
    if (isQuarantined && !isEnded) breaks("(c) again within the quarantine");
    const list = run.lists.get(appId);
    if (list === undefined) breaks("(c) without a complete list");
    const inTheWay = (list?.rows ?? []).filter(({ id, status, campaign_name: other }) => {
      if (status === campaignStatus.removed || run.stopped.has(id)) return false;
      if (other.slice(0, -5) === name.slice(0, -5)) return stack.managerOf(id) === undefined;
      // Limits of any client: "Two stacks can launch at the same moment".
      return other.replace(/-[0-9a-f]{12}$/, "") === base && (this.launched.get(id)?.at ?? 0) < run.startedAt;
    });
    if (inTheWay.length > 0) breaks(`(c) beside ${inTheWay.map(({ id }) => id).join(", ")}, which its list shows`);
    this.assertBelowCap(run, appId, budget);
  }

  /** Promise (f): what the list shows, with one more, is not above the app's cap. */
  private assertBelowCap(run: Run, appId: string, budget: number, itself?: string): void {
    const { maxAppDailyBudgetMicros: cap = Infinity } = this.schedule;
    const others = (run.lists.get(appId)?.rows ?? []).filter(
      (row) =>
        row.status !== campaignStatus.removed && row.id !== itself && !run.stopped.has(row.id) && !this.isPaused(row),
    );
    const sum = others.reduce((total, row) => total + row.daily_budget_micros, budget);
    if (sum > cap) this.breaks(`(f) Run ${run.name} lets ${appId} spend ${String(sum)} a day, above ${String(cap)}.`);
  }

  /** Not one that the service holds. */
  private isPaused({ id, status }: Campaign): boolean {
    const { switched } = this.launched.get(id) ?? {};
    return status === campaignStatus.paused && switched !== undefined && switched !== "resumed by a person";
  }
}

export interface Target {
  operation: FaultyOperation;
  parameters: Record<string, string>;
}

/** The service's clock is known to the second. */
const wholeSecond = 1_000;
