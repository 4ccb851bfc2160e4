import assert from "node:assert/strict";
import { exerciseHost, growthFault } from "../../tools/soak/host";

/* So few lifecycles find leaks of about 25 kB per call. `npm run simulate -- host` runs more and finds smaller ones. */
describe("One host over the lifecycles of many objects, as in npm run simulate -- host,", () => {
  it("releases its memory and its connections", async () => {
    const growth = await exerciseHost(40, 1);
    assert.ok(growth.calls > 1_300, JSON.stringify(growth));
    assert.equal(growthFault(growth), undefined, JSON.stringify(growth));
  });

  it("is reported when it leaks", () => {
    const early = { megabytes: 100, handles: 20 };
    assert.match(String(growthFault({ calls: 1, early, late: { megabytes: 131, handles: 20 } })), /memory grows/);
    assert.match(String(growthFault({ calls: 1, early, late: { megabytes: 100, handles: 53 } })), /handles grow/);
    assert.equal(growthFault({ calls: 1, early, late: { megabytes: 130, handles: 52 } }), undefined);
  });
});
