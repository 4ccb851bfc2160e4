import assert from "node:assert/strict";
import type { Webhook } from "../../simulator";
import { assertDone, assertFailed, onSimulator, programOf } from "../../tools/harness/engine";
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

  it("is created, shows no change in preview and refresh, is changed and destroyed", async () => {
    const stack = await project(webhook({ description: "Replies", signed: true }));
    assertDone(await stack.up(), { create: 1 });
    assert.equal(live().length, 1);
    requests();
    assertDone(await stack.preview("--expect-no-changes"), {});
    assert.deepEqual(requests(), [], "a preview asks the service nothing");
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    assert.deepEqual(requests(), ["webhook.get"]);
    simulator.deliver("agent-1", live()[0]?.id ?? "", { ok: false, status: 500 });
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    requests();
    assertDone(await stack.apply(webhook({ description: "New", signed: true })), { update: 1 });
    assert.deepEqual(requests(), [`webhook.update {"description":"New"}`], "only the changed field is sent");
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(live(), []);
  });

  it("is replaced when its agent changes", async () => {
    const stack = await project(webhook());
    assertDone(await stack.up());
    assertDone(await stack.apply(webhook({ agentId: "agent-2" })), {
      "create-replacement": 1,
      replace: 1,
      "delete-replaced": 1,
    });
    assert.deepEqual([live().length, simulator.objects.webhooks("agent-2").length], [0, 1]);
  });

  it("shows drift as a difference of its inputs, and the next up repairs it", async () => {
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
  });

  it("is created again after it disappeared behind Pulumi's back", async () => {
    const stack = await project(webhook());
    assertDone(await stack.up());
    simulator.objects.removeWebhook("agent-1", live()[0]?.id ?? "");
    simulator.fault({ operation: "webhook.get", times: 5, then: { status: 500 } });
    assertFailed(await stack.refresh(), /webhook\.get \(GET .*500/);
    assert.equal((await stack.stored()).length, 1, "what could not be asked is not gone");
    assertDone(await stack.refresh(), { delete: 1 });
    assertDone(await stack.up(), { create: 1 });
    assert.equal(live().length, 1);
  });

  it("is adopted by its id, after a failed attempt too, and retained on destroy", async () => {
    const { id } = simulator.objects.putWebhook("agent-1", { has_secret: true });
    const stack = await project(webhook({ webhookId: id, signed: true, rotateSecret: "1" }));
    simulator.fault({ operation: "webhook.update", then: { status: 403 } });
    assertFailed(await stack.up(), /403.*editor of the agent/);
    assertDone(await stack.up(), { create: 1 });
    assert.equal(live()[0]?.target_url, declared.targetUrl);
    assert.ok(!requests().join().includes("signing"), "adoption never rotates");
    assertDone(await stack.preview("--expect-no-changes"));
    assertDone(await stack.refresh("--expect-no-changes"));
    assertDone(await stack.apply(webhook({ signed: true, rotateSecret: "1" })), { same: 1 });
    assertDone(await stack.destroy(), { delete: 1 });
    assert.equal(live().length, 1);
  });

  it("stays in state when a step after its creation fails, and the next up finishes it", async () => {
    simulator.fault({ operation: "webhook.update", then: { status: 402, body: { detail: "Upgrade first" } } });
    const stack = await project(webhook({ signed: true, enabled: false }));
    assertFailed(await stack.up(), /402: Upgrade first/);
    const [stored] = await stack.stored();
    assert.equal(stored?.initErrors?.length, 1);
    assert.ok(stored.outputs?.["__provider"]);
    assertDone(await stack.up(), { update: 1 });
    assert.equal(live().length, 1);
    assert.match(String((await stack.outputs())["secret"]), /^whsec_/);
    assertDone(await stack.preview("--expect-no-changes"));
  });

  it("keeps its state through a failed update and a failed destroy, and the next run heals", async () => {
    const stack = await project(webhook());
    assertDone(await stack.up());
    simulator.fault({
      operation: "webhook.update",
      then: { status: 422, body: { detail: [{ loc: ["body", "description"], msg: "too rude", type: "value_error" }] } },
    });
    assertFailed(await stack.apply(webhook({ description: "d" })), /description: too rude/);
    assertDone(await stack.up(), { update: 1 });
    simulator.fault({ operation: "webhook.delete", then: { status: 403 } });
    assertFailed(await stack.destroy(), /webhook\.delete \(DELETE .*403/);
    assert.equal((await stack.stored()).length, 1);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(live(), []);
  });
});
