import assert from "node:assert/strict";
import { campaignBody, onSimulator, until, webhookBody } from "./support";

describe("A reset of the simulator", () => {
  const members = [{ email: "first@example.com" }];
  const { simulator, post, control } = onSimulator({ members, billingHold: true, limits: { "webhook.create": 2 } });
  const reset = async () => {
    assert.equal((await control("POST", "reset")).status, 200);
  };
  const create = () => post("/api/agents/a/webhooks", webhookBody);
  const launch = () => post("/api/apps/a/ads-platform/launch", { campaign: campaignBody });

  it("brings back the objects, settings and ids of the start", async () => {
    const { objects, advertising } = simulator;
    const start = objects.all();
    advertising.setBillingHold(false);
    const first = (await launch()).json.campaign.id;
    objects.putMember({ email: "second@example.com" });
    objects.putRecord("a", "Task");
    await reset();
    assert.deepEqual([objects.all(), simulator.objects.all()], [start, start]);
    assert.deepEqual([objects.launches(), objects.recordWrites(), objects.spending()], [[], [], []]);
    assert.equal((await launch()).status, 409, "the billing hold of the start");
    advertising.setBillingHold(false);
    assert.equal((await launch()).json.campaign.id, first);
    const { id } = objects.putWebhook("a");
    simulator.deliver("a", id, { ok: true });
    assert.notEqual(objects.webhook("a", id)?.last_trigger_time, null, "what a test holds on to still works");
  });

  it("empties the request log, whose numbers start again, and the exchanges", async () => {
    await create();
    await reset();
    assert.equal(simulator.requests.length, 0);
    assert.throws(() => simulator.exchange(1), /is not kept/);
    await create();
    assert.equal(simulator.requests[0]?.number, 1);
  });

  it("removes faults and lags, sets the clock back, and empties the windows of rate limits", async () => {
    simulator.fault({ operation: "webhook.list", lagMilliseconds: 1_000 });
    simulator.fault({ operation: "webhook.get", then: { status: 500 } });
    await create();
    await create();
    assert.equal((await create()).status, 429);
    simulator.clock.advance(1_000);
    await reset();
    assert.deepEqual([simulator.waitingFaults(), simulator.clock.aheadMilliseconds], [[], 0]);
    assert.deepEqual([(await create()).status, (await create()).status], [200, 200]);
  });

  it("ends the requests whose responses are held back, without carrying them out", async () => {
    simulator.fault({ operation: "webhook.create", then: "hold" });
    const held = assert.rejects(create());
    await until(() => simulator.requests.length === 1);
    await reset();
    await held;
    assert.equal(await simulator.release(), 0);
    assert.deepEqual([simulator.objects.webhooks(), simulator.requests], [[], []]);
  });
});
