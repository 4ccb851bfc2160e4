import assert from "node:assert/strict";
import { type ListSource, type Scope, SharedReads } from "../../provider/service/shared-reads";
import { VirtualClock } from "../support/clock";

/** Reads that end when the test says so. */
class Reads {
  readonly open: { end: (answer: string) => void; fail: (error: Error) => void }[] = [];
  readonly read = (): Promise<string> =>
    new Promise((end, fail) => {
      this.open.push({ end, fail });
    });
  get begun(): number {
    return this.open.length;
  }
}

const campaignsOf = (appId: string): Scope => ({ operation: "campaign.list", parameters: { app_id: appId } });

const launchIn = (appId: string): Scope => ({ operation: "campaign.launch", parameters: { app_id: appId } });

/** Lets pending promises continue. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("Shared reads", () => {
  let clock: VirtualClock;
  let shared: SharedReads;
  let reads: Reads;
  beforeEach(() => {
    clock = new VirtualClock();
    shared = new SharedReads(clock);
    reads = new Reads();
  });
  const fresh = (appId = "a") => shared.fresh(campaignsOf(appId), reads.read);
  const recent = (appId = "a") => shared.recent(campaignsOf(appId), reads.read);

  describe("that may be recent", () => {
    it("are one read for all callers, while it runs and for 30 seconds after it began", async () => {
      const one = recent();
      await settle();
      const two = recent();
      reads.open[0]?.end("first");
      assert.deepEqual(await Promise.all([one, two]), ["first", "first"]);
      await clock.sleep(29_999);
      assert.equal(await recent(), "first");
      assert.equal(reads.begun, 1);
      await clock.sleep(1);
      const later = recent();
      await settle();
      reads.open[1]?.end("second");
      assert.equal(await later, "second");
    });

    it("are separate for each app", async () => {
      const both = Promise.all([recent("a"), recent("b")]);
      await settle();
      reads.open[0]?.end("of a");
      reads.open[1]?.end("of b");
      assert.deepEqual(await both, ["of a", "of b"]);
    });

    it("fail for all callers when the read fails", async () => {
      const asked = [recent(), recent(), recent()];
      await settle();
      reads.open[0]?.fail(new Error("no list"));
      for (const one of asked) await assert.rejects(one, /no list/);
      await assert.rejects(recent(), /no list/, "also a moment later");
      assert.equal(reads.begun, 1);
    });

    it("start again after a change", async () => {
      const before = recent();
      await settle();
      reads.open[0]?.end("before");
      await before;
      shared.changed(launchIn("b"));
      shared.changed({ operation: "test.create", parameters: { app_id: "a" } });
      assert.equal(await recent(), "before", "after a launch in another app and a new test");
      shared.changed({ operation: "campaign.pause", parameters: { app_id: "a", campaign_id: "cmp_1" } });
      const after = recent();
      await settle();
      reads.open[1]?.end("after");
      assert.equal(await after, "after");
    });

    it("do not use a read that was running when the change began", async () => {
      const before = recent();
      await settle();
      shared.changed(launchIn("a"));
      const after = recent();
      await settle();
      assert.equal(reads.begun, 2);
      reads.open[0]?.end("before");
      reads.open[1]?.end("after");
      assert.deepEqual(await Promise.all([before, after]), ["before", "after"]);
    });

    it("use a read that was requested but has not started", async () => {
      const first = fresh();
      await settle();
      const coming = fresh();
      const looking = recent();
      reads.open[0]?.end("first");
      await settle();
      reads.open[1]?.end("second");
      assert.deepEqual(await Promise.all([first, coming, looking]), ["first", "second", "first"]);
    });
  });

  describe("that must be current", () => {
    it("never use a read that has started: they wait for it, and share the next one", async () => {
      const first = fresh();
      await settle();
      const waiting = [fresh(), fresh(), fresh()];
      await settle();
      assert.equal(reads.begun, 1);
      reads.open[0]?.end("first");
      await settle();
      assert.equal(reads.begun, 2);
      reads.open[1]?.end("second");
      assert.deepEqual(await Promise.all([first, ...waiting]), ["first", "second", "second", "second"]);
    });

    it("continue after a failed read", async () => {
      const first = fresh();
      await settle();
      const second = fresh();
      reads.open[0]?.fail(new Error("no list"));
      await assert.rejects(first, /no list/);
      await settle();
      reads.open[1]?.end("second");
      assert.equal(await second, "second");
    });

    it("start at once after a change, also while an old read is running", async () => {
      void fresh();
      await settle();
      shared.changed(launchIn("a"));
      const after = fresh();
      await settle();
      assert.equal(reads.begun, 2);
      reads.open[1]?.end("after");
      assert.equal(await after, "after");
    });

    it("do not wait for those of another app", async () => {
      void fresh("a");
      await settle();
      const other = fresh("b");
      await settle();
      reads.open[1]?.end("of b");
      assert.equal(await other, "of b");
    });
  });
});

interface Row {
  readonly id: string;
}

const records: Scope = { operation: "record.list", parameters: { app_id: "app-1", entity_name: "Task" } };

const updateIn = (entity: string): Scope => ({
  operation: "record.update",
  parameters: { app_id: "app-1", entity_name: entity, entity_id: "1" },
});

describe("Reads that share a list", () => {
  let clock: VirtualClock;
  let reads: SharedReads;
  let pagesRead: number;
  let listsBegun: number;
  beforeEach(() => {
    clock = new VirtualClock();
    [pagesRead, listsBegun] = [0, 0];
    reads = new SharedReads(clock);
  });

  /** A list of so many objects, `perPage` on a page. `beforePage`: what happens while page N is read. */
  const list = (
    count: number,
    perPage: number,
    beforePage: (page: number) => Promise<void> | void = () => undefined,
  ): ListSource<Row> => ({
    minReads: 2,
    isBounded: true,
    idOf: ({ id }) => id,
    pages: async function* () {
      listsBegun++;
      for (let first = 0; first < count; first += perPage) {
        pagesRead++;
        await beforePage(pagesRead);
        yield Array.from({ length: Math.min(perPage, count - first) }, (_, index) => ({ id: String(first + index) }));
      }
    },
  });

  /** Reads objects as the engine does, a few at a time. Returns those that must be read by themselves. */
  const readAll = async (count: number, source: ListSource<Row>, atOnce = 8): Promise<number[]> => {
    const alone: number[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        const id = next++;
        const { row } = await reads.find(records, String(id), source);
        if (row === undefined) alone.push(id);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return alone;
  };

  it("read each page once, however few reads are under way at a time", async () => {
    assert.deepEqual(await readAll(500, list(500, 20)), []);
    assert.deepEqual([listsBegun, pagesRead], [1, 25]);
  });

  it("read no more pages than there are reads", async () => {
    const source = list(10_000, 20);
    const found = await Promise.all(["1", "2", "9999"].map((id) => reads.find(records, id, source)));
    assert.deepEqual(
      found.map(({ row, isComplete }) => [row?.id, isComplete]),
      [
        ["1", false],
        ["2", false],
        [undefined, false],
      ],
    );
    assert.equal(pagesRead, 3);
  });

  it("read an unbounded list until it shows the object, or to its end", async () => {
    const source = { ...list(1_000, 20), minReads: 1, isBounded: false };
    assert.deepEqual(await reads.find(records, "25", source), {
      row: { id: "25" },
      isComplete: false,
      failure: undefined,
    });
    assert.equal(pagesRead, 2);
    assert.deepEqual(await reads.find(records, "none", source), {
      row: undefined,
      isComplete: true,
      failure: undefined,
    });
    assert.deepEqual([listsBegun, pagesRead], [1, 50]);
  });

  it("do not read a list again that failed, and believe what it had shown", async () => {
    const source = list(100, 20, async (page) => {
      if (page < 2) return;
      await clock.sleep(150_000);
      throw new Error("the list does not answer");
    });
    const alone = await readAll(60, source);
    assert.deepEqual(alone.length, 40);
    reads.changed(updateIn("Task"));
    await clock.sleep(60_000);
    await readAll(60, source);
    assert.deepEqual([listsBegun, pagesRead], [1, 2]);
  });

  it("do not believe a list that failed, after a change of one of its objects", async () => {
    const source = list(100, 20, (page) => {
      if (page > 1) throw new Error("the list does not answer");
    });
    await readAll(60, source);
    assert.equal((await reads.find(records, "1", source)).row?.id, "1");
    reads.changed(updateIn("Task"));
    assert.equal((await reads.find(records, "1", source)).row, undefined);
    assert.equal(listsBegun, 1);
  });

  it("use a list for 30 seconds after its last page, however long that took", async () => {
    const source = list(40, 20, () => clock.sleep(45_000));
    assert.deepEqual(await readAll(40, source), []);
    assert.equal(listsBegun, 1);
    await clock.sleep(29_000);
    assert.deepEqual(await readAll(40, source), []);
    assert.equal(listsBegun, 1);
    await clock.sleep(30_000);
    await readAll(40, source);
    assert.equal(listsBegun, 2);
  });

  it("do not use a list from before a change of one of its objects", async () => {
    const source = list(40, 20);
    await readAll(40, source);
    reads.changed(updateIn("Note"));
    await readAll(40, source);
    assert.equal(listsBegun, 1, "after a change of another entity");
    reads.changed(updateIn("Task"));
    await readAll(40, source);
    assert.equal(listsBegun, 2);
  });

  it("read no list where there are few", async () => {
    assert.deepEqual(await reads.find(records, "1", list(40, 20)), { row: undefined, isComplete: false });
    assert.equal(listsBegun, 0);
  });
});
