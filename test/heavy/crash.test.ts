import assert from "node:assert/strict";
import type { RequestFault, Webhook } from "../../simulator";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, programOf, type Run } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const declared = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

describe("A killed pulumi command", () => {
  const { simulator, project } = onSimulator();

  const changed = (more: object): string => programOf("Webhook", { ...declared, ...more });
  const webhooks = (): Webhook[] => simulator.objects.webhooks("agent-1");

  it("leaves a lock during a creation, a change and a rotation; cancel removes it and the next up finishes the work", async () => {
    const stack = await project(changed({}));
    const killed = (moment: RequestFault): Promise<Run> => killDuring({ stack, simulator }, "up", "cli", moment);
    const cancel = async (): Promise<void> => {
      assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    };

    await killed({ operation: "webhook.create", then: "hang" });
    assertFailed(await stack.up(), /lock/);
    await cancel();
    assertDone(await stack.up(), { create: 1 });
    assert.equal(webhooks().length, 1, "a creation that was not carried out leaves one webhook");

    await stack.write(changed({ description: "new" }));
    await killed({ operation: "webhook.update", then: "hang" });
    await cancel();
    assertDone(await stack.up(), { update: 1 });
    assert.equal(webhooks()[0]?.description, "new");

    await stack.write(changed({ description: "new", signed: true }));
    await killed({ operation: "webhook.update", commit: true, then: "hang" });
    await cancel();
    assertDone(await stack.up(), { update: 1 });
    assert.match(String((await stack.outputs())["secret"]), /^whsec_/, "a secret that was lost is rotated again");
    assert.equal(webhooks().length, 1);
  });
});
