import assert from "node:assert/strict";
import type { RequestFault } from "../../simulator";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { allForms } from "../../tools/harness/form";
import { until } from "../simulator/support";
import { onSimulator } from "../support/on-simulator";

/* Objects whose create response was lost, or whose create was interrupted or killed. */

const hook = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
const program = (body: string): string => `const apps = require("pulumi-workspace-apps");${body}`;
const webhook = `new apps.Webhook("hook", ${JSON.stringify(hook)});`;
const record = (name: string, entityName: string): string =>
  `new apps.EntityRecord("${name}", { appId: "app-1", entityName: "${entityName}", fields: { title: "one" } });`;

for (const form of allForms)
  describe(`In the ${form} form, an uncertain create`, () => {
    const { simulator, project } = onSimulator();
    const start = (text: string): Promise<PulumiProject> => project(text, { form });
    const idsOf = (objects: readonly { readonly id: string }[]): string[] => objects.map(({ id }) => id).toSorted();
    const records = (entity: string): string[] => idsOf(simulator.objects.records("app-1", entity));
    const webhooks = (): string[] => idsOf(simulator.objects.webhooks("agent-1"));
    const sent = (operation: string): number =>
      simulator.requests.filter((request) => request.operation === operation).length;

    it("is settled by the mark of a webhook, by the values of a record, or by the next up; destroy deletes nobody else's", async () => {
      const stack = await start(program(webhook + record("found", "Task") + record("hidden", "Note")));
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

      assertDone(await stack.refresh());
      const preview = await stack.preview();
      assertDone(preview, { update: 1 });
      assert.match(preview.output, /An earlier command may have created the Note record of app app-1/);
      assertDone(await stack.up(), { update: 1, same: 2 });
      assertDone(await stack.refresh("--expect-no-changes"));
      assert.deepEqual([records("Note").length, sent("webhook.create")], [1, 1]);

      assertDone(await stack.destroy());
      assert.deepEqual([webhooks(), records("Task")], [[theirs.id], ["customers"]]);
    });

    it("of a webhook that was killed is taken over by the next up, from a minute after it on", async () => {
      const stack = await start(program(webhook));
      const moment: RequestFault = { operation: "webhook.create", commit: true, then: "hang" };
      await killDuring({ stack, simulator }, "up", "cli", moment);
      simulator.clearFaults();
      assertDone(await stack.pulumi("cancel", "--yes", "dev"));
      assertFailed(await stack.up(), /another command may be creating it at this moment/);
      simulator.clock.advance(60_000);
      assertDone(await stack.up());
      assert.deepEqual([webhooks().length, sent("webhook.create")], [1, 1]);
      assertDone(await stack.destroy());
      assert.deepEqual(webhooks(), []);
    });

    const signal = form === "dynamic" ? "SIGTERM" : "SIGINT";
    it(`that is interrupted by ${signal} loses and doubles nothing`, async () => {
      const stack = await start(program(record("task", "Task")));
      simulator.fault({ operation: "record.create", commit: true, delayMilliseconds: 1_500, then: "reset" });
      const up = stack.start("up");
      await until(() => sent("record.create") === 1);
      process.kill(up.pid, signal);
      await up.ended;
      assertDone(await stack.up());
      assert.deepEqual([records("Task").length, sent("record.create")], [1, 1]);
    });
  });
