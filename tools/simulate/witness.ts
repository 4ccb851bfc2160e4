import { campaignStatus } from "../../provider/service/shapes";
import type { ServiceAnswer } from "../../simulator/service";
import type { Campaign, CampaignObjects } from "../../simulator/types";
import { type Fault, type FaultyOperation, isRefusal } from "./faults";
import type { Run } from "./run";
import { apps } from "./schedule";
import type { VirtualTime } from "./time";

/** A broken promise of docs/contributing/launch-proof.md. */
export class Broken extends Error {
  override readonly name = "Broken";
}

/** One request as it was sent, and its outcome. */
export interface Entry {
  at: number;
  run: Run;
  operation: FaultyOperation;
  parameters: Record<string, string>;
  fault: Fault | undefined;
  /** Only for a launch. */
  post: Post | undefined;
  carriedOut?: { at: number; status: number };
  ended?: { at: number };
}

/** A launch that was sent. */
export interface Post {
  run: Run;
  /** The declared campaign; see `keyOf`. */
  campaign: string;
  at: number;
  ended?: number;
  outcome: "under way" | "launched" | "refused" | "uncertain";
  /** The campaign that it created. */
  campaignId?: string;
}

/** What one run knows about the campaigns. */
interface Knowledge {
  /** For each app, the complete list whose read began last. */
  lists: Map<string, { began: number; rows: Campaign[] }>;
  /** When the engine began the last step of each campaign. */
  steps: Map<string, number>;
  /** Campaigns that the run sent a delete or pause for. */
  stopped: Set<string>;
  /** The unconfirmed launches in the state when the run began, and when they were sent. */
  attempts: ReadonlyMap<string, number>;
}

/** Names a declared campaign among those of all stacks. */
export function keyOf(appId: string, campaignName: string): string {
  return `"${campaignName}" of ${appId}`;
}

export function isLive({ status }: { status: string }): boolean {
  return status !== campaignStatus.removed;
}

/** Sees every request and what the service does with it, and notices at once when a launch breaks a promise. */
export class Witness {
  readonly entries: Entry[] = [];
  readonly posts: Post[] = [];
  /** Left running or paused because its deletionPolicy says so. */
  readonly letGo = new Set<string>();
  /** The stack that launched a campaign, and as what it was declared. */
  private readonly launches = new Map<string, { stack: number; campaign: string; sentAt: number }>();
  private readonly knowledge = new Map<Run, Knowledge>();
  private broken: Broken | undefined;

  constructor(
    private readonly time: VirtualTime,
    private readonly objects: CampaignObjects,
    private readonly quarantine: number,
  ) {}

  breaks(rule: string): void {
    this.broken ??= new Broken(rule);
  }

  /** Throws the first broken promise. */
  assertUnbroken(): void {
    if (this.broken !== undefined) throw this.broken;
  }

  /** A run begins, with the unconfirmed launches in the state of its stack. */
  begins(run: Run, attempts: ReadonlyMap<string, number>): void {
    this.knowledge.set(run, { lists: new Map(), steps: new Map(), stopped: new Set(), attempts });
  }

  /** The engine begins to create or update a campaign. */
  stepBegins(run: Run, campaign: string): void {
    this.knownTo(run).steps.set(campaign, this.time.now());
  }

  sends(
    run: Run,
    operation: FaultyOperation,
    parameters: Record<string, string>,
    body: unknown,
    fault: Fault | undefined,
  ): Entry {
    const entry: Entry = { at: this.time.now(), run, operation, parameters, fault, post: undefined };
    if (operation === "campaign.launch") {
      const { campaign_name } = (body as { campaign: Campaign }).campaign;
      entry.post = this.posted(run, parameters["app_id"] ?? "", campaign_name);
    }
    if (operation === "campaign.delete" || operation === "campaign.pause")
      this.knownTo(run).stopped.add(parameters["campaign_id"] ?? "");
    this.entries.push(entry);
    return entry;
  }

