import assert from "node:assert/strict";
import { SharedReads } from "../../provider/service/shared-reads";
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
  const fresh = (key = "a") => shared.fresh(key, reads.read);
  const recent = (key = "a") => shared.recent(key, reads.read);

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

    it("are separate for each key", async () => {
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
      shared.changed("b");
      assert.equal(await recent(), "before", "for another key");
      shared.changed("a");
      const after = recent();
      await settle();
      reads.open[1]?.end("after");
      assert.equal(await after, "after");
    });

    it("do not use a read that was running when the change began", async () => {
      const before = recent();
      await settle();
      shared.changed("a");
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
      shared.changed("a");
      const after = fresh();
      await settle();
      assert.equal(reads.begun, 2);
      reads.open[1]?.end("after");
      assert.equal(await after, "after");
    });

    it("do not wait for those of another key", async () => {
      void fresh("a");
      await settle();
      const other = fresh("b");
      await settle();
      reads.open[1]?.end("of b");
      assert.equal(await other, "of b");
    });
  });
});
