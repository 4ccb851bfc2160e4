import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { send, TestClock } from "./support";

describe("The simulator's limits", () => {
  let clock: TestClock;
  let simulator: Simulator | undefined;
  beforeEach(() => {
    clock = new TestClock();
  });
  afterEach(() => simulator?.close());

  const statuses = async (count: number, one: () => Promise<{ status: number }>) => {
    const seen: number[] = [];
    for (let request = 0; request < count; request++) seen.push((await one()).status);
    return seen;
  };

  it("are the documented ones: the 101st webhook update in a minute returns 429", async () => {
    const started = (simulator = await startSimulator({ now: clock.now }));
    started.objects.putWebhook("a", { id: "w" });
    const update = () => send(started, "PATCH", "/api/agents/a/webhooks/w", { body: {} });
    assert.deepEqual(new Set(await statuses(100, update)), new Set([200]));
    const refused = await update();
    assert.equal(refused.status, 429);
    assert.equal(refused.headers["retry-after"], "60");
    assert.equal((await send(started, "GET", "/api/agents/a/webhooks/w")).status, 200);
  });

  it("use a sliding window: a request is allowed a minute after the oldest one, as Retry-After says", async () => {
    const started = (simulator = await startSimulator({ now: clock.now, limits: { "folderItem.remove": 2 } }));
    const remove = () => send(started, "DELETE", "/api/app-folders/f/items/a");
    await remove();
    clock.advance(20_500);
    await remove();
    const refused = await remove();
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "40"]);
    clock.advance(39_500);
    assert.deepEqual(await statuses(2, remove), [200, 429]);
  });

  it("can be set for an operation without a limit", async () => {
    const started = (simulator = await startSimulator({ now: clock.now, limits: { "webhook.list": 1 } }));
    assert.deepEqual(await statuses(2, () => send(started, "GET", "/api/agents/a/webhooks")), [200, 429]);
  });

  it("of test deletion count for each app separately", async () => {
    const started = (simulator = await startSimulator({ now: clock.now, limits: { "test.delete": 1 } }));
    const remove = (app: string) => () => send(started, "DELETE", `/api/apps/${app}/testing-agent/flows/f`);
    assert.equal((await statuses(2, remove("one")))[1], 429);
    assert.notEqual((await remove("two")()).status, 429);
  });

  it("are each caller's own for connector fields and test deletion", async () => {
    const credentials = ["ann", "bob"].map((user) => ({
      value: `${user}-token`,
      kind: "personal-token" as const,
      user,
    }));
    const limits = { "test.delete": 1, "webhook.list": 1 };
    const started = (simulator = await startSimulator({ now: clock.now, limits, credentials }));
    const as = (user: string, method: string, path: string) => () =>
      send(started, method, path, { headers: { authorization: `Bearer ${user}-token` } });
    const [flow, list] = ["/api/apps/a/testing-agent/flows/f", "/api/agents/a/webhooks"];
    assert.deepEqual(await statuses(2, as("ann", "DELETE", flow)), [404, 429]);
    assert.deepEqual(await statuses(1, as("bob", "DELETE", flow)), [404]);
    assert.deepEqual(await statuses(1, as("ann", "GET", list)), [200]);
    assert.deepEqual(await statuses(1, as("bob", "GET", list)), [429]);
  });

  it("do not count requests without a valid credential", async () => {
    const started = (simulator = await startSimulator({ now: clock.now, limits: { "webhook.list": 1 } }));
    await send(started, "GET", "/api/agents/a/webhooks", { headers: {} });
    assert.equal((await send(started, "GET", "/api/agents/a/webhooks")).status, 200);
  });
});
