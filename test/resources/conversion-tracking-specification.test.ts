import assert from "node:assert/strict";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { operations } from "../../provider/service/operations";
import { type Bench, driven, seen, startBench } from "../support/deployment";

const tracking = driven(conversionTrackingLifecycle);
const standardGoals = [
  "PURCHASE",
  "ADD_TO_CART",
  "BEGIN_CHECKOUT",
  "SIGNUP",
  "SUBMIT_LEAD_FORM",
  "CONTACT",
  "REQUEST_QUOTE",
  "BOOK_APPOINTMENT",
  "SUBSCRIBE_PAID",
  "PHONE_CALL_LEAD",
];

describe("ConversionTracking, by the specification", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
    bench.simulator.objects.putAdvertisingAccount("app-1");
  });
  afterEach(() => bench.close());

  it("creates the missing goals of the standard set, and returns how many there are", async () => {
    bench.simulator.objects.setConversionGoals("app-1", ["CONTACT", "OWN"]);
    const state = await tracking.create({ appId: "app-1" }, bench);
    assert.equal(state.actionsCreatedOrExisting, 11);
    assert.deepEqual(
      new Set(bench.simulator.objects.conversionGoals("app-1")),
      new Set([...standardGoals, "CONTACT", "OWN"]),
    );
  });

  it("installs only the base tag unless wireEvents says otherwise", async () => {
    assert.equal((await tracking.create({ appId: "app-1" }, bench)).wiredMappings, 0);
    assert.deepEqual(seen(bench.simulator), [`tracking.bootstrap {"wire_events":false}`]);
  });

  it("returns the wired mappings, or the offered categories when no mapping is enabled", async () => {
    const state = await tracking.create({ appId: "app-1", wireEvents: true }, bench);
    assert.equal(state.wiredMappings, 10);
    bench.simulator.objects.setConversionMappings("app-1", 3);
    const again = await tracking.update(state, { appId: "app-1", wireEvents: true, rerun: "2" }, bench);
    assert.equal(again.wiredMappings, 3);
  });

  it("returns the conversion id of the prompt, which is empty when the prompt says to look it up", async () => {
    bench.simulator.objects.setConversionTag("app-1", "AW-1");
    const state = await tracking.create({ appId: "app-1" }, bench);
    assert.equal(state.conversionId, "AW-1");
    assert.match(state.composerPrompt, /AW-1/);
    assert.equal(state.skippedReason, undefined);
    bench.simulator.objects.setConversionTag("app-1", "");
    assert.equal((await tracking.update(state, { appId: "app-1", rerun: "2" }, bench)).conversionId, "");
  });

  it("allows time for four reads one second apart, and for the rest of the work", () => {
    assert.ok((operations["tracking.bootstrap"].minTimeoutSeconds ?? 0) >= 10);
  });
});
