import assert from "node:assert/strict";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { testedForm } from "../../tools/harness/form";
import { until } from "../simulator/support";
import { onSimulator } from "../support/on-simulator";

/* Objects whose create response was lost, or whose create was interrupted or killed. */

const hook = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
const webhook = (more: object = {}): string => programOf("Webhook", { ...hook, ...more });
const record = (name: string, entityName: string): string =>
  `new apps.EntityRecord("${name}", { appId: "app-1", entityName: "${entityName}", fields: { title: "one" } });`;

describe("An uncertain create, on the real engine,", () => {
  const { simulator, project } = onSimulator();
  const idsOf = (objects: readonly { readonly id: string }[]): string[] => objects.map(({ id }) => id).toSorted();
  const records = (entity: string): string[] => idsOf(simulator.objects.records("app-1", entity));
  const webhooks = (): string[] => idsOf(simulator.objects.webhooks("agent-1"));
  const sent = (operation: string): number =>
    simulator.requests.filter((request) => request.operation === operation).length;

  it("is settled by the mark of a webhook, by the values of a record, or by the next up; destroy deletes nobody else's", async () => {
    const stack = await project(webhook() + record("found", "Task") + record("hidden", "Note"));
    simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
    const theirs = simulator.objects.putWebhook("agent-1", { target_url: hook.targetUrl, events: hook.events });
    const reset = (entity_name: string, commit: boolean): void => {
      simulator.fault({ operation: "record.create", parameters: { entity_name }, commit, then: "reset" });
    };
    reset("Task", false);
    reset("Note", true);
    simulator.fault({ operation: "record.list", parameters: { entity_name: "Note" }, then: { status: 403 } });
    // A customer's, of the same second.
    simulator.listen({
      request: ({ operation, parameters }) => {
        if (operation === "record.create" && parameters["entity_name"] === "Task" && records("Task").length === 0)
          simulator.objects.putRecord("app-1", "Task", { id: "customers", title: "one" });
      },
      changed: () => undefined,
    });
    const first = await stack.up("--continue-on-error");
    assertFailed(first, /a copy of this Note record may exist.*Run `pulumi up` again\. It looks first/);
    assert.match(first.output, /record customers of app app-1 was found by its values.*counts as adopted/);
    assert.deepEqual([webhooks().length, records("Task"), records("Note").length], [2, ["customers"], 1]);

    const preview = await stack.preview();
    assertDone(preview, { update: 1 });
    assert.match(preview.output, /An earlier command may have created the Note record of app app-1/);
    assertDone(await stack.up(), { update: 1, same: 2 });
    assert.deepEqual([records("Note").length, sent("webhook.create")], [1, 1]);

    assertDone(await stack.destroy());
    assert.deepEqual([webhooks(), records("Task")], [[theirs.id], ["customers"]]);
  });

  it("that was killed leaves a lock, and is continued by the next up from a minute after it on; a rotation is repeated", async () => {
    const stack = await project(webhook());
    const cancel = async (): Promise<void> => {
      assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    };
    await killDuring({ stack, simulator }, "up", "cli", { operation: "webhook.create", commit: true, then: "hang" });
    assertFailed(await stack.up(), /lock/);
    await cancel();
    assertFailed(await stack.up(), /another command may be creating it at this moment/);
    simulator.clock.advance(60_000);
    assertDone(await stack.up());
    assert.deepEqual([webhooks().length, simulator.objects.webhooks("agent-1")[0]?.description], [1, null]);

    await stack.write(webhook({ signed: true }));
    await killDuring({ stack, simulator }, "up", "cli", { operation: "webhook.update", commit: true, then: "hang" });
    await cancel();
    assertDone(await stack.up(), { update: 1 });
    assert.match(String((await stack.outputs())["secret"]), /^whsec_/, "a secret that was lost is rotated again");
    assertDone(await stack.destroy());
    assert.deepEqual(webhooks(), []);
  });

  const signal = testedForm === "dynamic" ? "SIGTERM" : "SIGINT";
  it(`that is interrupted by ${signal} loses and doubles nothing`, async () => {
    const stack = await project(`const apps = require("pulumi-workspace-apps");${record("task", "Task")}`);
    simulator.fault({ operation: "record.create", commit: true, delayMilliseconds: 1_500, then: "reset" });
    const up = stack.start("up");
    await until(() => sent("record.create") === 1);
    process.kill(up.pid, signal);
    await up.ended;
    assertDone(await stack.up());
    assert.deepEqual([records("Task").length, sent("record.create")], [1, 1]);
  });
});
