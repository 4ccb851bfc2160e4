import assert from "node:assert/strict";
import { onSimulator } from "./support";

describe("A simulated delivery", () => {
  const { simulator, clock, get, patch } = onSimulator();
  const path = "/api/agents/a/webhooks/w";
  beforeEach(() => {
    simulator.objects.putWebhook("a", { id: "w" });
  });

  const stored = () => simulator.objects.webhook("a", "w") ?? assert.fail();

  it("that fails is recorded with the target's response", async () => {
    simulator.deliver("a", "w", { ok: false, status: 500, body: "broken" });
    const { json } = await get(path);
    const at = "2026-11-01T12:00:00.000";
    assert.deepEqual([json.last_trigger_time, json.consecutive_failures], [at, 1]);
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
    const { error_type, status_code, response_body } = stored().last_error ?? assert.fail();
    assert.deepEqual([error_type, status_code, response_body], ["connection_refused", null, null]);
  });

  it("keeps at most 512 bytes of the response, in whole characters", () => {
    simulator.deliver("a", "w", { ok: false, status: 500, body: "x".repeat(511) + "é" });
    assert.equal(stored().last_error?.response_body, "x".repeat(511));
    simulator.deliver("a", "w", { ok: false, status: 500, body: "é".repeat(300) });
    assert.equal(stored().last_error?.response_body, "é".repeat(256));
  });

  it("that succeeds clears the error and the count", () => {
    simulator.deliver("a", "w", { ok: false });
    clock.advance(1000);
    simulator.deliver("a", "w", { ok: true });
    const { consecutive_failures, last_error, last_trigger_time } = stored();
    assert.deepEqual([consecutive_failures, last_error], [0, null]);
    assert.equal(last_trigger_time, "2026-11-01T12:00:01.000Z");
  });

  it("disables the webhook at the 20th failure in a row, and no more deliveries follow", async () => {
    for (let failure = 1; failure <= 19; failure++) simulator.deliver("a", "w", { ok: false });
    assert.equal(stored().disabled_at, null);
    simulator.deliver("a", "w", { ok: false });
    const off = stored();
    assert.deepEqual([off.consecutive_failures, off.disabled_at], [20, "2026-11-01T12:00:00.000Z"]);
    clock.advance(1000);
    simulator.deliver("a", "w", { ok: true });
    assert.deepEqual(stored(), off);
    const { disabled_at, consecutive_failures } = (await patch(path, { enabled: true })).json;
    assert.deepEqual([disabled_at, consecutive_failures], [null, 0]);
  });

  it("to a webhook that does not exist fails", () => {
    assert.throws(() => {
      simulator.deliver("a", "other", { ok: true });
    }, /Agent a has no webhook other/);
  });
});
