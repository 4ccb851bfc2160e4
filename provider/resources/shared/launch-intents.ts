/** What a campaign learns from its launch intent, which was written to the state before it. */
export interface IntentLink {
  nonce: string;
  /** When it was written, in ISO 8601. */
  writtenAt: string;
}

/** What this deployment knows of launch intents. */
export class LaunchIntents {
  /** By the declared campaign. */
  private readonly links = new Map<string, IntentLink>();
  /** By the declared campaign, the intent that its own intent replaces. */
  private readonly predecessors = new Map<string, { nonce: string; campaign: string }>();
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

  /** The intent of `earlier` becomes one of `campaign`. */
  replace(campaign: string, earlier: { nonce: string; campaign: string }): void {
    this.predecessors.set(campaign, earlier);
  }

  /** The nonce of the intent that the campaign's own intent replaces in this command. */
  predecessorOf(campaign: string): string | undefined {
    return this.predecessors.get(campaign)?.nonce;
  }

  /** The campaigns whose intents replace this one in this command. */
  successorsOf(nonce: string): string[] {
    return [...this.predecessors]
      .filter(([, predecessor]) => predecessor.nonce === nonce)
      .map(([campaign]) => campaign);
  }

  /**
   * Whether an earlier command may have launched for this resource and died: its intent, or the one that it replaces, is
   * from an earlier command, and the deletion of its campaign did not run.
   */
  isOpen(campaign: string): boolean {
    const predecessor = this.predecessors.get(campaign);
    if (predecessor !== undefined && !this.isSettled(predecessor.nonce, predecessor.campaign)) return true;
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
