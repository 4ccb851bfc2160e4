import { AsyncLocalStorage } from "node:async_hooks";
import { campaignStatus } from "../../provider/service/shapes";
import type { ServiceAnswer } from "../../simulator/service";
import type { Campaign, CampaignObjects } from "../../simulator/types";
import { type Fault, type FaultyOperation, type Outcome, outcomeOf } from "./faults";
import type { Run } from "./run";
import { apps, type Schedule } from "./schedule";
import { campaignIdOf, policyOf, type Resource, type Stack, type Type } from "./stack";
import type { VirtualTime } from "./time";

/** A broken promise of docs/contributing/launch-proof.md. */
export class Broken extends Error {
  override readonly name = "Broken";
}

/** One step of the engine: on whose behalf a request is sent. */
export interface EngineStep {
  type: Type;
  run: Run;
  stack: Stack;
  /** The keys of its resource, before and after the step. */
  keys: readonly string[];
  /** The campaigns that its resource had in the state or declares by their id. */
  ids: readonly string[];
  /** The launches that it sent. */
  posts: Post[];
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
  post?: Post;
  carriedOut?: { at: number; status: number };
  ended?: boolean;
}

/** A launch that was sent. */
export interface Post {
  at: number;
  key: string;
  outcome: Outcome | "under way";
  /** The campaign that it created. */
  campaignId?: string;
}

/** What is known about a launched campaign besides what the service holds. */
interface Launched {
  key: string;
  stack: Stack;
  at: number;
  /** The service carried it out after the client had its answer. */
  isLate: boolean;
}

/** A complete list that a command received. */
interface Listed {
  began: number;
  rows: readonly Campaign[];
}

/** A campaign in the service that was not removed. */
export type Live = Campaign & Launched & { appId: string };

const settled = 1_000;

/** Sees every request and what the service does with it, and notices a broken promise. */
export class Witness {
  readonly entries: Entry[] = [];
  private readonly launches = new Map<string, Launched>();
  /** The campaigns that a pause request or a person paused last. Any other paused one is held by the service. */
  private readonly paused = new Set<string>();
  /** Left alone because a policy or a person said so. */
  private readonly released = new Set<string>();
  /** By key, when the command began that removed its intent from the state. */
  private readonly forgotten = new Map<string, number>();
  /** Uncertain launches that a command lived to save. */
  private readonly attempts = new Map<string, Post>();
  /** Must not run, because a command succeeded that declared them as paused, or paused them by policy. */
  private readonly quiet = new Set<string>();
  private readonly resumedByPerson = new Set<string>();
  private readonly confirmedPauses = new Set<string>();
  /** By run and app, the last complete list, and what the run has ended or paused. */
  private readonly lists = new Map<Run, Map<string, Listed>>();
  private readonly stopped = new Map<Run, Set<string>>();
  private broken: Broken | undefined;

  constructor(
    private readonly time: VirtualTime,
    private readonly objects: CampaignObjects,
    private readonly schedule: Schedule,
  ) {}

  breaks(rule: string): void {
    this.broken ??= new Broken(rule);
  }

  /** Throws the first broken promise. */
  assertUnbroken(): void {
    if (this.broken !== undefined) throw this.broken;
  }

  sends(
    step: EngineStep,
    operation: FaultyOperation,
    parameters: Entry["parameters"],
    body: unknown,
    fault?: Fault,
  ): Entry {
    const entry: Entry = { at: this.time.now(), step, operation, parameters, fault };
    this.entries.push(entry);
    const { app_id: appId = "", campaign_id: id = "" } = parameters;
    if (operation === "campaign.launch")
      entry.post = this.posted(step, appId, (body as { campaign: Campaign }).campaign);
    if (parameters["campaign_id"] === undefined) return entry;
    this.assertOwn(step, id, operation);
    if (operation === "campaign.resume") {
      this.quiet.delete(id);
      this.assertBelowCap(step.run, appId, this.objects.campaign(appId, id), id);
    } else getOrAdd(this.stopped, step.run, () => new Set()).add(id);
    return entry;
  }

  carriedOut(entry: Entry, { status, body }: ServiceAnswer): void {
    entry.carriedOut = { at: this.time.now(), status };
    const { post, step, operation, parameters } = entry;
    if (status !== 200) return;
    const id = parameters["campaign_id"] ?? "";
    if (operation === "campaign.pause") {
      this.paused.add(id);
      this.resumedByPerson.delete(id);
    }
    if (operation === "campaign.resume") {
      this.paused.delete(id);
      this.confirmedPauses.delete(id);
    }
    if (post === undefined) return;
    post.campaignId = (body as { campaign: Campaign }).campaign.id;
    const { key } = post;
    this.launches.set(post.campaignId, {
      key,
      stack: step.stack,
      at: this.time.now(),
      isLate: entry.fault?.carriedOut === "late",
    });
  }

