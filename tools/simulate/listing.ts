import type { Campaign } from "../../simulator/types";

/** The campaign list as it appears: launches and changes appear late. It never takes back a state that it has shown. */
export class Listing {
  private readonly versions = new Map<string, { at: number; status: string }[]>();
  private readonly shownUntil = { launches: 0, changes: 0 };
  private lag = { launches: 0, changes: 0 };

  constructor(private readonly now: () => number) {}

  setLag({ launches, changes }: { launches: number; changes: number }): void {
    this.move();
    this.lag = { launches, changes };
  }

  /** Something may have changed. */
  note(campaigns: readonly Campaign[]): void {
    for (const { id, status } of campaigns) {
      const versions = this.versions.get(id) ?? [];
      this.versions.set(id, versions);
      if (versions.at(-1)?.status !== status) versions.push({ at: this.now(), status });
    }
  }

  /** The rows as they are listed now. */
  listed(rows: readonly Campaign[]): Campaign[] {
    this.move();
    return rows.flatMap((row) => {
      const [first, ...changes] = this.versions.get(row.id) ?? [];
      if (first === undefined || first.at > this.shownUntil.launches) return [];
      const { status } = changes.findLast(({ at }) => at <= this.shownUntil.changes) ?? first;
      return [{ ...row, status }];
    });
  }

  private move(): void {
    const { launches, changes } = this.shownUntil;
    this.shownUntil.launches = Math.max(launches, this.now() - this.lag.launches);
    this.shownUntil.changes = Math.max(changes, this.now() - this.lag.changes);
  }
}
