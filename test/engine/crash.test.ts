import assert from "node:assert/strict";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, onSimulator, programOf } from "../../tools/harness/engine";

const declared = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

describe("A killed pulumi command", () => {
  const { simulator, project } = onSimulator();

  it("before a change was made leaves a lock that cancel removes, and the next up makes the change", async () => {
    const stack = await project(programOf("Webhook", declared));
    assertDone(await stack.up());
    await stack.write(programOf("Webhook", { ...declared, description: "new" }));
    await killDuring({ stack, simulator }, "up", "cli", { operation: "webhook.update", then: "hang" });
    assertFailed(await stack.up(), /lock/);
    assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    assertDone(await stack.up(), { update: 1 });
    assert.equal(simulator.objects.webhooks("agent-1")[0]?.description, "new");
  });

  it("after a rotation but before its answer loses no webhook, and the next up rotates again", async () => {
    const stack = await project(programOf("Webhook", declared));
    assertDone(await stack.up());
    await stack.write(programOf("Webhook", { ...declared, signed: true }));
    await killDuring({ stack, simulator }, "up", "cli", { operation: "webhook.update", commit: true, then: "hang" });
    assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    assertDone(await stack.up(), { update: 1 });
    assert.match(String((await stack.outputs())["secret"]), /^whsec_/);
    assert.equal(simulator.objects.webhooks("agent-1").length, 1);
  });

  it("during a creation that was not carried out leaves one webhook after the next up", async () => {
    const stack = await project(programOf("Webhook", declared));
    await killDuring({ stack, simulator }, "up", "cli", { operation: "webhook.create", then: "hang" });
    assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    assertDone(await stack.up(), { create: 1 });
    assert.equal(simulator.objects.webhooks("agent-1").length, 1);
  });
});
