import type { Campaign } from "../../simulator/types";

/** What the campaign list shows: launches and changes appear late. What it has shown once, it never takes back. */
export class Listing {
  private readonly versions = new Map<string, { at: number; row: Campaign }[]>();
  private readonly shownUntil = { launches: 0, changes: 0 };
  private lag = { launches: 0, changes: 0 };

  constructor(
    private readonly now: () => number,
    /** The campaigns of all apps, as they are now. */
    private readonly campaigns: () => readonly Campaign[],
  ) {}

  setLag(lag: { launches: number; changes: number }): void {
    this.move();
    this.lag = { launches: lag.launches, changes: lag.changes };
  }

  /** Something may have changed. */
  note(): void {
    for (const row of this.campaigns()) {
      const versions = this.versions.get(row.id) ?? [];
      this.versions.set(row.id, versions);
      if (versions.at(-1)?.row.status !== row.status) versions.push({ at: this.now(), row });
    }
  }

  /** The rows as they are listed now. */
  listed(rows: readonly Campaign[]): Campaign[] {
    this.move();
    return rows.flatMap((row) => {
      const versions = this.versions.get(row.id) ?? [];
      const [first] = versions;
      if (first === undefined || first.at > this.shownUntil.launches) return [];
      const { status } = versions.findLast(({ at }) => at <= this.shownUntil.changes)?.row ?? first.row;
      return [{ ...row, status }];
    });
  }

  private move(): void {
    const { launches, changes } = this.shownUntil;
    this.shownUntil.launches = Math.max(launches, this.now() - this.lag.launches);
    this.shownUntil.changes = Math.max(changes, this.now() - this.lag.changes);
  }
}