  /** The client has its answer, or gives up. */
  ends(entry: Entry, own: ServiceAnswer | undefined): void {
    const { operation, step, parameters, post, fault } = entry;
    entry.ended = true;
    if (post !== undefined) post.outcome = toldOf(own, fault);
    if (operation === "campaign.pause" && fault === undefined && own?.status === 200)
      this.confirmedPauses.add(parameters["campaign_id"] ?? "");
    if (operation !== "campaign.list" || fault !== undefined || own?.status !== 200) return;
    const lists = getOrAdd(this.lists, step.run, () => new Map<string, Listed>());
    const appId = parameters["app_id"] ?? "";
    // An earlier read that took longer is not the last.
    if ((lists.get(appId)?.began ?? 0) > entry.at) return;
    lists.set(appId, { began: entry.at, rows: (own.body as { campaigns: Campaign[] }).campaigns });
  }

  /** The engine has the outcome of a step, and saves a resource if there is one. */
  stepEnds({ keys, ids, posts, run }: EngineStep, resource: Resource | undefined): void {
    const last = posts.at(-1);
    const [id] = resource === undefined ? [] : (campaignIdOf(resource) ?? []);
    if (id !== undefined && !ids.includes(id) && !keys.includes(this.launches.get(id)?.key ?? ""))
      this.breaks(`(a) Run ${run.name} takes over ${id}, which has another key.`);
    if (last?.outcome !== "uncertain" || id !== undefined) return;
    if (resource === undefined) this.breaks(`(c) The launch under ${last.key} is uncertain, and is not saved.`);
    this.attempts.set(last.key, last);
  }

  /** A person acted in the service. */
  personDid(does: "pause" | "resume" | "remove", id: string): void {
    this.confirmedPauses.delete(id);
    if (does === "pause") this.paused.add(id);
    if (does !== "resume") return;
    this.paused.delete(id);
    this.quiet.delete(id);
    this.resumedByPerson.add(id);
    if (this.launches.get(id)?.stack.managed().has(id) !== true) this.released.add(id);
  }

  /** The engine saves nothing of a deletion that fails, not even that it paused the campaign. */
  deletionFailed({ ids }: EngineStep): void {
    for (const id of ids) this.confirmedPauses.delete(id);
  }

  /** A resource left the state of its stack after its deletion succeeded. */
  deleted(resource: Resource, { run, stack }: EngineStep): void {
    const policy = policyOf(resource);
    const managed = stack.managed();
    for (const campaign of this.live(stack)) {
      const isIts =
        resource.type === "intent" ? campaign.key === resource.id : campaignIdOf(resource)?.[0] === campaign.id;
      if (!isIts || managed.has(campaign.id) || this.released.has(campaign.id)) continue;
      if (policy === "pause") this.mustNotRun(campaign.id);
      if (policy === "retain") this.released.add(campaign.id);
    }
    if (resource.type === "intent") this.forgotten.set(resource.id, run.startedAt);
  }

  /** Promise (e). A command succeeded that paused the campaign, or declared it as paused. */
  mustNotRun(id: string): void {
    // Only a refresh sees what a person did.
    if (!this.resumedByPerson.has(id)) this.quiet.add(id);
  }

  /** The campaigns that a stack launched and nobody removed. */
  live(stack: Stack): Live[] {
    return apps.flatMap((appId) =>
      this.objects.campaigns(appId).flatMap((campaign) => {
        const launched = this.launches.get(campaign.id);
        return launched?.stack === stack && isLive(campaign) ? [{ ...campaign, ...launched, appId }] : [];
      }),
    );
  }

  /** The campaigns of a stack that spend, or that the service may enable by itself, and that no policy released. */
  spending(stack: Stack): Live[] {
    return this.live(stack).filter(
      ({ id, status, key, isLate, at }) =>
        !this.released.has(id) &&
        !this.isPaused(id, status) &&
        // What a client alone cannot promise: "after a destroy it runs on".
        !(isLate && at >= (this.forgotten.get(key) ?? Infinity)),
    );
  }

  /** Promises (b) and (e), after any command. `isSettled`: late launches are no excuse any more. */
  assertKept(stack: Stack, isSettled = false): void {
    const managed = stack.managed();
    const seen = new Map<string, string>();
    for (const { id, key, isLate } of this.spending(stack)) {
      if (!managed.has(id) && stack.ofKey(key) === undefined)
        this.breaks(
          `(b) ${id} is live, and nothing in the state of stack ${String(stack.number)} knows it or its key.`,
        );
      // What a client alone cannot promise: "a launch … carries out after the watch runs beside the next one".
      if (isLate && (!isSettled || stack.isRetained(key))) continue;
      const other = seen.get(key);
      if (other !== undefined) this.breaks(`(b) ${other} and ${id} are both live under the key ${key}.`);
      seen.set(key, id);
    }
    for (const id of this.quiet)
      if (this.statusOf(id) === campaignStatus.enabled)
        this.breaks(`(e) ${id} runs, and a command succeeded that paused it.`);
  }

