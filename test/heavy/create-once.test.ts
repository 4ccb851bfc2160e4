import assert from "node:assert/strict";
import type { RequestFault } from "../../simulator";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { allForms } from "../../tools/harness/form";
import { until } from "../simulator/support";
import { onSimulator } from "../support/on-simulator";

/* What becomes of an object whose create response was lost, was interrupted, or was killed. */

const hook = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
const program = (body: string): string => `const apps = require("pulumi-workspace-apps");${body}`;
const webhook = program(`new apps.Webhook("hook", ${JSON.stringify(hook)});`);
const record = (name: string, title: string): string =>
  `new apps.EntityRecord("${name}", { appId: "app-1", entityName: "Task", fields: { title: "${title}" } });`;
const empty = program("");

for (const form of allForms)
  describe(`In the ${form} form, an uncertain create`, () => {
    const { simulator, project } = onSimulator();
    const start = (text: string): Promise<PulumiProject> => project(text, { form });
    const records = () => simulator.objects.records("app-1", "Task");
    const webhooks = () => simulator.objects.webhooks("agent-1");
    const sent = (operation: string): number =>
      simulator.requests.filter((request) => request.operation === operation).length;

    it("of a webhook takes no equal one of somebody else, and destroy leaves that alone", async () => {
      const stack = await start(webhook);
      simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      const theirs = simulator.objects.putWebhook("agent-1", { target_url: hook.targetUrl, events: hook.events });
      assertDone(await stack.up());
      assert.equal(webhooks().length, 2);
      assert.deepEqual(
        webhooks().map(({ description }) => description),
        [null, null],
      );
      assertDone(await stack.refresh("--expect-no-changes"));
      assertDone(await stack.destroy());
      assert.deepEqual(
        webhooks().map(({ id }) => id),
        [theirs.id],
      );
    });

    it("of a webhook that was killed is taken over by the next up, from a minute after it on", async () => {
      const stack = await start(webhook);
      const moment: RequestFault = { operation: "webhook.create", commit: true, then: "hang" };
      await killDuring({ stack, simulator }, "up", "cli", moment);
      simulator.clearFaults();
      assertDone(await stack.pulumi("cancel", "--yes", "dev"));
      assertFailed(await stack.up(), /another command may be creating it at this moment/);
      simulator.clock.advance(60_000);
      assertDone(await stack.up());
      assert.deepEqual([webhooks().length, webhooks()[0]?.description, sent("webhook.create")], [1, null, 1]);
      assertDone(await stack.destroy());
      assert.deepEqual(webhooks(), []);
    });

    it("of a record adopts what it finds by its values, and destroy retains it", async () => {
      const stack = await start(program(record("task", "one")));
      simulator.fault({ operation: "record.create", then: "reset" });
      // A customer's, of the same second.
      simulator.listen({
        request: ({ operation }) => {
          if (operation === "record.create" && records().length === 0)
            simulator.objects.putRecord("app-1", "Task", { id: "customers", title: "one" });
        },
        changed: () => undefined,
      });
      const up = await stack.up();
      assertDone(up);
      assert.match(up.output, /record customers of app app-1 was found by its values.*counts as adopted/);
      assertDone(await stack.preview("--expect-no-changes"));
      assertDone(await stack.apply(empty));
      assert.deepEqual(
        records().map(({ id }) => id),
        ["customers"],
      );
    });

    it("of a record that the service had before counts as adopted", async () => {
      const stack = await start(program(record("task", "one")));
      const created_date = "2026-01-01T00:00:00Z";
      const { id } = simulator.objects.putRecord("app-1", "Task", { title: "one", created_date });
      simulator.fault({ operation: "record.create", then: { status: 200, body: { id, title: "one", created_date } } });
      const up = await stack.up();
      assertDone(up);
      assert.match(up.output, /answered the create with the .*, which it had before/);
      assertDone(await stack.destroy());
      assert.equal(records().length, 1);
    });

    it("of a record that nobody can find is saved, and the next up looks first", async () => {
      const stack = await start(program(record("task", "one")));
      simulator.fault({ operation: "record.create", commit: true, then: "reset" });
      simulator.fault({ operation: "record.list", then: { status: 403 } });
      assertFailed(await stack.up(), /a copy of this Task record may exist.*Run `pulumi up` again\. It looks first/);
      assert.equal((await stack.stored()).length, 1);
      assertDone(await stack.refresh());
      const preview = await stack.preview();
      assertDone(preview, { update: 1 });
      assert.match(preview.output, /An earlier command may have created the Task record of app app-1/);
      assertDone(await stack.up(), { update: 1 });
      assert.deepEqual([records().length, sent("record.create")], [1, 1]);
      assertDone(await stack.preview("--expect-no-changes"));
      assertDone(await stack.refresh("--expect-no-changes"));
    });

    it("of a record that leaves the program is forgotten with a warning, and nothing is deleted", async () => {
      const stack = await start(program(record("task", "one")));
      simulator.fault({ operation: "record.create", commit: true, then: "reset" });
      simulator.fault({ operation: "record.list", then: { status: 403 } });
      assertFailed(await stack.up(), /a copy of this Task record may exist/);
      const destroy = await stack.destroy();
      assertDone(destroy);
      assert.match(destroy.output, /It leaves the stack, and nothing was deleted/);
      assert.deepEqual([records().length, (await stack.stored()).length], [1, 0]);
    });

    for (const signal of ["SIGINT", "SIGTERM"] as const)
      it(`that is interrupted by ${signal} loses and doubles nothing`, async () => {
        const stack = await start(program(record("task", "one")));
        simulator.fault({ operation: "record.create", commit: true, delayMilliseconds: 1_500, then: "reset" });
        const up = stack.start("up");
        await until(() => sent("record.create") === 1);
        process.kill(up.pid, signal);
        await up.ended;
        assertDone(await stack.up());
        assert.deepEqual([records().length, sent("record.create")], [1, 1]);
      });

    it("of one record does not swap it with another that is under way", async () => {
      const stack = await start(program(record("one", "one") + record("two", "two")));
      simulator.fault({ operation: "record.create", commit: true, then: "reset" });
      simulator.fault({ operation: "record.create", then: "pass", delayMilliseconds: 1_000 });
      assertDone(await stack.up());
      const stored = await stack.stored("EntityRecord");
      for (const { outputs = {} } of stored) {
        const held = records().find(({ id }) => id === outputs["recordId"]);
        assert.deepEqual({ title: held?.["title"] }, outputs["fields"]);
      }
      assert.equal(stored.length, 2);
    });
  });
