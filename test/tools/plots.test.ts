import assert from "node:assert/strict";
import { type Point, pointsOf } from "../../bench/points";
import type { Round } from "../../bench/rounds";
import { plotsOf } from "../../tools/plots/plots";

describe("The plots of the benchmark", () => {
  const round = (seconds: number, requests: number): Round => ({
    ...{ seconds: { up: seconds, refresh: seconds }, processorSeconds: {}, requests: { refresh: requests } },
    ...{ stateBytes: 1_250_000, sourcePosition: undefined, stackTrace: undefined },
    parts: { engine: 0, stackTrace: 0, shell: 0, declared: 0, results: 0, notes: 0 },
  });
  const points: Point[] = pointsOf(
    500,
    { floor: [], ours: [round(9, 1), round(5, 1), round(6, 1)], usual: [round(20, 500)] },
    ["up", "preview", "refresh", "state", "requests of refresh"],
  );

  /** Every plot needs something to show. */
  const others = (["preview", "change", "destroy"] as const).map((what): Point => ({
    what,
    contestant: "ours",
    size: 500,
    median: 1,
    lowest: 1,
    highest: 1,
  }));

  it("are made of medians with the lowest and highest round, and of nothing that was not measured", () => {
    assert.deepEqual(points.slice(0, 2), [
      { what: "up", contestant: "ours", size: 500, median: 6, lowest: 5, highest: 9 },
      { what: "refresh", contestant: "ours", size: 500, median: 6, lowest: 5, highest: 9 },
    ]);
    assert.equal(points.length, 8);
    assert.ok(!points.some(({ what, contestant }) => what === "preview" || contestant === "floor"));
  });

  it("say in words what they show", () => {
    const [time, state, refresh] = plotsOf([...points, ...others]).map(({ description }) => description);
    assert.match(time ?? "", / up: create all: At 500 webhooks, ours 6\.0 s, usual 20\.0 s\. /);
    assert.match(state ?? "", /At 500 webhooks, ours 1\.25 MB, usual 1\.25 MB\.$/);
    assert.match(refresh ?? "", /one read each: 500\. 500 webhooks, one list: 1\.$/);
  });
});
