/** What a campaign learns from its launch intent, which was written to the state before it. */
export interface IntentLink {
  nonce: string;
  /** When it was written, in ISO 8601, by the clock of the machine that wrote it. */
  writtenAt: string;
  /** The same by the service's clock, if that was known. */
  writtenServiceTime?: string | undefined;
  /** The campaign list of the service that it was written for. */
  readBy: string;
  /** The intents that it replaced within a day, the last one last. They stay in state until a command succeeds. */
  replaced?: readonly ReplacedIntent[] | undefined;
  /** What becomes of the campaign if the intent leaves the stack after an interrupted launch. */
  deletionPolicy?: string | undefined;
  /** Of an intent that remembers no launch, because its campaign is adopted. */
  campaignId?: string | undefined;
}

/** A launch intent that another one replaced. */
export interface ReplacedIntent {
  /** Its own nonce. */
  nonce: string;
  /** In ISO 8601, by the clock of the machine that wrote it. */
  writtenAt: string;
  /** The same by the service's clock, if it was known. */
  writtenServiceTime?: string | undefined;
  /** The campaign that was to be launched under it. */
  campaign: string;
  /** The values of that campaign. */
  values: object;
}

const day = 24 * 60 * 60_000;

/** What is older was not launched by a command that was interrupted just now. */
export function isWithinADay(time: string, now: number): boolean {
  return Date.parse(time) >= now - day;
}

/** What this deployment knows of launch intents. */
export class LaunchIntents {
  /** By the declared campaign. */
  private readonly links = new Map<string, IntentLink>();
  /** By nonce, those that this deployment wrote or keeps. */
  private readonly known = new Map<string, IntentLink>();
  /** By the declared campaign, the intents that its own intent replaces, the last one last. */
  private readonly predecessors = new Map<string, readonly ReplacedIntent[]>();
  /** The same of an intent that stays: what it replaced in earlier commands. They may still be in state. */
  private readonly replacedBefore = new Map<string, readonly ReplacedIntent[]>();
  /** The nonces that this deployment wrote: nothing was launched under them before. */
  private readonly written = new Set<string>();
  /** The nonces whose campaigns this deployment deleted. */
  private readonly closed = new Set<string>();
  /** By the declared campaign, where its state had no nonce: since when its intents are closed, in ISO 8601. */
  private readonly closedSince = new Map<string, string>();

  link(campaign: string, link: IntentLink): void {
    this.links.set(campaign, link);
  }

  /** Keeps an intent for a campaign that names it by its nonce. */
  remember(link: IntentLink): void {
    this.known.set(link.nonce, link);
  }

  byNonce(nonce: string): IntentLink | undefined {
    return this.known.get(nonce);
  }

  linkOf(campaign: string): IntentLink | undefined {
    return this.links.get(campaign);
  }

  /** The intent of the campaign replaces the last of these, which replaced the others. */
  recordPredecessors(campaign: string, replaced: readonly ReplacedIntent[]): void {
    this.predecessors.set(campaign, replaced);
  }

  /** The intents that the campaign's own intent replaces in this command. */
  predecessorsOf(campaign: string): readonly ReplacedIntent[] {
    return this.predecessors.get(campaign) ?? [];
  }

  /** The intent of the campaign stays, and replaced these in earlier commands. */
  recordReplacedBefore(campaign: string, replaced: readonly ReplacedIntent[]): void {
    this.replacedBefore.set(campaign, replaced);
  }

  /** The campaigns whose intents, seen in this command, replaced this one. */
  successorsOf(nonce: string): string[] {
    return [...this.predecessors, ...this.replacedBefore]
      .filter(([, replaced]) => replaced.some((intent) => intent.nonce === nonce))
      .map(([campaign]) => campaign);
  }

  /**
   * The campaigns that earlier commands may have launched for the resource with this intent, or with one that replaced it,
   * and that nothing has looked for.
   */
  openPredecessors(nonce: string | undefined, now: number): string[] {
    const isOfResource = (link: IntentLink): boolean =>
      [link, ...(link.replaced ?? [])].some((intent) => intent.nonce === nonce);
    return [...this.links.values()]
      .filter(isOfResource)
      .flatMap(({ replaced = [] }) => replaced)
      .filter((intent) => isWithinADay(intent.writtenAt, now) && !this.isClosed(intent, intent.campaign))
      .map(({ campaign }) => campaign);
  }

  /**
   * Whether an earlier, interrupted command may have launched the campaign: its intent, or one that it replaces, is from an
   * earlier command, and the deletion of its campaign did not run.
   */
  isOpen(campaign: string): boolean {
    // Whatever its name: where resources swap names, the earlier intent of this one belongs to another resource.
    if (this.predecessorsOf(campaign).some((intent) => !this.isClosed(intent, intent.campaign))) return true;
    const link = this.fromEarlierCommand(campaign);
    return link !== undefined && !this.isClosed(link, campaign);
  }

  /** The campaign's intent, if an earlier command wrote it. */
  fromEarlierCommand(campaign: string): IntentLink | undefined {
    const link = this.links.get(campaign);
    return link === undefined || this.written.has(link.nonce) ? undefined : link;
  }

  markWritten(nonce: string): void {
    this.written.add(nonce);
  }

  /** The deletion of the campaign of this intent ran. */
  close(nonce: string): void {
    this.closed.add(nonce);
  }

  /** The same for a campaign that does not know its intent, but was in state when those since then were written. */
  closeSince(time: string, campaign: string): void {
    this.closedSince.set(campaign, time);
  }

  isClosed({ nonce, writtenAt }: Pick<IntentLink, "nonce" | "writtenAt">, campaign: string): boolean {
    const since = this.closedSince.get(campaign);
    return this.closed.has(nonce) || (since !== undefined && writtenAt > since);
  }
}
