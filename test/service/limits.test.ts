import assert from "node:assert/strict";
import type { OperationId } from "../../provider/service/operations";
import { startSimulator } from "../../simulator";
import { failureOf, WatchedService } from "./support/client";
import { closedAfterEach } from "./support/close-after-each";
import { httpAnswer, RawServer } from "./support/raw-server";

const open = closedAfterEach();

const anyAnswer = JSON.stringify({
  unlinked: true,
  id: "hook",
  target_url: "",
  events: [],
  has_secret: false,
  created_date: "2026-01-01T00:00:00Z",
  members: [],
  has_more: false,
  total: 0,
  fields: [],
  connection_config: {},
  explanation: "",
});

async function serviceWith(rateLimits: Partial<Record<OperationId, number>> = {}): Promise<WatchedService> {
  const server = open(await RawServer.listen({ onRequest: ({ socket }) => socket.write(httpAnswer(200, anyAnswer)) }));
  return open(new WatchedService(server.url, { rateLimits }));
}

async function times(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

describe("The documented limit", () => {
  for (const [id, limit] of [
    ["webhook.update", 100],
    ["member.list", 30],
    ["connector.fields", 150],
    ["run.analyze", 5],
    ["folderItem.remove", 600],
    ["test.delete", 300],
  ] as const)
    it(`of ${id}, ${String(limit)} a minute, is kept before the service has to refuse`, async () => {
      const service = await serviceWith();
      await times(limit, () => service.callAny(id));
      assert.deepEqual(service.time.sleeps, []);
      await service.callAny(id);
      assert.deepEqual(service.time.sleeps, [60_500]);
      assert.deepEqual(service.lines, [`${id}: waiting 61 s for its rate limit.`]);
    }).timeout(20_000);

  it("is shared by all objects of an operation, and by nothing else", async () => {
    const service = await serviceWith();
    await times(5, (index) =>
      service.callAny("run.analyze", { app_id: `app-${String(index)}`, run_id: String(index) }),
    );
    await service.callAny("member.list");
    assert.deepEqual(service.time.sleeps, []);
    await service.callAny("run.analyze", { app_id: "another" });
    assert.equal(service.time.sleeps.length, 1);
  });

  it("of test deletion counts for each app", async () => {
    const service = await serviceWith({ "test.delete": 3 });
    for (const app_id of ["one", "two"])
      await times(3, (index) => service.callAny("test.delete", { app_id, flow_id: String(index) }));
    assert.deepEqual(service.time.sleeps, []);
    await service.callAny("test.delete", { app_id: "one" });
    assert.equal(service.time.sleeps.length, 1);
  });

  it("can be replaced by a setting, for a limited and for an unlimited operation", async () => {
    const service = await serviceWith({ "member.list": 2, "webhook.list": 1, "run.analyze": 50 });
    await times(2, () => service.callAny("member.list"));
    await times(50, () => service.callAny("run.analyze"));
    assert.deepEqual(service.time.sleeps, []);
    await service.callAny("member.list");
    assert.equal(service.time.sleeps.length, 1);
  });

  it("does not exist for operations without a known limit", async () => {
    const service = await serviceWith();
    await times(200, () => service.callAny("webhook.get"));
    assert.deepEqual(service.time.sleeps, []);
  });

  it("counts repeated requests too", async () => {
    const simulator = open(await startSimulator());
    simulator.fault({ operation: "folderItem.remove", times: 2, then: { status: 502 } });
    const service = open(new WatchedService(simulator.url, { rateLimits: { "folderItem.remove": 2 } }));
    await service.callAny("folderItem.remove");
    assert.equal(simulator.requests.length, 3);
    assert.ok(service.time.sleeps.some((wait) => wait > 50_000));
  });

  it("is kept by a call of one attempt too", async () => {
    const service = await serviceWith({ "campaign.readiness": 1 });
    const readOnce = (): Promise<unknown> =>
      service.call("campaign.readiness", { parameters: { app_id: "app-1" }, once: true });
    await readOnce();
    assert.deepEqual(service.time.sleeps, []);
    await readOnce();
    assert.deepEqual(service.time.sleeps, [60_500]);
  });

  it("includes the pause after a 429, for calls of one attempt too", async () => {
    const simulator = open(await startSimulator());
    simulator.fault({ operation: "campaign.readiness", then: { status: 429, headers: { "retry-after": "40" } } });
    const service = open(new WatchedService(simulator.url));
    const call = { parameters: { app_id: "app-1" }, once: true };
    assert.equal((await failureOf(service.call("campaign.readiness", call))).status, 429);
    assert.deepEqual([simulator.requests.length, service.time.sleeps], [1, []], "one attempt, and no wait for another");
    await service.call("campaign.readiness", call);
    assert.ok(service.time.sleeps.some((wait) => wait > 39_000));
  });

  it("does not count twice for a caller that has waited", async () => {
    const service = await serviceWith({ "campaign.readiness": 2 });
    const parameters = { app_id: "app-1" };
    for (let number = 1; number <= 2; number++) {
      await service.waitForRateLimit("campaign.readiness", parameters);
      await service.call("campaign.readiness", { parameters, once: true, hasWaited: true });
    }
    assert.deepEqual(service.time.sleeps, []);
  });
});
