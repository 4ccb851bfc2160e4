/** An amount that one campaign may spend a day. */
export interface Reservation {
  readonly campaignName: string;
  /** Known for a campaign that was resumed, and not for one that was launched. */
  readonly campaignId?: string | undefined;
  readonly dailyBudgetMicros: number;
}

/** What this deployment has let campaigns spend, by app. A list may be slow to show it. */
export class Reservations {
  private readonly byApp = new Map<string, Set<Reservation>>();

  of(appId: string): Reservation[] {
    return [...(this.byApp.get(appId) ?? [])];
  }

  add(appId: string, reservation: Reservation): void {
    const ofApp = this.byApp.get(appId);
    if (ofApp === undefined) this.byApp.set(appId, new Set([reservation]));
    else ofApp.add(reservation);
  }

  remove(appId: string, reservation: Reservation): void {
    this.byApp.get(appId)?.delete(reservation);
  }
}
