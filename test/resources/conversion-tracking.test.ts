import assert from "node:assert/strict";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { type Bench, driven, startBench } from "../support/deployment";
import { newRequests } from "../support/requests";

const tracking = driven(conversionTrackingLifecycle);

describe("ConversionTracking", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => newRequests(bench.simulator);

  it("creates the goals, and says on destroy that they stay", async () => {
    bench.simulator.objects.putAdvertisingAccount("app-1");
    const state = await tracking.create({ appId: "app-1", wireEvents: true }, bench);
    assert.deepEqual(requests(), [`tracking.bootstrap {"wire_events":true}`]);
    assert.equal(state.actionsCreatedOrExisting, bench.simulator.objects.conversionGoals("app-1").length);
    assert.ok(state.composerPrompt.length > 0);
    await tracking.delete(state, bench);
    assert.deepEqual(requests(), []);
    assert.match(bench.said.join(), /goals of app app-1 stay .* cannot remove them/);
  });

  it("is skipped without an error when the app has no advertising account, and omits absent fields", async () => {
    const state = await tracking.create({ appId: "app-1" }, bench);
    assert.deepEqual(state, {
      appId: "app-1",
      wireEvents: false,
      composerPrompt: "",
      skippedReason: "no_ads_account",
      readBy: state.readBy,
    });
    await tracking.delete(state, bench);
    assert.deepEqual(bench.said, [], "no goals are mentioned");
  });

  it("runs again when rerun or wireEvents changes, and not when rerun is removed from the program", async () => {
    const state = await tracking.create({ appId: "app-1", rerun: "one" }, bench);
    requests();
    for (const inputs of [{ rerun: "two" }, { rerun: "one", wireEvents: true }]) {
      await tracking.update(state, { appId: "app-1", ...inputs }, bench);
      assert.equal(requests().length, 1);
    }
    assert.equal((await tracking.update(state, { appId: "app-1" }, bench)).rerun, undefined);
    assert.deepEqual(await tracking.read(state, bench), state);
    assert.deepEqual(requests(), []);
  });

  it("runs again after a lost response, which creates nothing twice", async () => {
    bench.simulator.objects.putAdvertisingAccount("app-1");
    bench.simulator.fault({ operation: "tracking.bootstrap", commit: true, then: "reset" });
    await tracking.create({ appId: "app-1" }, bench);
    assert.equal(new Set(bench.simulator.objects.conversionGoals("app-1")).size, 10);
  });

  it("has a longer timeout than other requests", async () => {
    const hasty = bench.later({ requestTimeoutSeconds: "0.2" });
    bench.simulator.fault({ operation: "tracking.bootstrap", then: "pass", delayMilliseconds: 600 });
    await tracking.create({ appId: "app-1" }, hasty);
    assert.equal(requests().length, 1);
  });
});