  carriedOut(entry: Entry, { status, body }: ServiceAnswer): void {
    entry.carriedOut = { at: this.time.now(), status };
    const { post, run } = entry;
    if (post === undefined || status !== 200) return;
    const { stack } = run.command;
    post.campaignId = (body as { campaign: Campaign }).campaign.id;
    this.launches.set(post.campaignId, { stack, campaign: post.campaign, sentAt: post.at });
    this.assertOneLive(stack);
  }

  ends(entry: Entry, own: ServiceAnswer | undefined): void {
    const { operation, run, parameters, post, fault } = entry;
    entry.ended = { at: this.time.now() };
    if (post !== undefined) Object.assign(post, { ended: this.time.now(), outcome: outcomeOf(own, fault) });
    if (operation !== "campaign.list" || fault !== undefined || own?.status !== 200) return;
    const { lists } = this.knownTo(run);
    const appId = parameters["app_id"] ?? "";
    // An earlier read that took longer is not the last.
    if ((lists.get(appId)?.began ?? 0) > entry.at) return;
    lists.set(appId, { began: entry.at, rows: (own.body as { campaigns: Campaign[] }).campaigns });
  }

  /** The campaigns of a stack that are not removed, with what they were declared as and when they were launched. */
  live(stack: number): (Campaign & { appId: string; declaredAs: string; launchedAt: number })[] {
    return apps.flatMap((appId) =>
      this.objects.campaigns(appId).flatMap((campaign) => {
        const launch = this.launches.get(campaign.id);
        if (launch?.stack !== stack || !isLive(campaign)) return [];
        return [{ ...campaign, appId, declaredAs: launch.campaign, launchedAt: launch.sentAt }];
      }),
    );
  }

  /** Promise 1. */
  assertOneLive(stack: number): void {
    const seen = new Map<string, string>();
    for (const { id, declaredAs } of this.live(stack)) {
      if (this.letGo.has(id)) continue;
      const other = seen.get(declaredAs);
      if (other !== undefined)
        this.breaks(`1. Two live campaigns for one declaration, ${declaredAs}: ${other}, ${id}.`);
      seen.set(declaredAs, id);
    }
  }

  /** Promises 2 and 3, when a launch is sent. */
  private posted(run: Run, appId: string, campaignName: string): Post {
    const campaign = keyOf(appId, campaignName);
    const { lists, steps, stopped, attempts } = this.knownTo(run);
    const earlier = this.posts.filter((post) => post.run === run && post.campaign === campaign);
    const list = lists.get(appId);
    const since = Math.max(steps.get(campaign) ?? 0, ...earlier.map((post) => post.ended ?? Infinity));
    if (list === undefined || list.began < since)
      this.breaks(`2. ${campaign} is launched without a complete list read before it.`);
    const shown = list?.rows.filter((row) => isLive(row) && row.campaign_name === campaignName && !stopped.has(row.id));
    if (shown !== undefined && shown.length > 0)
      this.breaks(`3. ${campaign} is launched although the list shows ${shown.map(({ id }) => id).join(", ")}.`);
    if (earlier.some(({ outcome }) => outcome === "uncertain" || outcome === "under way"))
      this.breaks(`3. ${campaign} is launched again after an uncertain outcome in the same run.`);
    // An attempt whose campaign was found and stopped, to make room for this one, is not open any more.
    const isStopped = [...stopped].some((id) => this.launches.get(id)?.campaign === campaign);
    const attempt = isStopped ? undefined : attempts.get(campaign);
    if (attempt !== undefined && this.time.now() < attempt + this.quarantine)
      this.breaks(`3. ${campaign} is launched again within the quarantine of an attempt in the state.`);
    const post: Post = { run, campaign, at: this.time.now(), outcome: "under way" };
    this.posts.push(post);
    return post;
  }

  private knownTo(run: Run): Knowledge {
    const known = this.knowledge.get(run);
    if (known === undefined) throw new Error(`Run ${run.name} has not begun.`);
    return known;
  }
}

/** What the client was told of a launch. */
function outcomeOf(own: ServiceAnswer | undefined, fault: Fault | undefined): Post["outcome"] {
  if (fault !== undefined) return isRefusal(fault.then) ? "refused" : "uncertain";
  if (own?.status === 200) return "launched";
  return own?.status === 409 || (own?.status ?? 500) >= 500 ? "uncertain" : "refused";
}
