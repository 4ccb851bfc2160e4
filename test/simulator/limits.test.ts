import assert from "node:assert/strict";
import type { OperationId } from "../../simulator";
import { bearer, onSimulator } from "./support";

const [hooks, flow, item] = [
  "/api/agents/a/webhooks",
  "/api/apps/a/testing-agent/flows/f",
  "/api/app-folders/f/items/a",
];

describe("The simulator's limits", () => {
  const { simulator, clock, restart, get, patch, remove } = onSimulator();
  const limit = (limits: Partial<Record<OperationId, number>>) =>
    restart({
      limits,
      credentials: [
        { value: "full-access-token", kind: "personal-token" },
        { value: "bob", kind: "personal-token", user: "bob" },
      ],
    });
  const statuses = async (count: number, one: () => Promise<{ status: number }>) => {
    const found: number[] = [];
    for (let request = 0; request < count; request++) found.push((await one()).status);
    return found;
  };

  it("are the documented ones: the 101st webhook update in a minute returns 429", async () => {
    simulator.objects.putWebhook("a", { id: "w" });
    const update = () => patch(`${hooks}/w`, {});
    assert.deepEqual(new Set(await statuses(100, update)), new Set([200]));
    const refused = await update();
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "60"]);
    assert.equal((await get(`${hooks}/w`)).status, 200);
  });

  it("use a sliding window: a request is allowed a minute after the oldest one, as Retry-After says", async () => {
    await limit({ "folderItem.remove": 2 });
    await remove(item);
    clock.advance(20_500);
    await remove(item);
    const refused = await remove(item);
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "40"]);
    clock.advance(39_500);
    assert.deepEqual(await statuses(2, () => remove(item)), [200, 429]);
  });

  it("can be set for an operation without a limit", async () => {
    await limit({ "webhook.list": 1 });
    assert.deepEqual(await statuses(2, () => get(hooks)), [200, 429]);
  });

  it("of test deletion count for each app separately", async () => {
    await limit({ "test.delete": 1 });
    assert.deepEqual(await statuses(2, () => remove(flow)), [404, 429]);
    assert.equal((await remove(flow.replace("/a/", "/b/"))).status, 404);
  });

  it("are each caller's own for connector fields and test deletion", async () => {
    await limit({ "test.delete": 1, "connector.fields": 1 });
    const fields = "/api/apps/a/external-auth/connection-config/crm";
    for (const headers of [bearer("full-access-token"), bearer("bob")]) {
      assert.deepEqual(await statuses(2, () => remove(flow, headers)), [404, 429]);
      assert.deepEqual(await statuses(2, () => get(fields, headers)), [200, 429]);
    }
  });

  it("are otherwise shared by all personal tokens of the workspace", async () => {
    await limit({ "folderItem.remove": 2 });
    const found = [];
    for (const token of ["full-access-token", "bob", "full-access-token", "bob"])
      found.push((await remove(item, bearer(token))).status);
    assert.deepEqual(found, [200, 200, 429, 429]);
  });

  it("do not count requests without a valid credential", async () => {
    await limit({ "webhook.list": 1 });
    await get(hooks, {});
    assert.equal((await get(hooks)).status, 200);
  });
});
