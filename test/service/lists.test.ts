import assert from "node:assert/strict";
import { pagesOf, readAll } from "../../provider/service/lists";
import { type Simulator, startSimulator } from "../../simulator";
import { failureOf, WatchedService } from "./support/client";
import { closedAfterEach } from "./support/close-after-each";

const open = closedAfterEach();

const rows = (...ids: string[]) => ids.map((app_id) => ({ app_id }));

/** A folder whose list returns these bodies, one after the other. */
async function listing(...bodies: unknown[]) {
  const simulator = open(await startSimulator());
  for (const body of bodies) simulator.fault({ operation: "folderItem.list", then: { status: 200, body } });
  const service = open(new WatchedService(simulator.url));
  const read = async () => {
    const found = await readAll(service, "folderItem.list", { folder_id: "f" });
    return found.map(({ app_id }) => app_id);
  };
  return { simulator, service, read };
}

function paths(simulator: Simulator): string[] {
  return simulator.requests.map(({ path }) => path);
}

const path = "/api/app-folders/f/items";

describe("A list", () => {
  it("may be an array", async () => {
    const { simulator, read } = await listing(rows("a", "b"));
    assert.deepEqual(await read(), ["a", "b"]);
    assert.deepEqual(paths(simulator), [path]);
  });

  it("may be an object that holds one, next to other fields", async () => {
    for (const more of [
      {},
      { total: 1 },
      { has_more: false },
      { has_more: null, next_cursor: null },
      { next_cursor: "" },
    ]) {
      const { simulator, read } = await listing({ items: rows("a"), ...more });
      assert.deepEqual(await read(), ["a"]);
      assert.deepEqual(paths(simulator), [path]);
    }
  });

  it("may be empty", async () => {
    for (const body of [[], { items: [] }]) assert.deepEqual(await (await listing(body)).read(), []);
  });

  it("is followed by its cursor to the end", async () => {
    const { simulator, read } = await listing(
      { items: rows("a"), has_more: true, next_cursor: "2 &/é" },
      { items: [], has_more: true, next_cursor: "3" },
      // Without has_more, a cursor means that there is more.
      { items: rows("b"), next_cursor: "4" },
      { items: rows("c"), has_more: false, next_cursor: "never" },
    );
    assert.deepEqual(await read(), ["a", "b", "c"]);
    assert.deepEqual(paths(simulator), [path, `${path}?cursor=2+%26%2F%C3%A9`, `${path}?cursor=3`, `${path}?cursor=4`]);
  });

  it("that says there is more without saying where is unreadable", async () => {
    for (const more of [{}, { next_cursor: null }, { next_cursor: "" }]) {
      const { simulator, read } = await listing({ items: rows("a"), has_more: true, ...more });
      const failure = await failureOf(read());
      assert.equal(failure.certainty, "uncertain");
      assert.match(
        failure.message,
        /^folderItem\.list failed: the list says that there is more, but gives no new next_cursor, so .*\n {2}Request: GET http:\/\/127\.0\.0\.1:\d+\/api\/app-folders\/\{folder_id\}\/items\n {2}The path of .*\n {2}- .*endpoints/,
      );
      assert.deepEqual(paths(simulator), [path]);
    }
  });

  it("with two pages in a row without a row, or with more than 1,000 pages, is unreadable", async () => {
    const empty = (next_cursor: string) => ({ items: [], has_more: true, next_cursor });
    const { simulator, read } = await listing(
      { items: rows("a"), has_more: true, next_cursor: "1" },
      empty("2"),
      empty("3"),
    );
    assert.match(
      (await failureOf(read())).message,
      /has two pages in a row without a row, so it cannot be read to its end/,
    );
    assert.equal(simulator.requests.length, 3);
    const pages = Array.from({ length: 1_001 }, (_, page) => ({
      items: rows(`row ${String(page)}`),
      has_more: true,
      next_cursor: `page ${String(page)}`,
    }));
    const long = await listing(...pages);
    assert.match((await failureOf(long.read())).message, /has more than 1,000 pages/);
    assert.equal(long.simulator.requests.length, 1_000);
  });

  it("that ends before its own total is unreadable", async () => {
    const { read } = await listing({ items: rows("a", "b"), total: 5 });
    assert.match((await failureOf(read())).message, /has 2 of 5 rows/);
  });

  it("whose cursors form a circle is unreadable", async () => {
    const page = (next_cursor: string) => ({ items: rows(next_cursor), has_more: true, next_cursor });
    const { simulator, read } = await listing(page("x"), page("y"), page("x"));
    assert.equal((await failureOf(read())).certainty, "uncertain");
    assert.equal(simulator.requests.length, 3);
  });

  it("returns the rows of a page before it fails, so that a row found there still counts", async () => {
    for (const last of [
      { items: rows("a"), has_more: true },
      { items: rows("a"), total: 5 },
    ]) {
      const { service } = await listing(last);
      const pages = pagesOf(service, "folderItem.list", { folder_id: "f" });
      assert.deepEqual((await pages.next()).value, rows("a"));
      assert.equal((await failureOf(pages.next())).certainty, "uncertain");
    }
  });

  it("fails completely when one page fails", async () => {
    const { simulator, read } = await listing({ items: rows("a"), has_more: true, next_cursor: "2" });
    simulator.fault({ operation: "folderItem.list", then: { status: 403 } });
    assert.equal((await failureOf(read())).status, 403);
  });

  it("under another name, or with a row of another shape, is unreadable", async () => {
    for (const body of [{ rows: rows("a") }, { items: { a: 1 } }, [{ id: "a" }], "a", null])
      assert.equal((await failureOf((await listing(body, body, body, body, body)).read())).certainty, "uncertain");
  });
});
