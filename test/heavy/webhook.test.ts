import assert from "node:assert/strict";
import type { Webhook } from "../../simulator";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { testedForm } from "../../tools/harness/form";
import { onSimulator } from "../support/on-simulator";

const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
};
const webhook = (more: object = {}): string => programOf("Webhook", { ...declared, ...more });

describe("Webhook on the real engine", () => {
  const { simulator, project } = onSimulator();
  const live = (): Webhook[] => simulator.objects.webhooks("agent-1");

  it("stays in state when a step after its creation fails, and names once, at its resource, why a command was refused", async () => {
    simulator.fault({ operation: "webhook.update", then: { status: 402, body: { detail: "Upgrade first" } } });
    const stack = await project(webhook({ signed: true, enabled: false }));
    assertFailed(await stack.up(), /the service answered 402\..*The service said: Upgrade first/);
    const [stored] = await stack.stored();
    assert.equal(stored?.initErrors?.length, 1);
    // The code of the dynamic form is in its state: without it, the resource could not even be deleted.
    assert.equal("__provider" in (stored.outputs ?? {}), testedForm === "dynamic");
    assertDone(await stack.up(), { update: 1 });
    assert.equal(live().length, 1);
    assert.match(String((await stack.outputs())["secret"]), /^whsec_/);

    for (const [command, operation] of [
      ["refresh", "webhook.get"],
      ["destroy", "webhook.delete"],
    ] as const) {
      simulator.fault({ operation, then: { status: 403, body: { detail: "Ask an editor" } } });
      const run = await stack.pulumi(command, "--yes", "--skip-preview", "--non-interactive");
      assertFailed(
        run,
        new RegExp(`${operation} failed: the service answered 403\\. \\[WA1503\\]\\s+The service said: Ask an editor`),
      );
      // Before them, the CLI shows the first line of a message as progress.
      const [, diagnostics = ""] = run.output.split("Diagnostics:");
      assert.equal(diagnostics.split(`${operation} failed`).length, 2, run.output);
      assert.equal(diagnostics.split("Ask an editor").length, 2, run.output);
      assert.match(diagnostics, new RegExp(`:Webhook \\(tested\\):\\n +error: ${operation} failed`));
      // The dynamic host must fail with a text of its own, after the message was shown.
      assert.equal(run.output.includes("workspace-apps: see the error at the resource"), testedForm === "dynamic");
      assert.doesNotMatch(run.output, /\n\s+at /);
      assert.equal((await stack.stored()).length, 1);
    }
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(live(), []);
  });
});
