import assert from "node:assert/strict";
import type { Webhook } from "../../simulator";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
};
const webhook = (more: object = {}): string => programOf("Webhook", { ...declared, ...more });

describe("Webhook on the real engine", () => {
  const { simulator, project } = onSimulator();
  const live = (): Webhook[] => simulator.objects.webhooks("agent-1");
  const requests = (): string[] => newRequests(simulator);

  it("is created, shows no change in preview and refresh, is changed, replaced for another agent, and destroyed", async () => {
    const stack = await project(webhook({ description: "Replies", signed: true }));
    assertDone(await stack.up(), { create: 1 });
    assert.equal(live().length, 1);
    requests();
    assertDone(await stack.preview("--expect-no-changes"), {});
    assert.deepEqual(requests(), [], "a preview sends no request");
    simulator.deliver("agent-1", live()[0]?.id ?? "", { ok: false, status: 500 });
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    assert.deepEqual(requests(), ["webhook.get"], "changes by deliveries are not drift");
    assertDone(await stack.apply(webhook({ description: "New", signed: true })), { update: 1 });
    assert.deepEqual(requests(), [`webhook.update {"description":"New"}`], "only the changed field is sent");
    assertDone(await stack.apply(webhook({ agentId: "agent-2" })), {
      "create-replacement": 1,
      replace: 1,
      "delete-replaced": 1,
    });
    assert.deepEqual([live().length, simulator.objects.webhooks("agent-2").length], [0, 1]);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(simulator.objects.webhooks("agent-2"), []);
  });

  it("shows drift as a difference of its inputs, is repaired, and is created again after it disappeared", async () => {
    const stack = await project(webhook({ description: "Replies", signed: true }));
    assertDone(await stack.up());
    simulator.objects.changeWebhook("agent-1", live()[0]?.id ?? "", {
      target_url: "https://elsewhere.example.com/",
      events: ["message.created"],
      description: "theirs",
      disabled_at: "2026-01-01T00:00:00Z",
      has_secret: false,
    });
    assertFailed(await stack.refresh("--expect-no-changes"), /no changes were expected/);
    assertDone(await stack.refresh());
    const [stored] = await stack.stored();
    assert.deepEqual([stored?.inputs?.["description"], stored?.inputs?.["enabled"]], ["theirs", false]);
    assertDone(await stack.preview(), { update: 1 });
    assertDone(await stack.up(), { update: 1 });
    assert.deepEqual([live()[0]?.description, live()[0]?.disabled_at, live()[0]?.has_secret], ["Replies", null, true]);

    simulator.objects.removeWebhook("agent-1", live()[0]?.id ?? "");
    simulator.fault({ operation: "webhook.get", times: 5, then: { status: 500 } });
    assertFailed(await stack.refresh(), /webhook\.get failed: the service answered 500\..*Request: GET /);
    assert.equal((await stack.stored()).length, 1, "a failed read is not treated as a deletion");
    assertDone(await stack.refresh(), { delete: 1 });
    assertDone(await stack.up(), { create: 1 });
    assert.equal(live().length, 1);
  });
});
