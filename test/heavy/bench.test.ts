import assert from "node:assert/strict";
import { floor, ours, packaged } from "../../bench/contestants";
import { untraced } from "../../bench/parts-of-state";
import { type Round, round } from "../../bench/rounds";

const size = 50;

/** The benchmark's sizes, so that growth is noticed. Times are measured by `npm run bench`. */
describe("Fifty webhooks on the real engine", () => {
  let least: Round;
  let done: Round;
  let ofPlugin: Round;
  before(async () => {
    least = await round(floor, size, ["up"]);
    done = await round(ours, size, ["up"]);
    ofPlugin = await round(packaged, size, ["up"]);
  });

  const bytes = (): string => JSON.stringify({ ours: done.parts, floor: least.parts });

  it("need at most 1.15 times the state of resources that do nothing", () => {
    assert.ok(done.stateBytes <= 1.15 * least.stateBytes, bytes());
  });

  it("need at most 260 bytes more each, not counting the source lines of the program", () => {
    assert.ok(untraced(done.parts) - untraced(least.parts) <= 260, bytes());
  });

  it("store only declared values, promised outputs, the locator, and one note of 35 bytes", () => {
    assert.ok(done.parts.notes <= 35, JSON.stringify(done.parts));
  });

  it("need at most 0.85 times the state in the packaged form, and no locator", () => {
    const parts = JSON.stringify({ packaged: ofPlugin.parts, ours: done.parts });
    assert.ok(ofPlugin.stateBytes <= 0.85 * done.stateBytes, parts);
    assert.equal(ofPlugin.parts.shell, 0, parts);
  });

  it("are located in the state by their line of the program, without the frames that started it", () => {
    for (const { sourcePosition, stackTrace } of [done, ofPlugin]) {
      assert.match(sourcePosition ?? "", /^project:\/\/\/index\.js#\d+,\d+$/);
      assert.deepEqual(stackTrace, [{ sourcePosition }]);
    }
  });
});
