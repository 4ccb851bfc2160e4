import assert from "node:assert/strict";
import { type Point, pointsOf } from "../../bench/points";
import type { Round } from "../../bench/rounds";
import { placeLabels } from "../../tools/plots/labels";
import { linePlot } from "../../tools/plots/line-plot";
import { plotsOf } from "../../tools/plots/plots";
import { linear, shown, ticks } from "../../tools/plots/scale";

describe("The axes of a plot", () => {
  for (const [highest, expected] of [
    [1000, [0, 500, 1000]],
    [500, [0, 200, 400, 600]],
    [155.4, [0, 50, 100, 150, 200]],
    [0.67, [0, 0.2, 0.4, 0.6, 0.8]],
    [8, [0, 2, 4, 6, 8]],
    [1, [0, 0.5, 1]],
  ] as const)
    it(`have round ticks from 0 to ${String(highest)} or a little more`, () => {
      assert.deepEqual(ticks(highest), expected);
    });

  it("refuse to end at nothing, which would put every value at the same place", () => {
    for (const highest of [0, -1, NaN]) assert.throws(() => ticks(highest), /an axis cannot end at/);
  });

  it("put 0 and the last tick at their ends, in either direction", () => {
    const up = linear(200, [300, 100]);
    assert.deepEqual([up(0), up(50), up(200)], [300, 250, 100]);
  });

  it("show thousands and fractions as people write them", () => {
    assert.deepEqual([1000, 0.5, 0.125, 40].map(shown), ["1,000", "0.5", "0.13", "40"]);
  });
});

describe("The names of the lines in a plot", () => {
  it("stand beside the ends of their lines", () => {
    const labels = placeLabels([{ text: "ours", end: { x: 100, y: 50 } }], [], 200);
    assert.deepEqual(labels.get("ours"), { x: 108, y: 50 });
  });

  it("do not cover each other where lines end at the same place", () => {
    const ends = ["floor", "ours", "packaged"].map((text, index) => ({ text, end: { x: 100, y: 50 + index } }));
    const heights = [...placeLabels(ends, [], 200).values()].map(({ y }) => y).toSorted((one, other) => one - other);
    for (const [index, y] of heights.slice(1).entries()) assert.ok(y - (heights[index] ?? 0) >= 14, String(heights));
  });

  it("do not cover a line that goes on where theirs ends", () => {
    const line = [
      { x: 0, y: 50 },
      { x: 300, y: 50 },
    ];
    const { y = 50 } = placeLabels([{ text: "usual", end: { x: 100, y: 50 } }], [line], 200).get("usual") ?? {};
    assert.ok(Math.abs(y - 50) >= 7, String(y));
  });

  it("stay above the axis", () => {
    const ends = ["floor", "ours"].map((text) => ({ text, end: { x: 100, y: 198 } }));
    for (const { y } of placeLabels(ends, [], 200).values()) assert.ok(y <= 200, String(y));
  });
});

describe("A plot", () => {
  const lines = {
    floor: [
      { size: 100, median: 5, lowest: 4, highest: 6 },
      { size: 500, median: 25, lowest: 20, highest: 40 },
    ],
  };
  const drawn = linePlot(
    { title: "up (seconds)", sizes: [100, 500], lines },
    { x: 0, y: 0, width: 400, height: 230 },
  ).join("\n");

  it("has a line through the medians, and shows the lowest and the highest round", () => {
    assert.match(drawn, /<polyline points="102\.8,170 330,90" class="line floor"\/>/);
    assert.match(drawn, /<line x1="330" y1="110" x2="330" y2="30" class="range floor"\/>/);
  });

  it("names both axes and their unit", () => {
    for (const words of ["up (seconds)", "webhooks", "100", "500", "40", "floor"])
      assert.ok(drawn.includes(`>${words}</text>`), words);
  });

  it("leaves out a contestant that was not measured", () => {
    assert.doesNotMatch(drawn, /ours|packaged|usual/);
  });
});

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
    const [, state, refresh] = plotsOf([...points, ...others]);
    assert.match(state?.description ?? "", /At 500 webhooks, ours 1\.25 MB, usual 1\.25 MB\.$/);
    assert.match(refresh?.description ?? "", /one read each: 500\. 500 webhooks, one list: 1\.$/);
    for (const { svg, description } of [state, refresh].filter((plot) => plot !== undefined))
      assert.ok(svg.includes(`<desc id="desc">${description}</desc>`));
  });
});
