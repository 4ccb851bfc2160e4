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

  markWritten(nonce: string): void {
    this.written.add(nonce);
  }

  isWrittenNow(nonce: string): boolean {
    return this.written.has(nonce);
  }

  /** The deletion of a campaign ran. Campaigns of 0.1.0 do not know their intent. */
  settle(nonce: string | undefined, campaign: string): void {
    this.settled.add(nonce ?? campaign);
  }

  isSettled(nonce: string, campaign: string): boolean {
    return this.settled.has(nonce) || this.settled.has(campaign);
  }
}
