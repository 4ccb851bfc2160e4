import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { send, TestClock } from "./support";

describe("A simulated delivery", () => {
  const clock = new TestClock();
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({ now: clock.now });
    simulator.objects.putWebhook("a", { id: "w" });
  });
  afterEach(() => simulator.close());

  const stored = () => simulator.objects.webhooks("a")[0];

  it("that fails is recorded with the target's response", async () => {
    simulator.deliver("a", "w", { ok: false, status: 500, body: "broken" });
    const { json } = await send(simulator, "GET", "/api/agents/a/webhooks/w");
    const at = new Date(clock.now()).toISOString().replace("Z", "");
    assert.equal(json.last_trigger_time, at);
    assert.equal(json.consecutive_failures, 1);
    assert.deepEqual(json.last_error, {
      message: "The endpoint answered 500.",
      attempted_at: at,
      status_code: 500,
      response_body: "broken",
      error_type: null,
    });
  });

  it("that gets no response is recorded with the kind of failure", () => {
    simulator.deliver("a", "w", { ok: false, errorType: "connection_refused" });
    assert.equal(stored()?.last_error?.error_type, "connection_refused");
    assert.equal(stored()?.last_error?.status_code, null);
    assert.equal(stored()?.last_error?.response_body, null);
  });

  it("keeps at most 512 bytes of the response, in whole characters", () => {
    simulator.deliver("a", "w", { ok: false, status: 500, body: "x".repeat(511) + "é" });
    assert.equal(stored()?.last_error?.response_body, "x".repeat(511));
    simulator.deliver("a", "w", { ok: false, status: 500, body: "é".repeat(300) });
    assert.equal(stored()?.last_error?.response_body, "é".repeat(256));
  });

  it("that succeeds clears the error and the count", () => {
    simulator.deliver("a", "w", { ok: false });
    clock.advance(1000);
    simulator.deliver("a", "w", { ok: true });
    assert.equal(stored()?.consecutive_failures, 0);
    assert.equal(stored()?.last_error, null);
    assert.equal(stored()?.last_trigger_time, new Date(clock.now()).toISOString());
  });

  it("disables the webhook at the 20th failure in a row, and no more deliveries follow", async () => {
    for (let failure = 1; failure <= 19; failure++) simulator.deliver("a", "w", { ok: false });
    assert.equal(stored()?.disabled_at, null);
    simulator.deliver("a", "w", { ok: false });
    const off = stored();
    assert.equal(off?.consecutive_failures, 20);
    assert.equal(off.disabled_at, new Date(clock.now()).toISOString());
    clock.advance(1000);
    simulator.deliver("a", "w", { ok: true });
    assert.deepEqual(stored(), off);
    const on = await send(simulator, "PATCH", "/api/agents/a/webhooks/w", { body: { enabled: true } });
    assert.equal(on.json.disabled_at, null);
    assert.equal(on.json.consecutive_failures, 0);
  });

  it("to a webhook that does not exist fails", () => {
    assert.throws(() => {
      simulator.deliver("a", "other", { ok: true });
    }, /Agent a has no webhook other/);
  });
});
