import assert from "node:assert/strict";
import { exerciseHost, growthFault } from "../../tools/soak/host";

/* So few lives find what leaves some 25 kB behind at every call; what leaves less is found by those of npm run soak. */
describe("One host over the lives of many objects, as in npm run soak", () => {
  it("gives back its memory and its connections", async () => {
    const growth = await exerciseHost(40, 1);
    assert.ok(growth.calls > 1_300, JSON.stringify(growth));
    assert.equal(growthFault(growth), undefined, JSON.stringify(growth));
  });

  it("would be found to leak", () => {
    const early = { megabytes: 100, handles: 20 };
    assert.match(String(growthFault({ calls: 1, early, late: { megabytes: 131, handles: 20 } })), /memory grows/);
    assert.match(String(growthFault({ calls: 1, early, late: { megabytes: 100, handles: 53 } })), /handles grow/);
    assert.equal(growthFault({ calls: 1, early, late: { megabytes: 130, handles: 52 } }), undefined);
  });
});
