import assert from "node:assert/strict";
import { onSimulator } from "./support";

describe("The simulator's clock", () => {
  const { simulator, clock, control, get } = onSimulator();

  it("shows the time, how far it is ahead and the quarantine, and only goes forward", async () => {
    const start = { now: new Date(clock.now()).toISOString(), aheadMilliseconds: 0, quarantineMilliseconds: 900_000 };
    assert.deepEqual((await control("GET", "clock")).json, start);
    const { json } = await control("POST", "clock", { advanceMilliseconds: 90_000 });
    const now = new Date(clock.now() + 90_000).toISOString();
    assert.deepEqual(json, { ...start, now, aheadMilliseconds: 90_000 });
    assert.deepEqual((await control("GET", "clock")).json, json);
    for (const advanceMilliseconds of [-1, "60", 1e300, null])
      assert.equal((await control("POST", "clock", { advanceMilliseconds })).status, 400);
    assert.throws(() => {
      simulator.clock.advance(-1);
    }, /only goes forward/);
    assert.equal(simulator.clock.aheadMilliseconds, 90_000);
  });

  it("ends with the year 9999", async () => {
    const end = Date.parse("9999-12-31T23:59:59.999Z");
    simulator.clock.advance(end - clock.now());
    const { status, json } = await control("POST", "clock", { advanceMilliseconds: 1 });
    assert.deepEqual([status, json.error], [400, "Invalid request: The clock ends with the year 9999."]);
    assert.equal(simulator.clock.now(), end);
  });

  it("dates responses, objects and the log, and ends lags and rate limits", async () => {
    simulator.fault({ operation: "webhook.list", lagMilliseconds: 20_000 });
    simulator.objects.putWebhook("a", { id: "w" });
    const list = () => get("/api/agents/a/webhooks");
    assert.equal((await list()).json.webhooks.length, 0);
    await control("POST", "clock", { advanceMilliseconds: 20_000 });
    const { headers, json } = await list();
    assert.equal(json.webhooks.length, 1);
    const now = new Date(clock.now() + 20_000);
    assert.equal(headers["date"], now.toUTCString());
    assert.equal(simulator.requests.at(-1)?.at, now.toISOString());
    assert.equal(simulator.objects.putWebhook("a").created_date, now.toISOString());
  });

  it("goes on with the clock that it was given", () => {
    simulator.clock.advance(1_000);
    clock.advance(500);
    assert.equal(simulator.clock.now(), clock.now() + 1_000);
  });
});
