/** What a campaign learns from its launch intent, which was written to the state before it. */
export interface IntentLink {
  nonce: string;
  /** When it was written, in ISO 8601. */
  writtenAt: string;
  /** The campaign list of the service that it was written for. */
  readBy: string;
  /** The intents that it replaced, the last one last. They are in state until a command succeeds. */
  replaced?: readonly ReplacedIntent[] | undefined;
}

export interface ReplacedIntent {
  nonce: string;
  writtenAt: string;
  /** The campaign that was to be launched under it, and its values. */
  campaign: string;
  values: object;
}

/** What is older than a day was not launched by a command that has just died. */
const longestAge = 24 * 60 * 60_000;

export function isOfToday({ writtenAt }: { writtenAt: string }, now: number): boolean {
  return Date.parse(writtenAt) >= now - longestAge;
}

/** What this deployment knows of launch intents. */
export class LaunchIntents {
  /** By the declared campaign. */
  private readonly links = new Map<string, IntentLink>();
  /** By the declared campaign, the intents that its own intent replaces, the last one last. */
  private readonly replacements = new Map<string, readonly ReplacedIntent[]>();
  /** The nonces that this deployment wrote: nothing was launched under them before. */
  private readonly written = new Set<string>();
  /** Nonces, or declared campaigns of states without one, whose deletion this deployment carried out. */
  private readonly settled = new Set<string>();

  link(campaign: string, link: IntentLink): void {
    this.links.set(campaign, link);
  }

  linkOf(campaign: string): IntentLink | undefined {
    return this.links.get(campaign);
  }

  /** The intent of the campaign replaces the last of these, which replaced the others. */
  replace(campaign: string, replaced: readonly ReplacedIntent[]): void {
    this.replacements.set(campaign, replaced);
  }

  /** The intents that the campaign's own intent replaces in this command. */
  replacedBy(campaign: string): readonly ReplacedIntent[] {
    return this.replacements.get(campaign) ?? [];
  }

  /** The campaigns whose intents replace this one in this command. */
  successorsOf(nonce: string): string[] {
    return [...this.replacements].filter(([, all]) => all.at(-1)?.nonce === nonce).map(([campaign]) => campaign);
  }

  /** What earlier commands may have launched before the intent of the campaign was written, and nothing has looked for. */
  openBefore(campaign: string, now: number): string[] {
    return this.openIn(this.links.get(campaign), now);
  }

  /** The same for a campaign that is replaced, by the nonce of its intent. */
  openBeside(nonce: string | undefined, now: number): string[] {
    const isOfResource = (link: IntentLink): boolean =>
      [link, ...(link.replaced ?? [])].some((intent) => intent.nonce === nonce);
    return [...this.links.values()].filter(isOfResource).flatMap((link) => this.openIn(link, now));
  }

  private openIn(link: IntentLink | undefined, now: number): string[] {
    const recent = (link?.replaced ?? []).filter((intent) => isOfToday(intent, now));
    return recent.filter(({ nonce, campaign }) => !this.isSettled(nonce, campaign)).map(({ campaign }) => campaign);
  }

  /**
   * Whether an earlier command may have launched the campaign and died: its intent, or one that it replaces,
   * is from an earlier command, and the deletion of its campaign did not run.
   */
  isOpen(campaign: string): boolean {
    // Whatever its name: where resources swap names, the earlier intent of this one belongs to another resource.
    if (this.replacedBy(campaign).some((intent) => !this.isSettled(intent.nonce, intent.campaign))) return true;
    const link = this.earlier(campaign);
    return link !== undefined && !this.isSettled(link.nonce, campaign);
  }

  /** The campaign's intent, if an earlier command wrote it. */
  earlier(campaign: string): IntentLink | undefined {
    const link = this.links.get(campaign);
    return link === undefined || this.written.has(link.nonce) ? undefined : link;
  }

  markWritten(nonce: string): void {
    this.written.add(nonce);
  }

  /** The deletion of a campaign ran. Campaigns of 0.1.0 do not know their intent. */
  settle(nonce: string | undefined, campaign: string): void {
    this.settled.add(nonce ?? campaign);
  }

  isSettled(nonce: string, campaign: string): boolean {
    return this.settled.has(nonce) || this.settled.has(campaign);
  }
}