  /** Whether a command paused it last, and learnt that it did. */
  isKnownAsPaused(id: string): boolean {
    return this.confirmedPauses.has(id);
  }

  statusOf(id: string): string | undefined {
    return apps.flatMap((appId) => this.objects.campaign(appId, id)?.status ?? []).at(0);
  }

  /** Promise (a). */
  private assertOwn({ run, keys, ids }: EngineStep, id: string, operation: FaultyOperation): void {
    if (ids.includes(id) || keys.includes(this.launches.get(id)?.key ?? "")) return;
    this.breaks(`(a) Run ${run.name} sends ${operation} of ${id}, which has another key.`);
  }

  /** Promise (c), and that a command launches nothing beside what its own list shows. */
  private posted(step: EngineStep, appId: string, campaign: Campaign): Post {
    const { run, keys, stack, posts } = step;
    const [, base = "", key = ""] = /^(.*)-([0-9a-f]{7})[0-9a-f]{5}$/.exec(campaign.campaign_name) ?? [];
    if (!keys.includes(key)) this.breaks(`(a) Run ${run.name} launches ${campaign.campaign_name}, under another key.`);
    const earlier = this.entries.flatMap(({ post, step: other }) =>
      other.run === run && post?.key === key ? post : [],
    );
    if (earlier.some(({ outcome }) => outcome !== "postponed"))
      this.breaks(`(c) Run ${run.name} launches a second time under the key ${key}.`);
    const attempt = this.attempts.get(key);
    const isResolved = attempt?.campaignId !== undefined && !this.mayRunNow(attempt.campaignId);
    const quarantineEnd = (attempt?.at ?? -Infinity) + this.schedule.quarantineSeconds * 1000 - settled;
    if (this.time.now() < quarantineEnd && !isResolved)
      this.breaks(`(c) Run ${run.name} launches under the key ${key} again within the quarantine.`);
    const list = this.lists.get(run)?.get(appId);
    // What a client alone cannot promise: "Two stacks can launch at the same moment".
    const isOfThisMoment = (id: string): boolean => (this.launches.get(id)?.at ?? -Infinity) >= run.startedAt;
    if (list === undefined) this.breaks(`(c) Run ${run.name} launches without a complete list.`);
    const managed = stack.managed();
    const inTheWay = list?.rows.filter(
      ({ id, status, campaign_name: name }) =>
        status !== campaignStatus.removed &&
        !this.stopped.get(run)?.has(id) &&
        (name.slice(0, -5).endsWith(`-${key}`)
          ? !managed.has(id)
          : name.replace(/-[0-9a-f]{12}$/, "") === base && !isOfThisMoment(id)),
    );
    if (inTheWay !== undefined && inTheWay.length > 0)
      this.breaks(
        `(c) Run ${run.name} launches beside ${inTheWay.map(({ id }) => id).join(", ")}, which its list shows.`,
      );
    this.assertBelowCap(run, appId, campaign);
    const post: Post = { at: this.time.now(), key, outcome: "under way" };
    posts.push(post);
    return post;
  }

  /** Promise (f): what the list shows, with what this run launched, is not above the app's cap. */
  private assertBelowCap(run: Run, appId: string, added: Campaign | undefined, itself?: string): void {
    const { maxAppDailyBudgetMicros: cap } = this.schedule;
    if (cap === undefined || added === undefined) return;
    const others = (this.lists.get(run)?.get(appId)?.rows ?? []).filter(
      ({ id, status }) =>
        status !== campaignStatus.removed &&
        id !== itself &&
        !this.stopped.get(run)?.has(id) &&
        !this.isPaused(id, status),
    );
    const sum = others.reduce((total, row) => total + row.daily_budget_micros, added.daily_budget_micros);
    if (sum > cap) this.breaks(`(f) Run ${run.name} spends ${String(sum)} a day in ${appId}, above ${String(cap)}.`);
  }

  private isPaused(id: string, status: string): boolean {
    return status === campaignStatus.paused && this.paused.has(id);
  }

  private mayRunNow(id: string): boolean {
    const status = this.statusOf(id) ?? campaignStatus.removed;
    return status !== campaignStatus.removed && !this.isPaused(id, status);
  }
}

function isLive({ status }: { status: string }): boolean {
  return status !== campaignStatus.removed;
}

/** What the client was told of a launch. */
function toldOf(own: ServiceAnswer | undefined, fault: Fault | undefined): Outcome {
  if (fault !== undefined) return outcomeOf(fault.then);
  if (own?.status === 200) return "launched";
  if (own?.status === 429) return "postponed";
  return own?.status === 409 || (own?.status ?? 500) >= 500 ? "uncertain" : "refused";
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}
