import type { Clock } from "./clock";

/** How long a read waits for others that the same list answers. A refresh starts several at once. */
const batchWindow = 20;
/** How long one list is used. A refresh reads many resources within seconds. */
const recentFor = 30_000;

/** A list that answers the reads of several objects. */
export interface ListSource<Row> {
  /** Names the list and its parent. */
  readonly key: string;
  /** With fewer reads than this, each object is read by itself. */
  readonly minReads: number;
  readonly pages: () => AsyncIterable<readonly Row[]>;
  readonly idOf: (row: Row) => string;
}

/** What a list says of an object. */
interface Listed<Row> {
  readonly row: Row | undefined;
  /** Whether the list was read to its end. */
  readonly isComplete: boolean;
}

interface Rows {
  readonly byId: ReadonlyMap<string, unknown>;
  readonly isComplete: boolean;
}

interface Batch {
  readonly began: number;
  readonly writeVersion: number;
  readonly window: Promise<void>;
  reads: number;
  rows?: Promise<Rows>;
}

const nothing: Rows = { byId: new Map(), isComplete: false };

/** Answers the reads of many objects with one list. */
export class BatchedReads {
  private readonly batches = new Map<string, Batch>();

  constructor(
    private readonly clock: Clock,
    /** Grows with every request that may have changed something. A list from before one of them is not used. */
    private readonly writeVersion: () => number,
  ) {}

  /** What a recent list says. It says nothing where few reads need it, or where it is cut or cannot be read. */
  async find<Row>(id: string, source: ListSource<Row>): Promise<Listed<Row>> {
    const batch = this.batchOf(source.key);
    batch.reads++;
    await batch.window;
    if (batch.reads >= source.minReads) batch.rows ??= readPages(source, () => batch.reads);
    const { byId, isComplete } = (await batch.rows) ?? nothing;
    return { row: byId.get(id) as Row | undefined, isComplete };
  }

  private batchOf(key: string): Batch {
    const latest = this.batches.get(key);
    const began = this.clock.now();
    const writeVersion = this.writeVersion();
    if (latest !== undefined && began - latest.began < recentFor && latest.writeVersion === writeVersion) return latest;
    const batch: Batch = { began, writeVersion, window: this.clock.sleep(batchWindow), reads: 0 };
    this.batches.set(key, batch);
    return batch;
  }
}

/** Reads no more pages than there are reads: a list may be much larger than what a stack manages. */
async function readPages<Row>({ pages, idOf }: ListSource<Row>, reads: () => number): Promise<Rows> {
  const byId = new Map<string, Row>();
  let count = 0;
  try {
    for await (const rows of pages()) {
      for (const row of rows) byId.set(idOf(row), row);
      count++;
      if (count >= reads()) return { byId, isComplete: false };
    }
    return { byId, isComplete: true };
  } catch {
    return nothing;
  }
}
