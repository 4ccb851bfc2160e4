import type { Clock } from "./clock";

/** How long a read waits for others that the same list answers. A refresh starts several at once. */
const batchWindowMs = 20;
/** How long a list is used after its last page. A refresh reads many resources within seconds. */
const maxAgeMs = 30_000;

/** A list that answers the reads of several objects. */
export interface ListSource<Row> {
  /** Names the list and its parent. */
  readonly key: string;
  /** With fewer reads than this, each object is read by itself. */
  readonly minReads: number;
  /**
   * Whether no more pages are read than there are reads: a list may be much larger than what a stack manages. Otherwise it
   * is read until it shows the object, or to its end.
   */
  readonly isBounded: boolean;
  readonly pages: () => AsyncIterator<readonly Row[]>;
  readonly idOf: (row: Row) => string;
}

/** Without a row, and not complete: the list says nothing of the object. */
interface FindResult<Row> {
  readonly row: Row | undefined;
  /** Whether the list was read to its end. */
  readonly isComplete: boolean;
  /** Why it could not be read. */
  readonly failure?: unknown;
}

interface Batch {
  readonly writeVersion: number;
  readonly window: Promise<void>;
  reads: number;
  list?: SharedList<unknown>;
}

/** Answers the reads of many objects with one list. */
export class BatchedReads {
  private readonly batches = new Map<string, Batch>();

  constructor(
    private readonly clock: Clock,
    /** Grows with every request that may have changed something. A list from before one of them is not used. */
    private readonly writeVersion: () => number,
  ) {}

  /** Finds the object in a list that other reads share. */
  async find<Row>(id: string, source: ListSource<Row>): Promise<FindResult<Row>> {
    const batch = this.batchOf(source.key);
    batch.reads++;
    await batch.window;
    if (batch.reads < source.minReads) return { row: undefined, isComplete: false };
    batch.list ??= new SharedList(source, this.clock) as SharedList<unknown>;
    const list = batch.list as SharedList<Row>;
    return list.find(id, () => (source.isBounded ? batch.reads : Infinity));
  }

  private batchOf(key: string): Batch {
    const latest = this.batches.get(key);
    const writeVersion = this.writeVersion();
    if (latest !== undefined && isUsable(latest, writeVersion, this.clock.now())) return latest;
    const batch: Batch = { writeVersion, window: this.clock.sleep(batchWindowMs), reads: 0 };
    this.batches.set(key, batch);
    return batch;
  }
}

/** One that failed is not read again in this command, which would wait for it again and again. */
function isUsable({ list, writeVersion }: Batch, currentVersion: number, now: number): boolean {
  if (list?.hasFailed === true) return true;
  return writeVersion === currentVersion && (list === undefined || list.isRecent(now));
}

/** A list that is read as far as its readers need it, one page at a time. */
class SharedList<Row> {
  private readonly byId = new Map<string, Row>();
  private readonly pages: AsyncIterator<readonly Row[]>;
  private pageCount = 0;
  private end: "complete" | "failed" | undefined;
  private failure: unknown;
  private nextPage: Promise<void> | undefined;
  private lastReadAt: number;

  constructor(
    private readonly source: ListSource<Row>,
    private readonly clock: Clock,
  ) {
    this.pages = source.pages();
    this.lastReadAt = clock.now();
  }

  get hasFailed(): boolean {
    return this.end === "failed";
  }

  isRecent(now: number): boolean {
    return this.nextPage !== undefined || now - this.lastReadAt < maxAgeMs;
  }

  /** A row of an earlier page counts, whatever becomes of the rest. */
  async find(id: string, maxPages: () => number): Promise<FindResult<Row>> {
    for (;;) {
      const row = this.byId.get(id);
      if (row !== undefined || this.end !== undefined || this.pageCount >= maxPages())
        return { row, isComplete: this.end === "complete", failure: this.failure };
      this.nextPage ??= this.readPage();
      await this.nextPage;
    }
  }

  private async readPage(): Promise<void> {
    try {
      const next = await this.pages.next();
      if (next.done === true) this.end = "complete";
      else {
        this.pageCount++;
        for (const row of next.value) this.byId.set(this.source.idOf(row), row);
      }
    } catch (error) {
      this.end = "failed";
      this.failure = error;
    } finally {
      this.lastReadAt = this.clock.now();
      this.nextPage = undefined;
    }
  }
}
