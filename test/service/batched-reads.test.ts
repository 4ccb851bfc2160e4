import assert from "node:assert/strict";
import { BatchedReads, type ListSource } from "../../provider/service/batched-reads";
import { VirtualClock } from "../support/clock";

interface Row {
  readonly id: string;
}

describe("Reads that share a list", () => {
  let clock: VirtualClock;
  let version: number;
  let reads: BatchedReads;
  let pagesRead: number;
  let listsBegun: number;
  beforeEach(() => {
    clock = new VirtualClock();
    [version, pagesRead, listsBegun] = [0, 0, 0];
    reads = new BatchedReads(clock, () => version);
  });

  /** A list of so many objects, `perPage` on a page. `beforePage`: what happens while page N is read. */
  const list = (
    count: number,
    perPage: number,
    beforePage: (page: number) => Promise<void> | void = () => undefined,
  ): ListSource<Row> => ({
    key: "objects",
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
        const { row } = await reads.find(String(id), source);
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
    const found = await Promise.all(["1", "2", "9999"].map((id) => reads.find(id, source)));
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
    assert.deepEqual(await reads.find("25", source), { row: { id: "25" }, isComplete: false, failure: undefined });
    assert.equal(pagesRead, 2);
    assert.deepEqual(await reads.find("none", source), { row: undefined, isComplete: true, failure: undefined });
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
    version++;
    await clock.sleep(60_000);
    await readAll(60, source);
    assert.deepEqual([listsBegun, pagesRead], [1, 2]);
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

  it("do not use a list from before a change", async () => {
    const source = list(40, 20);
    await readAll(40, source);
    version++;
    await readAll(40, source);
    assert.equal(listsBegun, 2);
  });

  it("read no list where there are few", async () => {
    assert.deepEqual(await reads.find("1", list(40, 20)), { row: undefined, isComplete: false });
    assert.equal(listsBegun, 0);
  });
});
