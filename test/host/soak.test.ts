import assert from "node:assert/strict";
import { exerciseHost, growthFault } from "../../tools/soak/host";

describe("One host over the lives of many objects, as in npm run soak", () => {
  it("gives back its memory and its connections", async () => {
    const growth = await exerciseHost(40, 1);
    assert.ok(growth.calls > 500, JSON.stringify(growth));
    assert.equal(growthFault(growth), undefined, JSON.stringify(growth));
  });

  it("would be found to leak", () => {
    const early = { megabytes: 100, handles: 20 };
    assert.match(String(growthFault({ calls: 1, early, late: { megabytes: 900, handles: 20 } })), /memory grows/);
    assert.match(String(growthFault({ calls: 1, early, late: { megabytes: 100, handles: 90 } })), /handles grow/);
    assert.equal(growthFault({ calls: 1, early, late: { megabytes: 120, handles: 30 } }), undefined);
  });
});
