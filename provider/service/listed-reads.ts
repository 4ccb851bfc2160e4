import type { Clock } from "./clock";

/** How long reads wait for others that the same list answers. A refresh starts several at once. */
const gatheredFor = 5;
/** How long one list is used. A refresh reads many resources within seconds. */
const recentFor = 30_000;

/** The reads that one list answers. */
interface Group {
  readonly began: number;
  readonly writes: number;
  readonly gathered: Promise<void>;
  reads: number;
  list?: Promise<ReadonlyMap<string, unknown> | undefined>;
}

/** Objects that a list shows, by their ids. */
export interface ListOfObjects<Row> {
  /** Names the list: `webhooks of agent-1`. */
  readonly key: string;
  /** From how many reads on the list is read instead of single objects. */
  readonly worthwhileFrom: number;
  readonly read: () => Promise<readonly Row[]>;
  readonly idOf: (row: Row) => string;
}

/** Answers the reads of many objects with one list. */
export class ListedReads {
  private readonly groups = new Map<string, Group>();

  constructor(
    private readonly clock: Clock,
    /** The number of requests so far that may have changed something. A list from before one of them is not used. */
    private readonly writes: () => number,
  ) {}

  /**
   * The object in a recent list. Undefined where it must be read by itself: few reads need the list, the list cannot be read
   * to its end, or it does not show the object, which proves nothing.
   */
  async find<Row>(id: string, { key, worthwhileFrom, read, idOf }: ListOfObjects<Row>): Promise<Row | undefined> {
    const group = this.groupOf(key);
    group.reads++;
    await group.gathered;
    if (group.reads < worthwhileFrom) return undefined;
    group.list ??= read().then(
      (rows) => new Map(rows.map((row) => [idOf(row), row])),
      () => undefined,
    );
    return (await group.list)?.get(id) as Row | undefined;
  }

  private groupOf(key: string): Group {
    const present = this.groups.get(key);
    const now = this.clock.now();
    if (present !== undefined && now - present.began < recentFor && present.writes === this.writes()) return present;
    const group: Group = { began: now, writes: this.writes(), gathered: this.clock.sleep(gatheredFor), reads: 0 };
    this.groups.set(key, group);
    return group;
  }
}
