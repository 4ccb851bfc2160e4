import type { Clock } from "./clock";
import type { OperationId } from "./operations";

/** How long a read is reused. A refresh reads many resources within seconds. */
const maxAgeMs = 30_000;
/** How long a read waits for others that the same list answers. A refresh starts several at once. */
const batchWindowMs = 20;

/** How the writes begin that outdate a read. Launch readiness has none: it only advises, once for all launches of an app. */
const outdatedBy: Partial<Record<OperationId, string>> = {
  "campaign.list": "campaign.",
  "folderItem.list": "folderItem.",
  "record.list": "record.",
  "scan.get": "finding.",
  "test.list": "test.",
  "webhook.list": "webhook.",
};

/** A read by its operation and its parameters. */
export interface Scope {
  readonly operation: OperationId;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * `recent`: a read of the last 30 seconds, to see what exists. `fresh`: a read that starts after this call, to decide
 * whether to act.
 */
export type Freshness = "recent" | "fresh";

/** How a list answers the reads of several objects. */
export interface ListSource<Row> {
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
export interface FindResult<Row> {
  readonly row: Row | undefined;
  /** Whether the list was read to its end. */
  readonly isComplete: boolean;
  /** Why it could not be read. */
  readonly failure?: unknown;
}

interface Read {
  readonly scope: Scope;
  readonly began: number;
  readonly answer: Promise<unknown>;
}

interface Batch {
  readonly scope: Scope;
  readonly window: Promise<void>;
  reads: number;
  list?: SharedList<unknown>;
}

/**
 * The reads that all resources of a command share. A read that fails, fails for all of them. No read is used after a change
 * of what it shows, even if it was still running when that change began or ended.
 */
export class SharedReads {
  private readonly latest = new Map<string, Read>();
  /** Reads that were requested and have not started. */
  private readonly coming = new Map<string, Promise<unknown>>();
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly clock: Clock) {}

  recent<T>(scope: Scope, read: () => Promise<T>): Promise<T> {
    const latest = this.latest.get(keyOf(scope));
    const isRecent = latest !== undefined && this.clock.now() - latest.began < maxAgeMs;
    return isRecent ? (latest.answer as Promise<T>) : this.fresh(scope, read);
  }

  /** Shared by all callers before it starts. */
  fresh<T>(scope: Scope, read: () => Promise<T>): Promise<T> {
    const key = keyOf(scope);
    const coming = this.coming.get(key);
    if (coming !== undefined) return coming as Promise<T>;
    const begin = (): Promise<T> => {
      this.coming.delete(key);
      this.latest.set(key, { scope, began: this.clock.now(), answer });
      return read();
    };
    const before = this.latest.get(key)?.answer ?? Promise.resolve();
    const answer = before.then(begin, begin);
    this.coming.set(key, answer);
    return answer;
  }

  /** Finds an object in a list, one page at a time. */
  async find<Row>(scope: Scope, id: string, source: ListSource<Row>): Promise<FindResult<Row>> {
    const batch = this.batchOf(scope);
    batch.reads++;
    await batch.window;
    if (batch.reads < source.minReads) return { row: undefined, isComplete: false };
    batch.list ??= new SharedList(source, this.clock) as SharedList<unknown>;
    const list = batch.list as SharedList<Row>;
    return list.find(id, () => (source.isBounded ? batch.reads : Infinity));
  }

  /**
   * Call it before and after a request that may change something. A request for one object of an app changes what the app's
   * lists show: its parameters include theirs.
   */
  changed({ operation, parameters }: Scope): void {
    const isStale = ({ scope }: { readonly scope: Scope }): boolean =>
      operation.startsWith(outdatedBy[scope.operation] ?? "none") &&
      Object.entries(scope.parameters).every(([name, value]) => parameters[name] === value);
    for (const [key, read] of this.latest) if (isStale(read)) this.latest.delete(key);
    for (const [key, batch] of this.batches)
      if (isStale(batch)) {
        if (hasFailed(batch)) batch.list?.forget();
        else this.batches.delete(key);
      }
  }

  private batchOf(scope: Scope): Batch {
    const key = keyOf(scope);
    const latest = this.batches.get(key);
    if (latest !== undefined && (hasFailed(latest) || latest.list?.isRecent(this.clock.now()) !== false)) return latest;
    const batch: Batch = { scope, window: this.clock.sleep(batchWindowMs), reads: 0 };
    this.batches.set(key, batch);
    return batch;
  }
}

function keyOf({ operation, parameters }: Scope): string {
  return JSON.stringify([operation, Object.entries(parameters).sort()]);
}

/** A list that failed is not read again in this command, which would wait for it again and again. */
function hasFailed({ list }: Batch): boolean {
  return list?.hasFailed === true;
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

  /** Forgets the rows of the pages that were read. */
  forget(): void {
    this.byId.clear();
  }

  /** Its age counts from its last page, because a long list takes long. */
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
